import { describe, expect, it } from "vitest";
import type { MemoryWrite } from "../memory-store.ts";
import { AT } from "../testing/sample.ts";
import {
  sampleDecision,
  sampleForget,
  sampleMemory,
  sampleRemember,
  sampleRevise,
} from "../testing/sample-memory.ts";
import { runsOf } from "./runs-of-writes.ts";

const remember = (id: string, supersedes: readonly string[] = []) =>
  sampleRemember(sampleMemory("global", { id }), { supersedes });
const late = (id: string, by: string) =>
  sampleRemember(sampleMemory("global", { id }), { supersededBy: { id: by, createdAt: AT } });
const decide = (): MemoryWrite => ({ kind: "decide", decision: sampleDecision("global") });

/** The kind and length of each run. */
const shape = (writes: readonly MemoryWrite[]) =>
  [...runsOf(writes)].map((run) =>
    run.kind === "other" ? run.write.kind : `${run.kind} ${run.writes.length}`,
  );

describe("writes that are done together", () => {
  it("follow one another and are of one kind", () => {
    expect(shape([remember("a"), remember("b"), decide(), decide(), remember("c")])).toEqual([
      "remember 2",
      "decide 2",
      "remember 1",
    ]);
    expect(
      shape([sampleRevise("a", {}), sampleRevise("b", {}), sampleForget(["a"]), sampleForget(["b"])]),
    ).toEqual(["revise 2", "erase-memories", "erase-memories"]);
    expect(shape([])).toEqual([]);
  });

  it("do not build on one another", () => {
    expect(shape([remember("a"), remember("b", ["a"])])).toEqual(["remember 1", "remember 1"]);
    expect(shape([remember("a", ["x"]), remember("b", ["x"])])).toEqual(["remember 1", "remember 1"]);
    expect(shape([remember("a", ["x"]), remember("b", ["y"])])).toEqual(["remember 2"]);
    expect(shape([remember("a"), late("b", "a")])).toEqual(["remember 1", "remember 1"]);
    expect(shape([late("a", "x"), late("b", "y")])).toEqual(["remember 2"]);
    expect(shape([sampleRevise("a", {}), sampleRevise("b", {}), sampleRevise("a", {})])).toEqual([
      "revise 2",
      "revise 1",
    ]);
  });
});
