import { describe, expect, it } from "vitest";
import { type MemoryGroup, memoryCounts } from "./memory-counts.ts";

const group = (scope: string, category: string, more: Partial<MemoryGroup>): MemoryGroup => ({
  scope,
  category,
  tier: "core",
  active: 0,
  superseded: 0,
  archived: 0,
  erased: 0,
  ...more,
});

describe("counts of memories", () => {
  it("add up all by state, and only what is active by kind", () => {
    const counts = memoryCounts([
      group("user:u", "preferences", { active: 2, superseded: 1, erased: 4 }),
      group("global", "preferences", { active: 3, archived: 1, tier: "working" }),
      group("agent:a", "profile", { superseded: 5 }),
    ]);
    expect(counts.total).toBe(16);
    expect(counts.byState).toEqual({ active: 5, superseded: 6, archived: 1, erased: 4 });
    expect(counts.byCategory).toMatchObject({ preferences: 5, profile: 0, events: 0 });
    expect(counts.byTier).toEqual({ core: 2, working: 3, peripheral: 0 });
    expect(counts.byScope).toEqual([
      { scope: "global", active: 3 },
      { scope: "user:u", active: 2 },
    ]);
  });
});
