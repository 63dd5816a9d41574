import { describe, expect, it } from "vitest";
import { mayBeShown, readViewKey, viewIdentities, viewKey, viewPrefix } from "./view-key.ts";

const BARE = { said: "ab12", reasoning: null, number: 1, id: null };
const FULL = { said: "ab12", reasoning: "cd34", number: 12, id: "x:1 ~\n2" };

describe("keys of shown messages", () => {
  it("are read as they were written, in any version", () => {
    for (const key of [BARE, FULL, { ...FULL, id: "41" }, { ...BARE, id: "" }]) {
      expect(readViewKey(viewKey(key))).toEqual(key);
      expect(readViewKey(`${viewKey(key)}~2`)).toEqual(key);
    }
    expect(viewKey(BARE)).toBe("sha256:view:ab12:1");
    expect(viewKey({ ...FULL, id: "m" })).toBe("sha256:view:ab12.cd34:12:m");
    expect(viewKey({ ...BARE, number: null, id: "m" })).toBe("sha256:view:ab12::m");
    expect([BARE, FULL].map(viewPrefix)).toEqual(["sha256:view:ab12", "sha256:view:ab12"]);
  });

  it("may have been made from an id alone", () => {
    expect(readViewKey("sha256:view:ab12:msg-1")).toEqual({ ...BARE, number: null, id: "msg-1" });
    expect(readViewKey("sha256:view:ab12:4x")).toEqual({ ...BARE, number: null, id: "4x" });
  });

  it("are not the keys of other messages", () => {
    expect(
      ["sha256:ab12:1", "msg-1", "sha256:view:", "sha256:view:XY:1", "sha256:view:Xab:1"].map(readViewKey),
    ).toEqual(Array(5).fill(null));
  });

  it("say which messages may be the same", () => {
    const may = (shown: object, onRecord: object) =>
      mayBeShown({ ...BARE, ...shown }, { ...BARE, ...onRecord });
    expect(may({}, { number: 7 })).toBe(true);
    expect(may({}, { said: "ab" })).toBe(false);
    expect(may({ id: "a" }, {})).toBe(true);
    expect(may({}, { id: "a" })).toBe(true);
    expect(may({ id: "a" }, { id: "a" })).toBe(true);
    expect(may({ id: "a" }, { id: "b" })).toBe(false);
    expect(may({}, { reasoning: "cd" })).toBe(true);
    expect(may({ reasoning: "cd" }, { reasoning: "cd" })).toBe(true);
    expect(may({ reasoning: "cd" }, {})).toBe(false);
    expect(may({ reasoning: "cd" }, { reasoning: "ef" })).toBe(false);
  });

  it("are remembered by number and by id, without the reasoning", () => {
    expect(viewIdentities(BARE)).toEqual(["sha256:view:ab12:1"]);
    expect(viewIdentities({ ...FULL, id: "m" })).toEqual(["sha256:view:ab12:12", "sha256:view:ab12:m"]);
    expect(viewIdentities({ ...BARE, number: null, id: "m" })).toEqual(["sha256:view:ab12:m"]);
  });
});
