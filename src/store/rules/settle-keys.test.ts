import { describe, expect, it } from "vitest";
import type { StoredMemory } from "../memory-store.ts";
import { later, storedMemory } from "../testing/sample-memory.ts";
import { holdsKey, settleKeys } from "./settle-keys.ts";

const keyed = (id: string, more: Partial<StoredMemory> = {}) =>
  storedMemory({ id, factKey: "editor", ...more });

describe("two memories in force under one key", () => {
  const holder = keyed("mem_b", { validFrom: later(5), createdAt: later(5), updatedAt: later(8) });
  const settled = (more: Partial<StoredMemory>) => {
    const coming = keyed(more.id ?? "mem_c", { validFrom: later(5), createdAt: later(5), ...more });
    const { memories, ended } = settleKeys([coming], [holder]);
    return { coming: memories[0], ended };
  };

  it("leave the one in force that holds from later on, whenever it was written down", () => {
    expect(settled({ validFrom: later(6), createdAt: later(1) }).ended).toHaveLength(1);
    const { coming, ended } = settled({ validFrom: later(4), createdAt: later(9) });
    expect(ended).toEqual([]);
    expect(coming).toMatchObject({ supersededBy: "mem_b", invalidatedAt: later(5) });
  });

  it("then the one that was written down later, and then the one with the higher id", () => {
    expect(settled({ createdAt: later(6) }).ended).toHaveLength(1);
    expect(settled({ createdAt: later(4) }).ended).toEqual([]);
    expect(settled({ id: "mem_c" }).ended).toHaveLength(1);
    expect(settled({ id: "mem_a" }).ended).toEqual([]);
  });

  it("end the other with an event at the time of the one that stays", () => {
    const { coming, ended } = settled({ createdAt: later(6) });
    expect(coming).toMatchObject({ supersededBy: null, invalidatedAt: null });
    expect(ended).toEqual([
      {
        before: holder,
        after: { ...holder, supersededBy: "mem_c", invalidatedAt: later(6), updatedAt: later(8) },
        event: { at: later(6), action: "superseded", detail: '{"by":"mem_c"}' },
      },
    ]);
    expect(settled({ createdAt: later(9) }).ended[0]?.after.updatedAt).toBe(later(9));
  });
});

describe("memories that do not meet", () => {
  it("are those of other keys and scopes, and the holder itself", () => {
    const holder = keyed("mem_b");
    for (const coming of [
      keyed("mem_c", { factKey: "shell" }),
      keyed("mem_c", { scope: "user:u" }),
      keyed("mem_c", { factKey: null }),
      keyed("mem_b", { importance: 1 }),
    ])
      expect(settleKeys([coming], [holder])).toEqual({ memories: [coming], ended: [] });
  });

  it("hold no key if they have none", () => {
    expect([keyed("mem_c"), keyed("mem_c", { factKey: null })].map(holdsKey)).toEqual([true, false]);
  });

  it.each(["invalidatedAt", "archivedAt", "erasedAt"] as const)("are those with %s", (field) => {
    const ended = keyed("mem_c", { [field]: later(1), validFrom: later(9) });
    expect(holdsKey(ended)).toBe(false);
    expect(settleKeys([ended], [keyed("mem_b")])).toEqual({ memories: [ended], ended: [] });
  });
});
