import { describe, expect, it } from "vitest";
import type { PlacedMessage } from "../store.ts";
import { sampleLine, sampleMessage, sampleTranscriptWrite } from "../testing/sample.ts";
import { withoutErasedHashes } from "./without-erased-hashes.ts";

const line = (number: number, messageKey: string | null) => sampleLine(number, { messageKey });
const lines = [line(1, "a"), line(2, null), line(3, "b")];
const messages = [sampleMessage("a"), sampleMessage("b")];
const placed = (a: boolean, b: boolean): PlacedMessage[] => [
  { key: "a", seq: 1, existed: a, erased: a },
  { key: "b", seq: 2, existed: b, erased: b },
];

function hashes(a: boolean, b: boolean, readHash: string | null = null) {
  const write = sampleTranscriptWrite({ readHash }, lines);
  const { state, lines: kept } = withoutErasedHashes(write, { messages }, placed(a, b));
  return [...kept.map(({ hash }) => hash), state.readHash];
}

const [first, second, third] = lines.map(({ hash }) => hash) as [string, string, string];

describe("the hashes of a transcript's lines", () => {
  it("stay while no message is erased", () => {
    const write = sampleTranscriptWrite({}, lines);
    expect(withoutErasedHashes(write, { messages }, placed(false, false))).toBe(write);
  });

  it("go with the lines whose messages are erased, and with them that of the whole file", () => {
    expect(hashes(true, false, "ef")).toEqual([null, second, third, null]);
    expect(hashes(false, true, "ef")).toEqual([first, second, null, null]);
    expect(hashes(true, true, null)).toEqual([null, second, null, null]);
  });

  it("stay on a line whose message was not written with it", () => {
    const write = sampleTranscriptWrite({}, [line(1, "a"), line(4, "elsewhere")]);
    const { lines: kept } = withoutErasedHashes(write, { messages }, placed(true, false));
    expect(kept.map(({ hash }) => hash)).toEqual([null, write.lines[1]?.hash]);
  });

  it("leave the rest of a line as it was", () => {
    const write = sampleTranscriptWrite({}, lines);
    const changed = withoutErasedHashes(write, { messages }, placed(true, false));
    const state = { ...write.state, readHash: null };
    expect(changed).toEqual({ ...write, state, lines: [{ ...lines[0], hash: null }, lines[1], lines[2]] });
  });
});
