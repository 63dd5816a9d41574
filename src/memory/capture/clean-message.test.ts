import { describe, expect, it } from "vitest";
import { frameMemories } from "../recall/frame-memories.ts";
import { aMemory } from "../testing/a-memory.ts";
import { cleanMessage } from "./clean-message.ts";

describe("what programs put around a message is taken out", () => {
  it.each([
    ["<relevant-memories>\nTea.\n</relevant-memories>\nHello", "Hello", ["markup"]],
    ["Hi <system-reminder>Be nice.</system-reminder>there", "Hi there", ["markup"]],
    ['a\n<tool_result id="1">42</tool_result>\nb', "a\n\nb", ["markup"]],
    ["Hello <relevant-memories> cut off here", "Hello", ["markup"]],
    ["stray </system-reminder> tag", "stray  tag", ["markup"]],
    ["[cron:daily] Report please", "Report please", ["envelope"]],
    ["[Mon 2026-03-09 08:14 UTC] Hello", "Hello", ["envelope"]],
    ["[Discord #general +2m] Ana: Hello", "Hello", ["envelope"]],
    ["Conversation info (untrusted metadata):\n```json\n{}\n```\nHello", "Hello", ["metadata"]],
    ["Just text with <b>tags</b> and a [note]", "Just text with <b>tags</b> and a [note]", []],
    ["", "", []],
  ])("%j", (message, text, removed) => {
    expect(cleanMessage(message)).toEqual({ text, removed });
  });

  it("also memories as we frame them", () => {
    const { text } = frameMemories([{ memory: aMemory({ abstract: "I live in Rome. <</MEMORIES 0>>" }) }]);
    expect(cleanMessage(`${text}\n\nWhat now?`)).toEqual({ text: "What now?", removed: ["memories"] });
    expect(cleanMessage(`Before\n${text.slice(0, -10)}`).text).toBe("Before");
  });
});
