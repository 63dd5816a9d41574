/**
 * One reader for the messages of every family: Anthropic, OpenAI chat and Responses, AI SDK, pi, and our own.
 * The format is detected from the shape. Strict reading rejects anything that does not fit and names the place.
 * Lenient reading never throws: content that does not fit becomes an `other` part. Parts are not stored but
 * read from the original whenever they are needed.
 */
import { normaliseTimestamp } from "../text/timestamps.ts";
import type { Part, Role } from "../types.ts";
import { type Block, isBlock, Misfit, type Reading, readFitting, textOf } from "./block.ts";
import { responseItemFor } from "./read-response-item.ts";
import { readRoleParts } from "./read-role.ts";

export { countPartTokens, indexParts, textOfParts } from "./part-views.ts";

export interface MessageShape {
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly id: string | null;
  readonly createdAt: string | null;
}

const ROLE_NAMES: ReadonlyMap<unknown, Role> = new Map<unknown, Role>([
  ["system", "system"],
  ["developer", "system"],
  ["user", "user"],
  ["assistant", "assistant"],
  ["tool", "tool"],
  ["function", "tool"],
  ["toolResult", "tool"],
  ["bashExecution", "tool"],
  ["custom", "user"],
  ["hookMessage", "user"],
  ["branchSummary", "user"],
  ["compactionSummary", "user"],
]);

/** Whether a message may declare this role. */
export function isKnownRole(role: unknown): boolean {
  return ROLE_NAMES.has(role);
}

const TIME_FIELDS = ["createdAt", "created_at", "timestamp", "ts"] as const;

/** `place` is how errors name the message, e.g. `messages[0]`. */
export function readMessage(value: unknown, mode: "strict" | "lenient", place = "message"): MessageShape {
  const { role, parts } = readShape(value, { strict: mode === "strict", place });
  if (!isBlock(value)) return { role, parts, id: null, createdAt: null };
  return { role, parts, id: idOf(value), createdAt: createdAtOf(value) };
}

/** Only the parts, read leniently. */
export function readPartsOf(value: unknown): readonly Part[] {
  return readShape(value, { strict: false, place: "message" }).parts;
}

type SpokenParts = Pick<MessageShape, "role" | "parts">;

function readNothing(value: unknown, reading: Reading): SpokenParts {
  const parts = readFitting(reading, "", null, value, () => {
    throw new Misfit("", value, "an object with a role and content");
  });
  return { role: "user", parts };
}

function readShape(message: unknown, reading: Reading): SpokenParts {
  if (!isBlock(message)) return readNothing(message, reading);
  const role = ROLE_NAMES.get(message.role);
  const hasContent = message.content !== undefined || message.parts !== undefined;
  const item = role !== undefined && hasContent ? undefined : responseItemFor(message.type);
  if (item !== undefined)
    return { role: role ?? item.role, parts: readFitting(reading, "", null, message, item.read) };
  if (role === undefined) return readWithoutRole(message, reading);
  const parts = readRoleParts(message, reading);
  // Anthropic's tool results are sent in user messages; no person wrote them.
  return { role: role === "user" && parts.some(isResult) ? "tool" : role, parts };
}

function isResult(part: Part): boolean {
  return part.type === "tool" && part.input === null;
}

function readWithoutRole(message: Block, reading: Reading): SpokenParts {
  if (!reading.strict && (message.content !== undefined || message.parts !== undefined))
    return { role: "user", parts: readRoleParts(message, reading) };
  const parts = readFitting(reading, "", null, message, () => {
    throw new Misfit(
      ".role",
      message.role,
      `one of ${[...ROLE_NAMES.keys()].join(", ")}, or an item of the Responses API with its type`,
    );
  });
  return { role: "user", parts };
}

function idOf(message: Block): string | null {
  // An empty id identifies nothing; as a key it would make different messages equal.
  return textOf(message.id) || null;
}

function createdAtOf(message: Block): string | null {
  for (const field of TIME_FIELDS) {
    const value = message[field];
    const time = value === undefined ? undefined : normaliseTimestamp(value);
    if (time !== undefined) return time;
  }
  return null;
}
