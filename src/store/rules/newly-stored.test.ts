import { describe, expect, it } from "vitest";
import { UNTOUCHED } from "../../memory-types.ts";
import { later, sampleMemory } from "../testing/sample-memory.ts";
import { newlyStored } from "./newly-stored.ts";

describe("a memory that just came", () => {
  it("has its number, was never changed or used, and supersedes each other one once", () => {
    const memory = sampleMemory("global");
    expect(newlyStored({ memory, supersedes: ["mem_1", "mem_2", "mem_1"] }, 7)).toEqual({
      ...memory,
      ...UNTOUCHED,
      number: 7,
      updatedAt: memory.createdAt,
      supersedes: ["mem_1", "mem_2"],
    });
  });

  it("is not in force where another one is, since that was created", () => {
    const memory = sampleMemory("global", { createdAt: later(5) });
    const supersededBy = { id: "mem_1", createdAt: later(2) };
    expect(newlyStored({ memory, supersedes: [], supersededBy }, 7)).toMatchObject({
      supersededBy: "mem_1",
      invalidatedAt: later(2),
      updatedAt: later(5),
    });
  });
});
