import { describe, expect, it } from "vitest";
import { choosePager } from "./pager.ts";

describe("the pager", () => {
  it("is less, which leaves what fits on a screen and keeps colours", () => {
    expect(choosePager({})).toEqual({
      command: ["less"],
      environment: { LESS: "FRX", LESSCHARSET: "utf-8" },
    });
  });

  it("is the person's own, with its arguments, ours before everybody's", () => {
    expect(choosePager({ PAGER: "more  -s", LESS: "S" })).toEqual({
      command: ["more", "-s"],
      environment: { PAGER: "more  -s", LESS: "S", LESSCHARSET: "utf-8" },
    });
    expect(choosePager({ PAGER: "more", LCM_PAGER: "most" })?.command).toEqual(["most"]);
  });

  it.each([{ PAGER: "cat" }, { PAGER: "less", LCM_PAGER: "" }, { TERM: "dumb" }])(
    "is none with %o",
    (environment) => {
      expect(choosePager(environment)).toBeUndefined();
    },
  );
});
