import { describe, expect, it } from "vitest";
import { hasTags, readTags } from "./tags.ts";

describe("tags in a query", () => {
  it.each([
    ["status of proj:Atlas today", ["proj:atlas"], "status of today"],
    ["env:prod team:core errors", ["env:prod", "team:core"], "errors"],
    ["proj:a PROJ:A", ["proj:a"], ""],
    ["(proj:x-1_b)", ["proj:x-1_b"], "( )"],
    ["team:北京 计划", ["team:北京"], "计划"],
    ["subproj:x and my-env:y", [], "subproj:x and my-env:y"],
    ["http://env:80/ scope:", [], "http://env:80/ scope:"],
    ["colour:red", [], "colour:red"],
  ])("%s", (query, tags, rest) => {
    expect(readTags(query)).toEqual({ tags, rest });
  });

  it("must all be there, as tags or as whole words", () => {
    const memory = { tags: ["env:Prod"], text: "Deploys proj:atlas on Friday." };
    expect(hasTags(memory, ["env:prod", "proj:atlas"])).toBe(true);
    expect(hasTags(memory, ["env:prod", "team:core"])).toBe(false);
    expect(hasTags({ tags: [], text: "proj:atlas-two subproj:atlas" }, ["proj:atlas"])).toBe(false);
  });
});
