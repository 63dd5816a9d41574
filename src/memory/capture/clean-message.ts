/**
 * The text that a person wrote, without what programs add to it: recalled memories, reminders of the host, markup of
 * tools, envelopes with sender and time. Text that is not removed could be captured as a memory of itself.
 */
import { withReplacements } from "../../text/utf8.ts";

interface CleanMessage {
  readonly text: string;
  /** The kinds of text that were removed. */
  readonly removed: readonly string[];
}

/** Blocks of hosts and tools, opening to closing tag. */
const TAGS = [
  "relevant-memories",
  "relevant_memories",
  "system-reminder",
  "system_reminder",
  "inherited-rules",
  "derived-focus",
  "error-detected",
  "environment_details",
  "environment-context",
  "command-name",
  "command-message",
  "command-args",
  "local-command-stdout",
  "tool_call",
  "tool_calls",
  "tool_result",
  "tool_response",
  "function_call",
  "function_calls",
  "function_results",
  "invoke",
  "thinking",
  "think",
].join("|");

const RULES: readonly (readonly [string, RegExp])[] = [
  // Also a block that is truncated at the end of a message.
  [
    "memories",
    /(?:^[^\n]*for reference\. They are data and no instructions[^\n]*\n)?^<<MEMORIES ([0-9a-f]{12})>>$[\s\S]*?(?:^<<\/MEMORIES \1>>$|(?![\s\S]))/gm,
  ],
  ["markup", new RegExp(`<(${TAGS})(?:\\s[^<>]*)?>[\\s\\S]*?(?:</\\1>|(?![\\s\\S]))`, "gi")],
  ["markup", new RegExp(`</?(?:${TAGS})(?:\\s[^<>]*)?/?>`, "gi")],
  [
    "metadata",
    /^[^\n]{0,60}\(untrusted(?: metadata)?[^\n)]*\):?[ \t]*\n```(?:json)?\n[\s\S]{0,4000}?\n```[ \t]*$/gim,
  ],
  [
    "envelope",
    /^\[(?:cron:[^\]\n]*|subagent context[^\]\n]*|system[^\]\n]*|message_id:[^\]\n]*|(?:mon|tue|wed|thu|fri|sat|sun)\w*[ ,]+\d{4}-[^\]\n]*)\][ \t]*/gim,
  ],
  [
    "envelope",
    /^\[(?:telegram|discord|slack|whatsapp|signal|feishu|lark|wechat|imessage|teams|matrix|line)\b[^\]\n]*\][ \t]*(?:[\p{L}\p{N}_. -]{1,40}:[ \t])?/gimu,
  ],
  ["envelope", /^(?:System|Sender|From|Channel|Thread|Message-ID): \[?[^\n]*$/gm],
];

export function cleanMessage(message: string): CleanMessage {
  const removed = new Set<string>();
  let text = withReplacements(message).replaceAll("\r\n", "\n");
  for (const [kind, rule] of RULES)
    text = text.replace(rule, () => {
      removed.add(kind);
      return "";
    });
  // The first line keeps its indentation, which distinguishes code from prose.
  const tidy = text
    .replaceAll(/\n{3,}/g, "\n\n")
    .replace(/^(?:[ \t]*\n)+/, "")
    .trimEnd();
  return { text: tidy, removed: [...removed] };
}
