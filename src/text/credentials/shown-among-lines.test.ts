import { describe, expect, it } from "vitest";
import { isShownAmongLines } from "./shown-among-lines.ts";

const FILLER = Array.from({ length: 40 }, (_, i) => `Line ${i} says nothing that matters to anybody here.`);
const around = (...lines: readonly string[]) => [...FILLER, ...lines, ...FILLER].join("\n");

describe("a mention that is shown because of the lines around it", () => {
  it("has no credential near it, wherever the text has others", () => {
    const text = around("The queue is drain_orders.");
    expect(isShownAmongLines(text, "drain_orders")).toBe(true);
    expect(isShownAmongLines(`password: hunter2\n${text}`, "drain_orders")).toBe(true);
    expect(isShownAmongLines(text, "not_in_it")).toBe(false);
  });

  it.each([
    ["password: drain_orders"],
    ["The password is", "drain_orders"],
    ["The password", "for", "the", "old", "server", "is", "", " ", "drain_orders"],
    ["drain_orders", "is", "", "our", "new", "password"],
    ["sshpass with a lot of words in between", "-p", "drain_orders", "run"],
    ["Cookie:", "a=b; c=d; drain_orders"],
  ])("is not certain after or before an announcement: %j", (...lines) => {
    expect(isShownAmongLines(around(...lines), "drain_orders")).toBe(false);
  });

  it("is never certain in a text with a key file, however long", () => {
    expect(isShownAmongLines(`-----BEGIN KEY-----\n${around("drain_orders")}`, "drain_orders")).toBe(false);
  });
});
