/** Hooks of Gemini CLI: those of Claude Code under other names, as commands. Its summariser takes no instructions. */
import type { HookFront } from "../hook-event.ts";
import * as claudeCode from "./claude-code.ts";
import { textOf } from "./fields.ts";

/** It calls PreCompress before every model call, and compresses only if necessary. */
const EVENTS: Readonly<Record<string, string>> = {
  SessionStart: "SessionStart",
  BeforeAgent: "UserPromptSubmit",
  AfterAgent: "Stop",
  SessionEnd: "SessionEnd",
};

export const gemini: HookFront = {
  name: "gemini",
  replacesResults: false,
  read: (given) => {
    const event = EVENTS[textOf(given, "hook_event_name") ?? ""];
    return event === undefined ? null : claudeCode.read({ ...Object(given), hook_event_name: event });
  },
  write: ({ context }, given) => (context === undefined ? "" : claudeCode.write({ context }, given)),
};
