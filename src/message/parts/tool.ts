import { HIDDEN } from "../../text/credentials/credential-words.ts";
import { hideCredentials } from "../../text/credentials/hide-credentials.ts";
import { shownPath, shownTool } from "../../text/credentials/names-in-references.ts";
import { namesCredential } from "../../text/credentials/safe-to-show.ts";
import { quoteName } from "../../text/quote-text.ts";
import type { PartOf, ToolStatus } from "../../types.ts";
import { type Block, Misfit, optionalText, requireText } from "../block.ts";
import { dataText } from "../read-tool-output.ts";
import { isPathArgument, readArguments } from "../tool-arguments.ts";
import { hideInText, NO_WORDS, type PartDefinition } from "./part-definition.ts";

type ToolPart = PartOf<"tool">;

/**
 * Calls and results are summarised and sent together, so those stages do not use this definition: see
 * `compact/render-source-part.ts`, `compact/offline/tool-event.ts` and `assemble/wire/read-part-pieces.ts`.
 */
export const toolDefinition: PartDefinition<ToolPart> = {
  ...NO_WORDS,
  read: readTool,
  searchable: ({ name, input, output }) => [name, unescaped(input), unescaped(output)],
  seenByModel: ({ name, input, output }) => [name, input, output],
  texts: textsOfTool,
  cut: cutTool,
  withoutCredentials: (part) => ({
    ...part,
    name: shownTool(part.name),
    input: part.input === null ? null : hideInArguments(part.input),
    output: hideInText(part.output),
  }),
};

function readTool(block: Block): readonly ToolPart[] {
  const callId = requireText(block, "callId", "the id of the tool call as a string");
  const error = optionalText(block, "error");
  const answer = optionalText(block, "output") ?? error;
  optionalText(block, "title");
  const isCall = answer === null || (block.input !== undefined && block.input !== null);
  const name = isCall ? requireText(block, "name", "the name of the tool as a string") : null;
  const status = statusOf(block, answer, error);
  const isDone = status === "completed" || status === "error";
  return [
    {
      type: "tool",
      callId,
      name: name ?? optionalText(block, "name"),
      status,
      input: isCall ? dataText(block.input) : null,
      output: isDone ? (answer ?? "") : answer,
    },
  ];
}

function statusOf(block: Block, answer: string | null, error: string | null): ToolStatus {
  const { status } = block;
  if (status === "pending" || status === "running" || status === "completed" || status === "error")
    return status;
  if (status !== undefined && status !== null)
    throw new Misfit(".status", status, "pending, running, completed or error");
  if (error !== null) return "error";
  return answer === null ? "pending" : "completed";
}

function textsOfTool({ name, status, input, output }: ToolPart) {
  const quoted = name === null ? "a tool" : quoteName(name);
  const call = { label: [`calls ${quoted}`], text: input ?? "" };
  if (output === null) return [call];
  const answer = { label: [`${status === "error" ? "error" : "answer"} of ${quoted}`], text: output };
  return input === null ? [answer] : [call, answer];
}

function cutTool(part: ToolPart, room: number): ToolPart {
  const { input, output } = part;
  const left = room - (input?.length ?? 0);
  return {
    ...part,
    input: input?.slice(0, room) ?? null,
    output: left > 0 || input === null ? (output?.slice(0, left) ?? null) : null,
  };
}

/** JSON text without its escapes: in `{"text":"one\ntwo"}` the second word is `two`, not `ntwo`. */
function unescaped(text: string | null): string | null {
  if (text === null || !text.includes("\\") || !isJson(text)) return text;
  return text.replace(/\\(u[0-9a-fA-F]{4}|.)/g, (escaped) => String(JSON.parse(`"${escaped}"`)));
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Result is JSON again: other readers search it for a path or a command. */
function hideInArguments(input: string): string {
  const fields = readArguments(input);
  if (fields === undefined) return hideCredentials(input);
  return JSON.stringify(Object.fromEntries(fields.map(([name, value]) => [name, hideInValue(name, value)])));
}

function hideInValue(name: string, value: unknown): unknown {
  if (typeof value === "string") {
    if (namesCredential(name)) return HIDDEN;
    return isPathArgument(name) && !value.includes("://") ? shownPath(value) : hideCredentials(value);
  }
  if (Array.isArray(value)) return value.map((item) => hideInValue(name, item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, hideInValue(key, inside)]));
}
