/**
 * Evaluation output of OpenHands: one run a line, with the events of its `history`. An action of the agent is model text with
 * a tool call; an observation is the result of the action that it names. State changes and recall requests are events.
 * Each run is a separate session, even if an instance was run several times.
 */
import { sha256 } from "../../../text/bytes.ts";
import { fieldAt, firstText, isObject, listAt, textAt } from "../json-fields.ts";
import {
  type DocumentEntry,
  type DocumentFormat,
  type DocumentSession,
  restOf,
  sessionForEach,
  textIn,
  timeOf,
} from "./document-format.ts";

export const openhands: DocumentFormat = {
  name: "openhands",
  label: "OpenHands",
  recognises: (lines, start) =>
    lines.some(isRun) ||
    /^\s*\{\s*"instance_id"\s*:\s*"[^"]*"\s*,\s*"(test_result|instruction|history)"/.test(start),
  sessions: sessionForEach("OpenHands", isRun, sessionOf),
};

function isRun(line: unknown): boolean {
  const hasEvents = fieldAt(line, "history") !== undefined || isObject(fieldAt(line, "test_result"));
  return textAt(line, "instance_id") !== null && hasEvents;
}

function sessionOf(run: unknown): DocumentSession {
  // Early versions pair each action with its observation.
  const history = listAt(run, "history").flat();
  const instance = textAt(run, "instance_id") ?? "";
  const first = JSON.stringify([fieldAt(history[0], "id"), textAt(history[0], "timestamp")]);
  const calls = new Set<string>();
  const entries: DocumentEntry[] = [{ id: "run", event: restOf(run, "history") }];
  let parentId: string | null = null;
  history.forEach((record, index) => {
    const id = `event-${String(fieldAt(record, "id") ?? index)}`;
    const message = messageOf(record, id, calls);
    if (message === null) {
      entries.push({ id, event: record });
      return;
    }
    entries.push({ id, parentId, ...timeOf(timestampOf(record)), message });
    parentId = id;
  });
  return {
    sessionId: `${instance}-${sha256(first).slice(0, 12)}`,
    title: instance,
    titleIsAutomatic: false,
    hostContext: {
      host: "openhands",
      model: textIn(run, "metadata", "llm_config", "model"),
      project: folderOf(history),
    },
    entries,
  };
}

/** OpenHands writes local times without a zone. They are read as UTC, so that the result is the same on every machine. */
function timestampOf(record: unknown): string | null {
  const time = textAt(record, "timestamp");
  return time === null || /(Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}Z`;
}

function folderOf(history: readonly unknown[]): string | null {
  return firstText(history.map((record) => textIn(record, "extras", "metadata", "working_dir")));
}

/** Null for records that the model did not see. */
function messageOf(record: unknown, id: string, calls: Set<string>): object | null {
  const action = textAt(record, "action");
  if (action !== null) return actionOf(record, action, id, calls);
  const observation = textAt(record, "observation");
  if (observation !== null) return observationOf(record, observation, calls);
  return { role: "custom", content: [{ type: textAt(record, "kind") ?? "event", record }] };
}

const NOT_SEEN = ["recall", "change_agent_state", "agent_state_changed", "null"];

function actionOf(record: unknown, action: string, id: string, calls: Set<string>): object | null {
  const args = fieldAt(record, "args");
  const source = textAt(record, "source");
  if (NOT_SEEN.includes(action)) return null;
  if (action === "system")
    return { role: "developer", content: textIn(record, "args", "content") ?? "", host: record };
  const said = textAt(args, "content") ?? textAt(args, "thought") ?? "";
  if (action === "message")
    return {
      role: source === "user" ? "user" : "assistant",
      content: [...textBlocks(said), ...listAt(args, "image_urls").map(imageBlock)],
      host: { ...restOf(record, "message", "args"), args: restOf(args, "content", "image_urls") },
    };
  return callOf(record, action, id, calls);
}

/** One call of a response. The response's text is kept with its first call. */
function callOf(record: unknown, action: string, id: string, calls: Set<string>): object {
  const metadata = fieldAt(record, "tool_call_metadata");
  const callId = textAt(metadata, "tool_call_id") ?? id;
  const response = fieldAt(metadata, "model_response");
  const answer = fieldAt(listAt(response, "choices")[0], "message");
  const asked = listAt(answer, "tool_calls").find((call) => textAt(call, "id") === callId);
  const words = textAt(answer, "content") ?? textIn(record, "args", "thought") ?? "";
  const responseId = textAt(response, "id");
  const isFirst = responseId === null || !calls.has(`response ${responseId}`);
  calls.add(callId).add(`response ${responseId}`);
  const name = textIn(asked, "function", "name") ?? textAt(metadata, "function_name") ?? action;
  const input = textIn(asked, "function", "arguments") ?? JSON.stringify(fieldAt(record, "args") ?? {});
  return {
    role: textAt(record, "source") === "user" ? "user" : "assistant",
    ...(textAt(response, "model") === null ? {} : { model: textAt(response, "model") }),
    content: isFirst ? words : "",
    reasoning_content: textAt(answer, "reasoning_content"),
    tool_calls: [{ id: callId, type: "function", function: { name, arguments: input } }],
    host: { ...restOf(record, "tool_call_metadata"), response: restOf(response, "choices") },
  };
}

/** The result of a call, or a message of the environment. */
function observationOf(record: unknown, observation: string, calls: ReadonlySet<string>): object | null {
  if (NOT_SEEN.includes(observation) && observation !== "recall") return null;
  const callId =
    textIn(record, "tool_call_metadata", "tool_call_id") ?? `event-${String(fieldAt(record, "cause"))}`;
  const content = textAt(record, "content") ?? "";
  const host = restOf(record, "content", "tool_call_metadata");
  if (calls.has(callId))
    return { role: "tool", tool_call_id: callId, content, is_error: isFailed(record, observation), host };
  const more = observation === "recall" ? [{ type: "recall", extras: fieldAt(record, "extras") }] : [];
  return { role: "custom", content: [...textBlocks(content), ...more], host };
}

function isFailed(record: unknown, observation: string): boolean {
  return observation === "error" || fieldAt(record, "success") === false;
}

function textBlocks(text: string): object[] {
  return text === "" ? [] : [{ type: "text", text }];
}

function imageBlock(url: unknown): object {
  return { type: "image_url", image_url: { url } };
}
