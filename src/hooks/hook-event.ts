/** Events of host hooks and their responses, in one format for all hosts. */

export interface HookSession {
  /** The conversation's session id: of a sub-agent, `<session>:<agent>`. */
  readonly sessionId: string;
  /** The file that the host writes the session to. Null while the host has not named one. */
  readonly transcript: string | null;
}

export interface ToolResult {
  readonly name: string;
  readonly callId: string;
  /** As received from the host: text, or an object with text in it. */
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
  /** For the host's summariser. */
  readonly instructions?: string;
  /** Replaces the tool's result, in the same shape. */
  readonly toolResult?: unknown;
}

/** Parses one host's events and formats its responses. Neither throws: unknown events give null or an empty text. */
export interface HookFront {
  readonly name: string;
  /** Whether a long result of a tool can be replaced before the model reads it. */
  readonly replacesResults: boolean;
  read(given: unknown): HookEvent | null;
  /** The response for the host; may be empty. */
  write(answer: HookAnswer, given: unknown): string;
}
