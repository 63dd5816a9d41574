/**
 * Attachments of Claude Code that the model saw. The host turns most of them into user messages of the request:
 * hook output, edited files, nested instructions, reminders, words typed while the agent worked. They exist
 * nowhere else in the file, so leaving them out would lose what was said. Those of which the line carries no
 * words (the host makes the text up when it sends) and those the host keeps to itself stay events.
 */
import { withoutOwnText } from "../own-text.ts";
import { fieldAt, isObject, textAt } from "./json-fields.ts";

/** Shown to the person or kept for bookkeeping, never sent. */
const HIDDEN = new Set([
  "command_permissions",
  "dynamic_skill",
  "edited_image_file",
  "hook_cancelled",
  "hook_error_during_execution",
  "hook_non_blocking_error",
  "hook_permission_decision",
  "hook_system_message",
  "prompt_snapshot",
  "structured_output",
]);

/** Hooks whose plain output is given to the model. Other events give theirs as `hook_additional_context`. */
const HEARD_HOOKS = ["SessionStart", "UserPromptSubmit"];

/** Fields that hold words, at any depth. The others are settings, paths of programs, counts and copies. */
const WORD_FIELDS = [
  "prompt",
  "content",
  "text",
  "snippet",
  "message",
  "file",
  "plan",
  "planContent",
  "subject",
  "description",
  "response",
  "hookSpecificOutput",
  "additionalContext",
  "blockingError",
  "addedLines",
  "addedBlocks",
  "addedNames",
  "addedTypes",
  "removedNames",
  "removedTypes",
  "skills",
  "memories",
];

/** Real attachments nest four levels; this only keeps a hostile line from exhausting the stack. */
const DEEPEST = 12;

/** The message this attachment is to the model, or undefined when the line carries no words for it. */
export function attachmentMessage(attachment: unknown): object | undefined {
  if (!isSeen(attachment)) return undefined;
  const prompt = fieldAt(attachment, "prompt");
  if (isTyped(attachment) && Array.isArray(prompt)) return { role: "user", content: prompt };
  const words = wordsOf(attachment, 0);
  // What our own hooks gave to the model repeats what is on record.
  if (withoutOwnText(words.join("\n")).trim() === "") return undefined;
  if (isTyped(attachment)) return { role: "user", content: words.join("\n") };
  const text = [...about(attachment), ...words].join("\n");
  return { role: "user", parts: [{ type: "text", text, synthetic: true }] };
}

/** Words of the person, queued while the agent was at work. Notices of background tasks use the same queue. */
function isTyped(attachment: unknown): boolean {
  const mode = textAt(attachment, "commandMode") ?? "prompt";
  return textAt(attachment, "type") === "queued_command" && mode === "prompt";
}

function isSeen(attachment: unknown): boolean {
  const type = textAt(attachment, "type");
  if (type === null || HIDDEN.has(type)) return false;
  return type !== "hook_success" || HEARD_HOOKS.includes(textAt(attachment, "hookEvent") ?? "");
}

/** The file or the hook it is about: the host says so in the text it makes of it. */
function about(attachment: unknown): string[] {
  return [
    textAt(attachment, "filename") ?? textAt(attachment, "path") ?? textAt(attachment, "hookName"),
  ].filter((name) => name !== null);
}

function wordsOf(value: unknown, depth: number): string[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [value];
  if (depth > DEEPEST) return [];
  if (Array.isArray(value)) return value.flatMap((item) => wordsOf(item, depth + 1));
  if (!isObject(value)) return [];
  return WORD_FIELDS.flatMap((field) => wordsOf(fieldAt(value, field), depth + 1));
}
