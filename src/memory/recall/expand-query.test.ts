import { describe, expect, it } from "vitest";
import { expandQuery } from "./expand-query.ts";

describe("a typed search is widened", () => {
  it.each([
    ["that bug in March", ["error", "failure", "exception", "错误", "报错"]],
    ["数据库在哪里", ["database", "schema", "table", "sql", "表结构"]],
    ["due date", ["deadline", "截止", "期限"]],
    ["debugging dislikes", []], // neither `bug` nor `like` is a whole word
    ["nothing known", []],
  ])("%s", (query, added) => {
    const expanded = expandQuery(query, "manual");
    expect(expanded.added).toEqual(added);
    expect(expanded.query).toBe([query, ...added].join(" "));
  });

  it("by at most five words, also from several groups", () => {
    expect(expandQuery("error in the config of the database", "cli").added).toHaveLength(5);
  });

  it("only for people", () => {
    expect(expandQuery("that bug", "auto").query).toBe("that bug");
  });
});
