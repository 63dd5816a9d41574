/**
 * The main types. A conversation is one stream of messages; a message is immutable and keeps its exact original;
 * its parts describe its content. The rest of the code uses these terms.
 */

export const ROLES = ["system", "user", "assistant", "tool"] as const;
export type Role = (typeof ROLES)[number];

/** The owner of a conversation. Both default to `default`; every read and write happens within one scope. */
export interface Scope {
  readonly tenant: string;
  readonly agent: string;
}

export const DEFAULT_SCOPE: Scope = { tenant: "default", agent: "default" };

/**
 * How callers name a conversation: its id (`conv_…`), a session id, or a session id with the stable key
 * under which the host will come back after a restart.
 */
export type ConversationRef = string | { readonly sessionId: string; readonly sessionKey?: string };

/** Where a conversation takes place, as reported by its host. Null if it is not reported. */
export interface HostContext {
  /** The host's name, such as `claude-code`. */
  readonly host: string | null;
  /** The folder in which the session was started. */
  readonly project: string | null;
  /** The git branch and the model that were used last. */
  readonly branch: string | null;
  readonly model: string | null;
  /** Id of the parent conversation, which may have been deleted. */
  readonly parent: string | null;
  /** `fork`: continues from a point in its parent. `child`: a sub-agent that its parent started. */
  readonly relation: Relation | null;
}

export const RELATIONS = ["fork", "child"] as const;
export type Relation = (typeof RELATIONS)[number];

export interface Conversation extends HostContext {
  /** `conv_` and 16 hex digits; does not change on export, merge, or a move to another engine. */
  readonly id: string;
  readonly sessionId: string;
  readonly sessionKey: string | null;
  readonly title: string | null;
  /** True if the title was derived from messages, so that erasing removes it too; false if a person or host set it. */
  readonly titleIsAutomatic: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archivedAt: string | null;
  /** Highest `seq` that was assigned, including erased messages. */
  readonly messageCount: number;
  readonly tokenCount: number;
  /** Hash of the newest message: the head of the chain. Empty before the first message. */
  readonly headHash: string;
  /** Number of items in the context, and their tokens. */
  readonly contextItems: number;
  readonly contextTokens: number;
  /** The same tokens if every long tool result were shown as a stub. */
  readonly contextStubTokens: number;
}

/** How a summary was written: by a model, by a model asked for a shorter one, offline, or by truncation. */
export const SUMMARY_QUALITIES = ["normal", "aggressive", "extractive", "fallback"] as const;
export type SummaryQuality = (typeof SUMMARY_QUALITIES)[number];

/**
 * A node of the summary graph: a leaf covers messages, a condensed one covers summaries of one depth.
 * `store/tables/summary-fields.ts` says how it is stored.
 */
export interface Summary {
  /** `sum_` and 16 hex digits. */
  readonly id: string;
  readonly conversation: string;
  readonly kind: "leaf" | "condensed";
  /** 0 for a leaf, else one more than its sources. */
  readonly depth: number;
  /** Null once a source has been erased. */
  readonly content: string | null;
  readonly tokenCount: number;
  readonly quality: SummaryQuality;
  readonly model: string | null;
  /** First and last message it covers, at any depth, and their times. */
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly earliestAt: string;
  readonly latestAt: string;
  /** Messages it covers, and their tokens. */
  readonly messageCount: number;
  readonly sourceTokenCount: number;
  /** Summaries below it, at any depth, and their tokens. */
  readonly descendantCount: number;
  readonly descendantTokenCount: number;
  readonly fileIds: readonly string[];
  /** Weighted share of the source's anchors that it contains, 0 to 1; null if it was not measured. */
  readonly fidelity: number | null;
  /** Root over the hashes of its sources. */
  readonly merkleRoot: string;
  /** SHA-256 of its text; null once the text is erased, because a short text could be guessed from its hash. */
  readonly contentHash: string | null;
  readonly createdAt: string;
}

/** Why a stored message is not in the context that the model sees. */
export const EXCLUSION_REASONS = [
  "reset",
  "heartbeat",
  "branch",
  "injected",
  "host-summary",
  "erased",
] as const;
export type ExclusionReason = (typeof EXCLUSION_REASONS)[number];

