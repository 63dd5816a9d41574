/** Types of the calls between hosts and the bridge. Types of a particular host never leave its plugin. */
import type { Complete } from "../model/complete.ts";

/** A host's session. `sessionKey` names it across restarts, if the host has such a key. */
export interface HostSession {
  readonly sessionId: string;
  readonly sessionKey?: string;
}

/**
 * A change of a session. `new`: the context starts empty in the same conversation. `reset`: the next turn opens another
 * conversation. `fork` and `child`: this session comes from `from`, as a fork or as a sub-agent. `resume`: it continues.
 */
export type SessionChange =
  | { readonly reason: "new" | "reset" | "resume" }
  | { readonly reason: "fork" | "child"; readonly from: HostSession };

/** A summary, to be made into a message of the host's own kind. `at` never changes. */
export interface HostSummary {
  readonly id: string;
  readonly text: string;
  readonly at: string;
}

export interface AssembleForHost<Message extends object> {
  /** Tokens that the messages may take: the window without the answer, the system prompt and the tools. */
  readonly budget: number;
  /** The messages that the host would send without us. */
  readonly own: readonly Message[];
  /** Messages of the running turn that are not stored yet. Default: none. */
  readonly pending?: readonly Message[];
  /** The next prompt, for recalling memories. Default: none are recalled. */
  readonly prompt?: string;
  readonly summary: (summary: HostSummary) => Message;
  /** Writes summaries. Default: the configured model, else none. */
  readonly model?: Complete;
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** For hosts that pass the whole conversation with each call. */
export interface PresentForHost<Message extends object>
  extends Omit<AssembleForHost<Message>, "own" | "pending"> {
  /** Everything that the host shows, oldest first, without system messages. `key` is the host's id of a message. */
  readonly view: readonly HostEntry<Message>[];
}

export interface HostEntry<Message extends object> {
  readonly message: Message;
  readonly key?: string;
  /** `host`: a summary by the host of messages that it no longer shows. `left`: part of an abandoned branch. */
  readonly origin?: "said" | "left" | "host";
}

export interface HostContext<Message extends object> {
  /** `host`: the host's own messages, because nothing is stored yet or a call failed. */
  readonly from: "record" | "host";
  readonly messages: readonly Message[];
  /** For the system prompt: how to read summaries. Changes only when the first summary appears. */
  readonly addition: string | null;
  /** Memories relevant to the prompt, fenced; must be last. */
  readonly recalled: string | null;
  readonly tokens: number;
  /** Whether the call waited for a compaction. */
  readonly waited: boolean;
}

export interface CompactForHost {
  /** Tokens of the model's window. */
  readonly budget: number;
  /** The target in tokens. Default: as far as possible. */
  readonly untilUnder?: number;
  readonly instructions?: string;
  readonly model?: Complete;
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface CompactedForHost {
  readonly isCompacted: boolean;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Tokens of the context as assembled for this budget, which omits what does not fit. */
  readonly tokensShown: number;
  /** The text of the summaries in the context; null when there are none. */
  readonly summary: string | null;
}

export interface TendForHost {
  /** Tokens that the messages may take. */
  readonly budget: number;
  /** Writes summaries. Default: the configured model, else none. */
  readonly model?: Complete;
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal | undefined;
}
