/** What hosts tell by their hooks, and what they are told in return, in one form for all of them. */

export interface HookSession {
  /** The conversation's session id: of a sub-agent, `<session>:<agent>`. */
  readonly sessionId: string;
  /** The file that the host writes the session to. Null while the host has not named one. */
  readonly transcript: string | null;
}

export interface ToolResult {
  readonly name: string;
  readonly callId: string;
  /** As the host gives it: text, or an object with text in it. */
  readonly response: unknown;
}

export type HookEvent = HookSession &
  (
    | { readonly kind: "start" | "turn-end" | "agent-end" | "end" }
    | { readonly kind: "prompt"; readonly prompt: string }
    | { readonly kind: "tool"; readonly tool: ToolResult }
    | { readonly kind: "before-compaction" }
    | { readonly kind: "after-compaction" }
  );

export interface HookAnswer {
  /** For the model, fenced. */
  readonly context?: string;
  /** For whoever writes the host's summary. */
  readonly instructions?: string;
  /** In the place of the tool's result, in the shape in which it came. */
  readonly toolResult?: unknown;
}

/** How one host writes its events and wants its answers. Neither throws: what is not known gives null, or nothing. */
export interface HookFront {
  readonly name: string;
  /** Whether a long result of a tool can be replaced before the model reads it. */
  readonly replacesResults: boolean;
  read(given: unknown): HookEvent | null;
  /** What the host reads, empty when there is nothing to say. */
  write(answer: HookAnswer, given: unknown): string;
}
