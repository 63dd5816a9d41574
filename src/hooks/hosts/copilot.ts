/**
 * Hooks of Copilot CLI, as commands. With the event names of Claude Code it sends nearly the same fields, without the
 * transcript for some events and without ids of tool calls. Its summariser takes no instructions, and after a compaction it
 * calls no hook, so the digest comes with the next prompt.
 */
import path from "node:path";
import { transcriptFolders } from "../../config/host-folders.ts";
import type { HookAnswer, HookFront } from "../hook-event.ts";
import * as claudeCode from "./claude-code.ts";
import { textOf } from "./fields.ts";

export const copilot: HookFront = { name: "copilot", replacesResults: true, read, write };

function read(given: unknown) {
  const session = textOf(given, "session_id") ?? "";
  const { copilot: folder = "" } = transcriptFolders();
  const transcript = textOf(given, "transcript_path") ?? path.join(folder, session, "events.jsonl");
  // A session runs one call after another, or several of them that end at different times.
  const call = `${session}:${textOf(given, "timestamp") ?? ""}:${textOf(given, "tool_name") ?? ""}`;
  return claudeCode.read({
    ...Object(given),
    ...{ transcript_path: transcript, tool_use_id: call, tool_response: Object(given).tool_result },
  });
}

function write({ context, toolResult }: HookAnswer): string {
  if (context === undefined && toolResult === undefined) return "";
  const { text_result_for_llm: text, result_type: type = "success" } = Object(toolResult);
  return JSON.stringify({
    ...(context === undefined ? {} : { additionalContext: context }),
    ...(text === undefined ? {} : { modifiedResult: { resultType: type, textResultForLlm: text } }),
  });
}
