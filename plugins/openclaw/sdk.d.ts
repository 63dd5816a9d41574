/** What we use of OpenClaw's plugin SDK, version 2026.9. The host supplies these modules; it is not a dependency. */

declare module "openclaw/plugin-sdk/core" {
  /** The memory sections of the system prompt, as the host has prepared them for this run. */
  export function buildMemorySystemPromptAddition(params: {
    readonly availableTools: ReadonlySet<string>;
    readonly citationsMode?: unknown;
    readonly agentSessionKey?: string;
  }): string | undefined;
}

declare module "openclaw/plugin-sdk/session-transcript-runtime" {
  import type { RawPage, SessionTarget, VisiblePage } from "./types.ts";

  /** The messages on the active path of a session's transcript, after a cursor. */
  export function readSessionTranscriptVisibleMessageDelta(
    params: SessionTarget & { readonly cursor?: string },
  ): Promise<VisiblePage>;

  /** Everything in a session's transcript, after a cursor. */
  export function readSessionTranscriptRawDelta(
    params: SessionTarget & { readonly cursor?: string },
  ): Promise<RawPage>;
}