/** False for text that we put into a host's context and for summaries that a host wrote: no search or memory uses these. */
export function isSaid(excluded: ExclusionReason | null): boolean {
  return excluded !== "injected" && excluded !== "host-summary";
}

export interface Message {
  /** `msg_` + the conversation's 16 hex digits + `_` + seq. */
  readonly id: string;
  readonly conversation: string;
  readonly seq: number;
  readonly key: string;
  readonly role: Role;
  readonly format: MessageFormat;
  readonly createdAt: string;
  readonly tokenCount: number;
  /** The exact original: the JSON text of what was committed, or the transcript's line; bytes when it is not valid text; null once erased. */
  readonly original: string | Uint8Array | null;
  /** The message object as the host passed it. Undefined once erased. */
  readonly value: unknown;
  readonly parts: readonly Part[];
  readonly excluded: ExclusionReason | null;
  readonly erasedAt: string | null;
  readonly hash: string;
  /** Set if the content does not match its hash because the store is damaged; see `lcm verify`. */
  readonly damaged?: true;
}

/**
 * How `original` wraps the message: `message` is the JSON of an API message as received; `message+binary` the
 * same with binary values tagged; the others are whole lines of a host's transcript.
 */
export const MESSAGE_FORMATS = [
  "message",
  "message+binary",
  "claude-code",
  "codex",
  "codex-legacy",
  "copilot-cli",
  "pi",
  "neutral",
] as const;
export type MessageFormat = (typeof MESSAGE_FORMATS)[number];

/** Files of whole sessions that are imported entry by entry. Their messages are kept as lines of the format `pi`. */
export const DOCUMENT_FORMATS = [
  "opencode",
  "lossless-claw",
  "gemini-cli",
  "openhands",
  "swe-agent",
  "chatgpt",
  "claude-ai",
] as const;
export type DocumentFormatName = (typeof DOCUMENT_FORMATS)[number];

/** The types of parts of a message; `other` is a block of an unknown type. `message/parts` defines each. */
export const PART_TYPES = [
  "text",
  "reasoning",
  "tool",
  "patch",
  "file",
  "subtask",
  "compaction",
  "step_start",
  "step_finish",
  "snapshot",
  "agent",
  "retry",
  "failure",
  "other",
] as const;
export type PartType = (typeof PART_TYPES)[number];

export type ToolStatus = "pending" | "running" | "completed" | "error";

/** What a message contains, read from its original. The store indexes only types, tools and call ids, and keeps no second copy. */
export type Part =
  | { readonly type: "text"; readonly text: string; readonly synthetic?: true }
  | { readonly type: "reasoning"; readonly text: string }
  | {
      readonly type: "tool";
      readonly callId: string | null;
      readonly name: string | null;
      readonly status: ToolStatus;
      /** Arguments of the call, as JSON text or as the text the model wrote. Null on a result. */
      readonly input: string | null;
      /** Result of the tool. Null on a call. */
      readonly output: string | null;
    }
  | { readonly type: "patch"; readonly hash: string | null; readonly files: readonly string[] }
  | {
      readonly type: "file";
      readonly mime: string | null;
      readonly name: string | null;
      readonly url: string | null;
    }
  | {
      readonly type: "subtask";
      readonly prompt: string;
      readonly description: string | null;
      readonly agent: string | null;
    }
  | { readonly type: "compaction"; readonly auto: boolean; readonly text: string }
  | { readonly type: "step_start" }
  | { readonly type: "step_finish"; readonly reason: string | null }
  | { readonly type: "snapshot"; readonly hash: string | null }
  | { readonly type: "agent"; readonly name: string | null }
  | { readonly type: "retry"; readonly attempt: number | null; readonly error: string | null }
  /** The model call failed, before or during its answer. */
  | { readonly type: "failure"; readonly error: string }
  | { readonly type: "other"; readonly blockType: string; readonly text: string };
export type PartOf<Type extends PartType> = Extract<Part, { type: Type }>;

/** Milliseconds since the epoch. Injected, so that tests own time. */
export type Clock = () => number;

/** Random bytes. Injected, so that tests own ids and salts. */
export type RandomBytes = (size: number) => Uint8Array;
