import { describe, expect, it } from "vitest";
import { recogniseFormat } from "./recognise-format.ts";
import { NOW, sampleMemory } from "./testing/sample-memories.ts";
import { writeMarkdown } from "./write-markdown.ts";

const OURS = [...writeMarkdown([sampleMemory()], { exportedAt: NOW })].join("");

describe("the form of a file", () => {
  it.each([
    ["memories.jsonl", '{"palimpsest":"memories","version":1}\n', "palimpsest-jsonl"],
    ["x", '\ufeff{ "palimpsest": "memories", "version": 9 }', "palimpsest-jsonl"],
    ["memories.md", OURS, "palimpsest-markdown"],
    ["memories.md", OURS.replace(/^.*\n/, ""), "palimpsest-markdown"],
    [
      "export.json",
      '{\n  "version": "1.0",\n  "exportedAt": "2026",\n  "count": 0,\n  "memories": []\n}',
      "lancedb-pro",
    ],
    [
      "memory-backup-2026-03-01.jsonl",
      '{"id":"a","text":"b","category":"fact","metadata":"{\\"memory\\":1}"}',
      "lancedb-pro",
    ],
    ["list.json", '[\n {"id": "a", "text": "b", "importance": 0.7}]', "lancedb-pro"],
    [
      "mem0.json",
      '{"results": [{"id": "a", "memory": "b", "hash": "c", "metadata": {"category":"x"}}]}',
      "mem0",
    ],
    ["mem0.json", '{"results":[]}', "mem0"],
    ["mem0.json", '[{"id":"a","memory":"b","metadata":{"text":"c","category":"d"}}]', "mem0"],
    ["backup.jsonl", `{"id":"a","text":"${"long ".repeat(800)}`, "lancedb-pro"],
    ["mem0.jsonl", '{"id":"a","memory":"b","user_id":"c"}', "mem0"],
    ["MEMORY.md", "Just words", "memory-markdown"],
    ["notes", "# Notes\n\n- one", "memory-markdown"],
    ["2026-03-01.markdown", "", "memory-markdown"],
    ["data.json", '{"a": 1}', null],
    ["data.md", '{"a": 1}', null],
    ["notes.txt", "Just words", null],
    ["picture.md", "\0\0\0", null],
    ["", "", null],
  ])("%s beginning with %j is %s", (name, head, expected) => {
    expect(recogniseFormat(name, head)).toBe(expected);
  });
});
