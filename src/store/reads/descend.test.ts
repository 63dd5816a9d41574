import { describe, expect, it } from "vitest";
import type { ScopedStore, StoredSummary } from "../store.ts";
import { descend } from "./descend.ts";

/** A summary of two others, each of which covers ten messages. */
const one = (id: string, firstSeq: number, lastSeq: number, sources: object) =>
  ({ id, firstSeq, lastSeq, tokenCount: 10, depth: 1, sources }) as StoredSummary;
const children = [1, 11].map((first) =>
  one(`sum_${first}`, first, first + 9, { type: "summaries", ids: [] }),
);
const top = one("sum_top", 1, 20, { type: "summaries", ids: children.map(({ id }) => id) });
const store = {
  summary: async (id: string) => [top, ...children].find((each) => each.id === id),
  messages: (async () => ({ rows: [], next: null })) as ScopedStore["messages"],
  sources: async ({ id }: StoredSummary) =>
    id === top.id ? children.map((child) => ({ ...child, wholeTokenCount: 10 })) : [],
};

describe("the way down from a summary", () => {
  it("leaves out summaries that end before the first message that is wanted", async () => {
    const found = await descend(store, { summary: top.id, from: 11, levels: 1, maxTokens: 100 });
    expect(found?.summaries.map(({ id }) => id)).toEqual(["sum_11"]);
    const whole = await descend(store, { summary: top.id, levels: 1, maxTokens: 100 });
    expect(whole?.summaries.map(({ id }) => id)).toEqual(["sum_1", "sum_11"]);
  });
});
