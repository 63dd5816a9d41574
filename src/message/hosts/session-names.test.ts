import { describe, expect, it } from "vitest";
import { fileStem, uuidAtEnd, uuidStem } from "./session-names.ts";

const ID = "0198c2f4-7a51-7e3c-9b5d-2f1e8a6c4d30";

describe("the name of a transcript's file", () => {
  it.each([
    ["/home/me/a.jsonl", "a"],
    ["C:\\Users\\me\\b.JSONL", "b"],
    ["c.json", "c"],
    ["d.ndjson", "d"],
    ["e.jsonl.json", "e.jsonl"],
    ["f.jsonlx", "f.jsonlx"],
    ["gjson", "gjson"],
    ["/home/.json", ".json"],
    ["h.txt", "h.txt"],
  ])("of %s is %s", (path, stem) => {
    expect(fileStem(path)).toBe(stem);
  });

  it.each([
    [`/a/${ID}.jsonl`, ID],
    [`${ID.toUpperCase()}.jsonl`, ID.toUpperCase()],
    [`x${ID}.jsonl`, null],
    [`${ID}x.jsonl`, null],
    ["notes.jsonl", null],
    [`${ID.slice(0, -1)}g.jsonl`, null],
  ])("%s is a session's id when all of it is a UUID", (path, id) => {
    expect(uuidStem(path)).toBe(id);
  });

  it.each([
    [`rollout-2026-03-01T10-00-00-${ID}.jsonl`, ID],
    [`2026_${ID}.jsonl`, ID],
    [`${ID}.jsonl`, ID],
    [`${ID}-more.jsonl`, null],
    ["rollout.jsonl", null],
  ])("%s has a session's id at its end", (path, id) => {
    expect(uuidAtEnd(path)).toBe(id);
  });
});
