/** Events of our plugin for OpenCode, under the names of Claude Code's. All sessions are in one database. */
import { sessionDatabases } from "../../config/host-folders.ts";
import type { HookAnswer, HookEvent, HookFront } from "../hook-event.ts";
import * as claudeCode from "./claude-code.ts";
import { textOf } from "./fields.ts";

export const opencode: HookFront = { name: "opencode", replacesResults: true, read, write };

/** A prompt is not in the database yet, and earlier messages are not waited for. */
function read(given: unknown): HookEvent | null {
  const isPrompt = textOf(given, "hook_event_name") === "UserPromptSubmit";
  const { opencode: database = null } = sessionDatabases();
  return claudeCode.read({ ...Object(given), transcript_path: isPrompt ? null : database });
}

function write(answer: HookAnswer): string {
  return Object.keys(answer).length === 0 ? "" : JSON.stringify(answer);
}
