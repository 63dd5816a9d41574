import { expect, it } from "vitest";
import { joinHostContext, NO_HOST } from "./host-context.ts";
import { isRecovered } from "./recovered-session.ts";

const KNOWN = {
  host: "a",
  project: "/a",
  branch: "a",
  model: "p/a",
  parent: "conv_a",
  relation: "fork",
} as const;
const NEW = {
  host: "b",
  project: "/b",
  branch: "b",
  model: "p/b",
  parent: "conv_b",
  relation: "child",
} as const;

it("keeps where a conversation began, and follows its branch and model", () => {
  expect(joinHostContext(KNOWN, NEW)).toEqual({ ...KNOWN, branch: "b", model: "p/b" });
  expect(joinHostContext(KNOWN, NO_HOST)).toEqual(KNOWN);
  expect(joinHostContext(NO_HOST, NEW)).toEqual(NEW);
  expect(NO_HOST).toEqual(Object.fromEntries(Object.keys(KNOWN).map((key) => [key, null])));
});

it("knows a recovered session by its name alone", () => {
  const names = ["recovered-conv_1", "recovered-mine", "a-recovered-conv_1", "conv_1"];
  expect(names.map((sessionId) => isRecovered({ sessionId }))).toEqual([true, false, false, false]);
});
