/**
 * Hooks of Claude Code. An `mcp_tool` hook fills in fields by name, so a missing field is an empty text
 * and an object is JSON text; a command hook gets the same fields as one JSON object.
 */
import type { HookAnswer, HookEvent, HookFront, HookSession } from "../hook-event.ts";
import { jsonOf, textOf } from "./fields.ts";

export const claudeCode: HookFront = { name: "claude-code", replacesResults: true, read, write };

export function read(given: unknown): HookEvent | null {
  const session = sessionOf(given);
  if (session === null) return null;
  switch (textOf(given, "hook_event_name")) {
    case "SessionStart":
      return { ...session, kind: textOf(given, "source") === "compact" ? "after-compaction" : "start" };
    case "UserPromptSubmit":
      return { ...session, kind: "prompt", prompt: textOf(given, "prompt") ?? "" };
    case "PostToolUse":
      return { ...session, kind: "tool", tool: toolOf(given) };
    case "PreCompact":
      return { ...session, kind: "before-compaction" };
    case "Stop":
      return { ...session, kind: "turn-end" };
    case "SubagentStop":
      return agentEnd(given, session);
    case "SessionEnd":
      return { ...session, kind: "end" };
    default:
      return null;
  }
}

function sessionOf(given: unknown): HookSession | null {
  const session = textOf(given, "session_id");
  if (session === null) return null;
  const agent = textOf(given, "agent_id");
  const sessionId = agent === null ? session : `${session}:${agent}`;
  return { sessionId, transcript: textOf(given, "transcript_path") };
}

function toolOf(given: unknown) {
  return {
    name: textOf(given, "tool_name") ?? "",
    callId: textOf(given, "tool_use_id") ?? "",
    response: jsonOf(given, "tool_response"),
  };
}

/** The host's own summariser runs as an agent without a type. Its messages are not a conversation. */
function agentEnd(given: unknown, session: HookSession): HookEvent | null {
  const transcript = textOf(given, "agent_transcript_path");
  if (textOf(given, "agent_type") === null || transcript === null) return null;
  return { ...session, kind: "agent-end", transcript };
}

/** Before a compaction, plain text is added to the summariser's prompt; otherwise the host expects JSON. */
export function write({ context, instructions, toolResult }: HookAnswer, given: unknown): string {
  if (instructions !== undefined) return instructions;
  if (context === undefined && toolResult === undefined) return "";
  const hookSpecificOutput = {
    hookEventName: textOf(given, "hook_event_name"),
    ...(context === undefined ? {} : { additionalContext: context }),
    ...(toolResult === undefined ? {} : { updatedToolOutput: toolResult }),
  };
  return JSON.stringify({ hookSpecificOutput });
}
