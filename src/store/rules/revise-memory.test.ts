import { describe, expect, it } from "vitest";
import type { ReviseWrite, StoredMemory } from "../memory-store.ts";
import { later, sampleRevise, storedMemory } from "../testing/sample-memory.ts";
import { reviseMemory } from "./revise-memory.ts";

const memory = storedMemory({ updatedAt: later(1) });
const revise = (known: StoredMemory | undefined, more: Partial<ReviseWrite> = {}) =>
  reviseMemory(known, sampleRevise(memory.id, { importance: 0.9 }, more));
const refused = (code: "busy" | "not-found", message: string) =>
  expect.objectContaining({
    code,
    message: expect.stringContaining(message),
    advice: expect.stringMatching(/nothing was written|cannot be changed/),
  });
const NONE = `there is no memory ${memory.id}`;
const CHANGED = `${memory.id} was changed meanwhile`;
const ENDED = `${memory.id} is no longer active`;

describe("a revision", () => {
  it("changes what it names, at the time of its event, and nothing else", () => {
    const event = { at: later(7), action: "revised", detail: "{}" } as const;
    expect(revise(memory, { event })).toEqual({ ...memory, importance: 0.9, updatedAt: later(7) });
  });

  it("adds sources and relations that are new", () => {
    const source = { conversation: "conv_1", firstSeq: 1, lastSeq: 2, kind: "origin" } as const;
    const support = { ...source, kind: "support" } as const;
    const relation = { type: "contradicts", target: "mem_2" } as const;
    const revised = revise(
      { ...memory, sources: [source] },
      {
        addSources: [support, source],
        addRelations: [relation],
      },
    );
    expect(revised.sources).toEqual([source, support]);
    expect(revised.relations).toEqual([relation]);
  });

  it("is refused where there is no such memory, or none with words", () => {
    expect(() => revise(undefined)).toThrow(refused("not-found", NONE));
    expect(() => revise({ ...memory, erasedAt: later(2) })).toThrow(refused("not-found", NONE));
  });

  it("is refused when the memory was changed since, if that matters", () => {
    expect(revise(memory, { unchangedSince: later(1) }).importance).toBe(0.9);
    expect(() => revise(memory, { unchangedSince: later(0) })).toThrow(refused("busy", CHANGED));
    expect(() => revise(memory, { unchangedSince: later(2) })).toThrow(refused("busy", CHANGED));
  });

  it.each(["invalidatedAt", "archivedAt"] as const)("is refused with %s only while in force", (field) => {
    const ended = { ...memory, [field]: later(2) };
    expect(revise(ended).importance).toBe(0.9);
    expect(() => revise(ended, { whileInForce: true })).toThrow(refused("busy", ENDED));
    expect(revise(memory, { whileInForce: true }).importance).toBe(0.9);
  });
});
