/** What we use of OpenClaw's plugin SDK, version 2026.9. The host supplies these modules; it is not a dependency. */

declare module "openclaw/plugin-sdk/core" {
  /** The memory sections of the system prompt, as the host has prepared them for this run. */
  export const buildMemorySystemPromptAddition: import("./types.ts").HostSdk["buildMemorySystemPromptAddition"];
}

declare module "openclaw/plugin-sdk/session-transcript-runtime" {
  /** The messages on the active path of a session's transcript, after a cursor. */
  export const readSessionTranscriptVisibleMessageDelta: import("./types.ts").HostSdk["readSessionTranscriptVisibleMessageDelta"];
  /** Everything in a session's transcript, after a cursor. */
  export const readSessionTranscriptRawDelta: import("./types.ts").HostSdk["readSessionTranscriptRawDelta"];
}
