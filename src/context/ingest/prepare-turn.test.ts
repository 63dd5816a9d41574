import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../text/estimate-tokens.ts";
import { prepareTurn } from "./prepare-turn.ts";

const options = {
  clock: () => Date.parse("2026-03-01T10:00:00.000Z"),
  random: (bytes: number) => Uint8Array.from({ length: bytes }, (_, index) => index),
  countTokens: estimateTokens,
};

const keysOf = (messages: readonly object[]) =>
  prepareTurn("turn", messages, options).map(({ message }) => message.key);

describe("a message's key", () => {
  it("is the given one, else the message's own id, else the turn's key with the position", () => {
    const message = { role: "user", content: "hello" };
    expect(
      keysOf([
        { message: { ...message, id: "own" }, key: "given" },
        { message: { ...message, id: "own" } },
        { ...message, id: "own too" },
        { message, key: "given too" },
        { message },
        message,
      ]),
    ).toEqual(["given", "own", "own too", "given too", "turn#4", "turn#5"]);
  });
});
