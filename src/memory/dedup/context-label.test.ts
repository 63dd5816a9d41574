import { expect, it } from "vitest";
import { CONTEXT_LABELS } from "../../prompts/judge-duplicates.ts";
import { contextLabel } from "./context-label.ts";

it.each([
  ["evening", "evening"],
  [" Evening ", "evening"],
  ["afternoon", "afternoon"],
  ["晚上", "evening"],
  ["周末", "weekend"],
  ["出差", "travel"],
  ["On the Train!", "on-the-train"],
  ["constructor", "constructor"],
  ["", "general"],
  ["!!!", "general"],
  [null, "general"],
  ["default", "general"],
  ["x".repeat(60), "x".repeat(40)],
])("%s is %s", (given, label) => {
  expect(contextLabel(given)).toBe(label);
});

it("every known label is itself", () => {
  for (const label of CONTEXT_LABELS) expect(contextLabel(label)).toBe(label);
});
