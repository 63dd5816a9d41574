/**
 * Attachments of Claude Code that the model saw. The host turns most of them into user messages of the request:
 * hook output, edited files, nested instructions, reminders, messages typed while the agent worked. They appear
 * nowhere else in the file, so leaving them out would lose messages. Attachments whose line contains no text
 * (the host generates it when it sends) and attachments that the host does not send stay events.
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

/** Fields that contain text, at any depth. Other fields are settings, program paths, counts and copies. */
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

/** Real attachments nest four levels; the limit keeps a hostile line from exhausting the stack. */
const DEEPEST = 12;

/** The message that the model receives for this attachment, or undefined if the line has no text for it. */
export function attachmentMessage(attachment: unknown): object | undefined {
  if (!isSeen(attachment)) return undefined;
  const prompt = fieldAt(attachment, "prompt");
  if (isTyped(attachment) && Array.isArray(prompt)) return { role: "user", content: prompt };
  const words = wordsOf(attachment, 0);
  // Text that our own hooks gave to the model is already stored.
  if (withoutOwnText(words.join("\n")).trim() === "") return undefined;
  if (isTyped(attachment)) return { role: "user", content: words.join("\n") };
  const text = [...about(attachment), ...words].join("\n");
  return { role: "user", parts: [{ type: "text", text, synthetic: true }] };
}

/** Messages of the person, queued while the agent was working. Notices of background tasks use the same queue. */
function isTyped(attachment: unknown): boolean {
  const mode = textAt(attachment, "commandMode") ?? "prompt";
  return textAt(attachment, "type") === "queued_command" && mode === "prompt";
}

function isSeen(attachment: unknown): boolean {
  const type = textAt(attachment, "type");
  if (type === null || HIDDEN.has(type)) return false;
  return type !== "hook_success" || HEARD_HOOKS.includes(textAt(attachment, "hookEvent") ?? "");
}

/** The file or hook that the attachment is about: the host mentions it in the text that it generates. */
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
