/** The hosts whose hooks are supported. */
import type { HookFront } from "../hook-event.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";

export const HOOK_FRONTS: readonly HookFront[] = [claudeCode, codex, gemini, opencode, copilot];
