/**
 * Claude Code's transcript: a tree of lines by `uuid` and `parentUuid`. One model response is written as several
 * `assistant` lines with the same `message.id`, and the parent of each tool result is the line of its own call.
 *
 * Messages are the lines whose text reached the model: `user`, `assistant`, the output of local commands, and
 * attachments that carry text. Everything else (progress, titles, snapshots, hook bookkeeping) is an event.
 */
import { basename, dirname } from "node:path";
import { withoutOwnText } from "../own-text.ts";
import { attachmentMessage } from "./claude-code-attachments.ts";
import { fieldAt, firstText, idsInBlocks, isObject, listAt, textAt, timeAt } from "./json-fields.ts";
import { fileStem, uuidStem } from "./session-names.ts";
import type { Entry, SessionParent, TranscriptFormat, TranscriptSession } from "./transcript-format.ts";

const TREE_TYPES = ["user", "assistant", "system", "attachment", "progress"];
const AGENT_FILE = /^agent-(.+)$/;

export const claudeCode: TranscriptFormat = {
  name: "claude-code",
  label: "Claude Code",
  host: "claude-code",
  tree: true,
  recognises: (lines) => lines.some(isClaudeCodeLine),
  session: (lines, path) => ({
    sessionId: uuidStem(path) ?? firstSessionId(lines) ?? fileStem(path),
    ...titleIn(lines),
    parent: forkedFrom(lines),
  }),
  readEntry,
  unwrap,
};

/** A sub-agent's own file: every line is a sidechain, and that sidechain is the conversation. */
export const claudeCodeSubagent: TranscriptFormat = {
  ...claudeCode,
  label: "Claude Code subagent",
  recognises: (lines) => {
    const conversation = lines.filter((line) => typeof fieldAt(line, "isSidechain") === "boolean");
    return conversation.length > 0 && conversation.every(isSubagentLine);
  },
  session: subagentSession,
  readEntry: (value) => ({ ...readEntry(value), sidechain: false }),
};

function isClaudeCodeLine(line: unknown): boolean {
  const type = textAt(line, "type");
  if (type === null || fieldAt(line, "payload") !== undefined) return false;
  if (TREE_TYPES.includes(type) && textAt(line, "uuid") !== null) return true;
  if (type === "file-history-snapshot") return textAt(line, "messageId") !== null;
  if (type === "summary") return textAt(line, "leafUuid") !== null;
  return textAt(line, "sessionId") !== null;
}

function isSubagentLine(line: unknown): boolean {
  return isClaudeCodeLine(line) && fieldAt(line, "isSidechain") === true && textAt(line, "agentId") !== null;
}

/** Lines of a sub-agent have the session id of the parent agent, so the sub-agent's own id is added. */
function subagentSession(lines: readonly unknown[], path: string): TranscriptSession {
  const folder = dirname(path.replaceAll("\\", "/"));
  const parent = basename(folder) === "subagents" ? basename(dirname(folder)) : null;
  const session = parent ?? firstSessionId(lines) ?? fileStem(path);
  const agent =
    AGENT_FILE.exec(fileStem(path))?.[1] ?? firstText(lines.map((line) => textAt(line, "agentId")));
  return {
    sessionId: `${session}:${agent ?? fileStem(path)}`,
    title: null,
    parent: { sessionId: session, relation: "child" },
  };
}

/** A fork begins with lines of its origin, under the same ids, but does not name the origin. */
function forkedFrom(lines: readonly unknown[]): SessionParent | null {
  const first = lines.find((line) => readEntry(line).kind === "message");
  const entryKey = textAt(first, "uuid");
  return entryKey === null ? null : { entryKey, relation: "fork" };
}

function firstSessionId(lines: readonly unknown[]): string | null {
  return firstText(lines.map((line) => textAt(line, "sessionId")));
}

