import { expect, it } from "vitest";
import { bestFirst } from "./candidates.ts";
import { packDocuments } from "./index/documents.ts";
import { SegmentView } from "./segment-reader.ts";

const DOCUMENTS = 200_000;

it("the newest of very many that match alike come first, without sorting all of them again and again", () => {
  const facts = Array.from({ length: DOCUMENTS }, (_, time) => ({
    time,
    speaker: "user" as const,
    words: 1,
  }));
  const run = { conversation: "c", kind: "message" as const, first: 1, last: DOCUMENTS };
  const documents = Int32Array.from({ length: DOCUMENTS }, (_, document) => document);
  const segment = {
    view: new SegmentView(DOCUMENTS, packDocuments(facts), [run]),
    ...{ latest: DOCUMENTS, count: DOCUMENTS, documents: () => documents },
    scores: { documents, certainOf: (document: number) => (document === 7 ? 2 : 1), phrases: [] },
  };
  const [best, next, ...rest] = bestFirst([segment], 20);
  expect([best?.ref.number, next?.ref.number]).toEqual([8, DOCUMENTS]);
  expect(rest.length + 2).toBeGreaterThanOrEqual(20);
});
