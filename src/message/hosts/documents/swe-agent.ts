/**
 * Trajectories of SWE-agent and mini-SWE-agent: one JSON document a run. `history` (or `messages`) contains the messages to
 * and from the model; the steps of `trajectory` repeat them with times and states, and are events. A run has no id:
 * its session is named after the file and the beginning of the run.
 */
import { sha256 } from "../../../text/bytes.ts";
import { fieldAt, isObject, listAt, textAt } from "../json-fields.ts";
import { fileStem } from "../session-names.ts";
import {
  type DocumentEntry,
  type DocumentFormat,
  type DocumentSession,
  restOf,
  sessionForEach,
  textIn,
  timeOf,
} from "./document-format.ts";

export const sweAgent: DocumentFormat = {
  name: "swe-agent",
  label: "SWE-agent",
  recognises: (lines, start) =>
    lines.some(isRun) ||
    /^\s*\{\s*("environment"\s*:\s*"[^"]*"\s*,\s*)?"(trajectory|trajectory_format)"\s*:/.test(start),
  sessions: sessionForEach("SWE-agent", isRun, sessionOf),
};

function isRun(value: unknown): boolean {
  return Array.isArray(fieldAt(value, "trajectory")) || textAt(value, "trajectory_format") !== null;
}

function sessionOf(run: unknown, path: string): DocumentSession {
  const steps = listAt(run, "trajectory");
  const history = [listAt(run, "history"), listAt(run, "messages")].find((list) => list.length > 0);
  const told = history ?? steps.flatMap(messagesOfStep);
  const config = configOf(run);
  const begun = sha256(JSON.stringify([fieldAt(run, "environment"), config, ...told.slice(0, 2)])).slice(
    0,
    12,
  );
  const name = textIn(config, "problem_statement", "id") ?? fileStem(path).replace(/\.traj$/, "");
  const model =
    textIn(config, "agent", "model", "name") ?? textIn(run, "info", "config", "model", "model_name");
  return {
    sessionId: `${name}-${begun}`,
    title: name,
    titleIsAutomatic: false,
    hostContext: { host: "swe-agent", model, project: textIn(steps[0], "state", "working_dir") },
    entries: [
      { id: "run", event: restOf(run, "trajectory", "history", "messages") },
      ...told.map(entryOf),
      ...steps.map((step, index) => ({ id: `step-${index}`, event: restOf(step, "messages", "query") })),
    ],
  };
}

/** Some versions write it as JSON text. */
function configOf(run: unknown): unknown {
  const config = fieldAt(run, "replay_config");
  if (typeof config !== "string") return config;
  try {
    return JSON.parse(config);
  } catch {
    return config;
  }
}

/** Early versions have no history. */
function messagesOfStep(step: unknown): object[] {
  const answer = textAt(step, "response") ?? textAt(step, "thought") ?? "";
  return [
    { role: "assistant", content: answer, action: textAt(step, "action") },
    { role: "user", content: textAt(step, "observation") ?? "" },
  ];
}

function entryOf(record: unknown, index: number): DocumentEntry {
  const time = fieldAt(fieldAt(record, "extra"), "timestamp");
  return {
    id: `message-${index}`,
    parentId: index === 0 ? null : `message-${index - 1}`,
    ...timeOf(null),
    ...(typeof time === "number" ? { createdAt: time } : {}),
    message: isObject(record) ? messageOf(record) : { role: "custom", content: [{ type: "entry", record }] },
  };
}

/** In pi's lines the role `system` is reserved for pi's own prompt. Here, results name their calls in a list. */
function messageOf(record: unknown): object {
  const role = textAt(record, "role");
  if (role === "system") return { ...restOf(record), role: "developer" };
  const [call] = listAt(record, "tool_call_ids");
  const isNamed = textAt(record, "tool_call_id") !== null;
  if (role !== "tool" || isNamed || typeof call !== "string") return restOf(record);
  return { ...restOf(record), tool_call_id: call };
}
