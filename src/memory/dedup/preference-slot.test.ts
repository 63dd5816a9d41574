import { describe, expect, it } from "vitest";
import { compareSlots, readPreferenceSlot } from "./preference-slot.ts";

describe("maker and thing", () => {
  it.each([
    ["User likes the fries from McDonald's", "mcdonald's", "fries"],
    ["Loves Acme's red boots.", "acme", "red boots"],
    ["喜欢吃麦当劳的麦辣鸡翅", "麦当劳", "麦辣鸡翅"],
    ["マクドナルドのポテトが好き", "マクドナルド", "ポテト"],
    ["Mag die Pommes von Burger King", "burger king", "pommes"],
  ])("%s", (text, brand, item) => {
    expect(readPreferenceSlot(text)).toEqual({ brand, item });
  });

  it.each(["Prefers tea", "Editor: Vim", "喜欢喝茶"])("none: %s", (text) => {
    expect(readPreferenceSlot(text)).toBeNull();
  });

  it("two things of one maker stand beside each other", () => {
    expect(compareSlots("Likes fries from Acme", "Likes burgers from Acme").isOtherItem).toBe(true);
    expect(compareSlots("Likes fries from Acme", "Likes the fries from Acme").isOtherItem).toBe(false);
    expect(compareSlots("Likes fries from Acme", "Likes fries from Zeta").isOtherItem).toBe(false);
    expect(compareSlots("Likes fries from Acme", "Prefers tea").isOtherItem).toBe(false);
  });
});