/** `summary` lines are left out: at the head of a file they name other sessions of the same project. */
function titleIn(lines: readonly unknown[]): Pick<TranscriptSession, "title" | "titleIsAutomatic"> {
  const newestFirst = lines.toReversed();
  const given = firstText(newestFirst.map((line) => textAt(line, "customTitle")));
  if (given !== null) return { title: given };
  const made = firstText(newestFirst.map((line) => textAt(line, "aiTitle")));
  return made === null ? { title: null } : { title: made, titleIsAutomatic: true };
}

function readEntry(value: unknown): Entry {
  const type = textAt(value, "type");
  const blocks = listAt(fieldAt(value, "message"), "content");
  return {
    kind: isMessage(value) ? "message" : "event",
    entryKey: textAt(value, "uuid"),
    parentKey: parentOf(value),
    response: type === "assistant" ? responseOf(value) : null,
    toolCalls: type === "assistant" ? idsInBlocks(blocks, ["tool_use"], "id") : [],
    toolResults: type === "user" ? idsInBlocks(blocks, ["tool_result"], "tool_use_id") : [],
    sidechain: fieldAt(value, "isSidechain") === true,
    injected: isInjected(value),
    createdAt: timeAt(value, "timestamp"),
    context: {
      project: textAt(value, "cwd"),
      branch: textAt(value, "gitBranch"),
      model: type === "assistant" ? modelOf(value) : null,
    },
  };
}

/** Responses that the host itself generated name no model. */
function modelOf(value: unknown): string | null {
  const model = textAt(fieldAt(value, "message"), "model");
  return model === "<synthetic>" ? null : model;
}

function isMessage(value: unknown): boolean {
  const type = textAt(value, "type");
  // A summary by the host's own compaction repeats stored messages.
  if (fieldAt(value, "isCompactSummary") === true) return false;
  if (type === "user" && repeatsHook(fieldAt(fieldAt(value, "message"), "content"))) return false;
  if (type === "user" || type === "assistant") return isObject(fieldAt(value, "message"));
  if (type === "attachment") return attachmentMessage(fieldAt(value, "attachment")) !== undefined;
  return isLocalCommand(value);
}

/** The output of a slash command is sent to the model as a user message, although its line is a `system` line. */
function isLocalCommand(value: unknown): boolean {
  const isOutput = textAt(value, "type") === "system" && textAt(value, "subtype") === "local_command";
  const text = isOutput ? textAt(value, "content") : null;
  return text !== null && !repeatsHook(text);
}

/** `/compact` prints the instructions of our hook for the summariser. They are not part of the conversation. */
function repeatsHook(content: unknown): boolean {
  if (typeof content !== "string" || !content.startsWith("<local-command-stdout>")) return false;
  return withoutOwnText(content) !== content;
}

function isInjected(value: unknown): boolean {
  const type = textAt(value, "type");
  if (type === "attachment" || type === "system") return true;
  return (
    type === "user" && (fieldAt(value, "isMeta") === true || fieldAt(value, "isCompactSummary") === true)
  );
}

/**
 * At a compaction the host cuts its own chain: the boundary has no parent, only a logical one, which may be
 * missing from the file. Old versions name none. A line that names itself as its parent follows the line
 * before it, so a compaction by the host never removes the history from the conversation.
 */
function parentOf(value: unknown): string | null {
  const parent = textAt(value, "parentUuid") ?? textAt(value, "logicalParentUuid");
  return parent ?? (isCompaction(value) ? textAt(value, "uuid") : null);
}

function isCompaction(value: unknown): boolean {
  return fieldAt(value, "isCompactSummary") === true || textAt(value, "subtype") === "compact_boundary";
}

function responseOf(value: unknown): string | null {
  return textAt(fieldAt(value, "message"), "id") ?? textAt(value, "requestId") ?? textAt(value, "uuid");
}

function unwrap(value: unknown): unknown {
  if (textAt(value, "type") === "attachment") return attachmentMessage(fieldAt(value, "attachment"));
  if (isLocalCommand(value)) return { role: "user", content: fieldAt(value, "content") };
  return fieldAt(value, "message");
}
