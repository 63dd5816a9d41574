import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Memory } from "../../memory-types.ts";
import { aMemory, dayIso, dayMs } from "../testing/a-memory.ts";
import { decideTier, fadedUsesOf } from "./tiers.ts";

const CORE: Partial<Memory> = {
  tier: "core",
  importance: 0.8,
  accessCount: 12,
  lastAccessedAt: dayIso(120),
};

describe("tiers", () => {
  it.each([
    // 3 uses in 20 days, used today: 0.4 + 0.3 · 0.387239 + 0.147 = 0.663
    ["peripheral", { accessCount: 3, lastAccessedAt: dayIso(20) }, 20, "working"],
    ["peripheral", { accessCount: 2, lastAccessedAt: dayIso(20) }, 20, "peripheral"],
    // the composite must be 0.4: without importance and long unused, 0.3 · 0.387 + a little
    ["peripheral", { accessCount: 3, lastAccessedAt: dayIso(20), importance: 0 }, 90, "peripheral"],
    // 12 uses in 120 days, used today: 0.4 + 0.3 · 0.770681 + 0.3 · 0.56 = 0.799
    ["working", { accessCount: 12, lastAccessedAt: dayIso(120), importance: 0.8 }, 120, "core"],
    ["working", { accessCount: 12, lastAccessedAt: dayIso(120), importance: 0.79 }, 120, "working"],
    ["working", { accessCount: 9, lastAccessedAt: dayIso(120), importance: 0.8 }, 120, "working"],
    // 0.4 · e^(−(0.693147/30) · 60) = 0.1 < 0.15
    ["working", { importance: 0 }, 60, "peripheral"],
    ["working", { accessCount: 2, lastAccessedAt: dayIso(60) }, 60, "working"],
    ["working", { accessCount: 2, lastAccessedAt: dayIso(61) }, 61, "peripheral"],
    ["working", { accessCount: 3, lastAccessedAt: dayIso(61) }, 61, "working"],
  ] as const)("from %s with %o after %i days: %s", (tier, changes, days, to) => {
    expect(decideTier(aMemory({ tier, ...changes }), dayMs(days)).to).toBe(to);
  });

  it("core falls when its uses have faded", () => {
    // 200 days since: 200^0.8 = 69.3145; 0.4 · 0.617320 + 0.3 · 0.56 = 0.414928, with 0.02 from what is left of 12 uses
    expect(decideTier(aMemory(CORE), dayMs(320))).toMatchObject({ from: "core", to: "core" });
    // 365 days since: 365^0.8 = 112.159; 0.4 · 0.458167 + 0.000133 + 0.168
    const fallen = decideTier(aMemory(CORE), dayMs(485));
    expect(fallen.to).toBe("working");
    expect(fallen.numbers.fadedComposite).toBeCloseTo(0.3514, 4);
    expect(fallen.numbers.composite).toBeCloseTo(0.582471, 4);
    expect(fallen.numbers.fadedUses).toBeCloseTo(0.00261, 5);
    expect(fallen.reason).toBe("Its uses faded to 0.0 and its score to 0.351.");
  });

  it("core stays while it is used, however old", () => {
    const used = aMemory({ ...CORE, lastAccessedAt: dayIso(4000) });
    expect(decideTier(used, dayMs(4010)).to).toBe("core");
  });

  it("even the most important one falls in the end", () => {
    // intrinsic 0.3 is left: recency below 0.25 takes (1.386294 / 0.005155)^1.25 = 1088 days
    const best = aMemory({ ...CORE, importance: 1, confidence: 1 });
    expect(decideTier(best, dayMs(120 + 1080)).to).toBe("core");
    expect(decideTier(best, dayMs(120 + 1100)).to).toBe("working");
  });

  it("no memory is due for core and for falling from it at once", () => {
    fc.assert(
      fc.property(
        fc.record({ importance: share(), confidence: share(), accessCount: fc.nat(200) }),
        fc.nat(2000),
        fc.nat(2000),
        (changes, span, since) => {
          const memory = aMemory({ ...changes, lastAccessedAt: dayIso(span) });
          const now = dayMs(span + since);
          if (decideTier(memory, now).to === "core")
            expect(decideTier({ ...memory, tier: "core" }, now).to).toBe("core");
        },
      ),
    );
  });

  it("a use counts half after thirty days", () => {
    const memory = aMemory({ accessCount: 8, lastAccessedAt: dayIso(0) });
    expect(fadedUsesOf(memory, dayMs(30), 30)).toBe(4);
    expect(fadedUsesOf(memory, dayMs(90), 30)).toBe(1);
  });
});

function share() {
  return fc.double({ min: 0, max: 1, noNaN: true });
}
