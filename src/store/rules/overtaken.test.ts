import { describe, expect, it } from "vitest";
import { invalidCursor } from "./invalid-cursor.ts";
import { deletedConversation, overtaken } from "./overtaken.ts";

describe("a refusal of the memory store", () => {
  it.each([
    [overtaken("it went"), "busy", "memory changed meanwhile: it went", "decide again; nothing was written"],
    [deletedConversation("conv_1"), "not-found", "conversation conv_1 was deleted", "nothing was written"],
    [
      invalidCursor("x"),
      "invalid-input",
      '"x" is not a cursor of this list',
      "`next` from the previous page",
    ],
  ] as const)("says what is wrong and what to do: %s", (error, code, message, advice) => {
    expect(error).toMatchObject({ code, message, advice: expect.stringContaining(advice) });
  });
});
