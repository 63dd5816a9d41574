import { describe, expect, it } from "vitest";
import { PalimpsestError } from "../../errors.ts";
import { fence } from "../../message/own-text.ts";
import { titleOf } from "../../message/title-of.ts";
import type { CountTokens } from "../../text/estimate-tokens.ts";
import type { Part } from "../../types.ts";
import { KEY_LIMIT, requireName } from "../read/require-name.ts";
import { prepareTurn } from "./prepare-turn.ts";

const NOW = "2026-03-01T10:00:00.000Z";
const countTokens: CountTokens = (text) => text.length;
const options = {
  clock: () => Date.parse(NOW),
  random: (bytes: number) => Uint8Array.from({ length: bytes }, (_, index) => index),
  countTokens,
};

const message = { role: "user", content: "hello" };
const prepare = (...messages: readonly object[]) => prepareTurn("turn", messages, options);
const keysOf = (...messages: readonly object[]) => prepare(...messages).map((one) => one.message.key);

/** The error that a call throws. */
function refusal(run: () => unknown): PalimpsestError {
  try {
    run();
  } catch (error) {
    if (error instanceof PalimpsestError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

describe("a message's key", () => {
  it("is the given one, else the message's own id, else the turn's key with the position", () => {
    expect(
      keysOf(
        { message: { ...message, id: "own" }, key: "given" },
        { message: { ...message, id: "own" } },
        { ...message, id: "own too" },
        { message, key: "given too" },
        { message },
        message,
      ),
    ).toEqual(["given", "own", "own too", "given too", "turn#4", "turn#5"]);
  });

  it.each([
    ["empty", ""],
    ["too long", "k".repeat(KEY_LIMIT + 1)],
    ["with NUL", "a\0b"],
    ["with half a character", "a\ud800"],
    ["not text", 7],
  ])("is refused when it is %s, with the place of the message", (_, key) => {
    const error = refusal(() => prepare(message, { message, key }));
    expect(error.code).toBe("invalid-input");
    expect(error.message).toBe(
      "messages[1]: key must be text of 1 to 512 characters without NUL or unpaired surrogates",
    );
    expect(error.advice).toBeUndefined();
    expect(error.cause).toBeInstanceOf(PalimpsestError);
  });

  it("may be as long as the limit", () => {
    expect(KEY_LIMIT).toBe(512);
    expect(keysOf({ message, key: "k".repeat(512) })).toEqual(["k".repeat(512)]);
    expect(() => requireName("title", "t".repeat(512))).not.toThrow();
    expect(refusal(() => requireName("title", "t".repeat(513))).message).toMatch(
      /^title must be text of 1 to 512/,
    );
  });

  it("is refused for the turn itself without a place", () => {
    expect(refusal(() => prepareTurn("", [message], options)).message).toMatch(/^key must be text/);
  });
});

describe("what is a message", () => {
  it("is wrapped only without a role and a type of its own", () => {
    const own = { role: "user", content: "hello", message: "mine" };
    const item = { type: "message", role: "user", content: "hello", message: "mine" };
    expect(prepare(own, item, { message }).map(({ value }) => value)).toEqual([own, item, message]);
    const call = {
      type: "function_call",
      call_id: "c",
      name: "f",
      arguments: "{}",
      message: { role: "user" },
    };
    expect(prepare(call)[0]).toMatchObject({ role: "assistant", value: call });
  });

  it.each([
    ["null", null],
    ["text", "hello"],
    ["a number", 5],
  ])("is not %s", (_, value) => {
    const wrong = [message, value] as readonly object[];
    expect(refusal(() => prepareTurn("turn", wrong, options)).message).toMatch(/^messages\[1\]: /);
  });

  it("is refused when its content does not fit its role", () => {
    expect(refusal(() => prepare(message, { role: "user", content: [5] })).message).toMatch(
      /^messages\[1\]: /,
    );
    expect(refusal(() => prepare({ role: "nobody", content: "x" })).code).toBe("invalid-input");
  });

  it("keeps the advice of whoever refused it", () => {
    const error = refusal(() => prepare({ message, createdAt: "soon" }));
    expect(error.code).toBe("invalid-input");
    expect(error.message).toBe('messages[0]: createdAt "soon" is not a time');
    expect(error.advice).toMatch(/^Use ISO 8601 text, milliseconds/);
  });

  it("passes on what is not a refusal", () => {
    const broken = () => {
      throw new TypeError("broken");
    };
    expect(() => prepareTurn("turn", [message], { ...options, countTokens: broken })).toThrow(TypeError);
    const getter = Object.defineProperty({ role: "user" }, "content", { enumerable: true, get: broken });
    expect(() => prepare(getter)).toThrow(TypeError);
  });

  it.each([
    ["no list", "hello"],
    ["an empty list", []],
    ["an object", {}],
  ])("is at least one of a list: %s is refused", (_, messages) => {
    const error = refusal(() => prepareTurn("turn", messages as readonly object[], options));
    expect([error.code, error.message]).toEqual([
      "invalid-input",
      "messages must be a list of at least one message",
    ]);
  });
});

describe("a prepared message", () => {
  it("has its exact original, its shape and its tokens", () => {
    expect(prepare({ message: { role: "user", content: "hello" }, key: "k" })).toEqual([
      {
        role: "user",
        parts: [{ type: "text", text: "hello" }],
        value: { role: "user", content: "hello" },
        message: {
          key: "k",
          role: "user",
          format: "message",
          content: '{"role":"user","content":"hello"}',
          tokenCount: 5,
          stubTokenCount: null,
          files: [],
          createdAt: NOW,
          salt: "000102030405060708090a0b0c0d0e0f",
          parts: [{ type: "text", toolCallId: null, toolName: null, toolStatus: null }],
          excluded: null,
        },
      },
    ]);
  });

  it("has a salt of 16 bytes that no other has, drawn once for all", () => {
    const draws: number[] = [];
    const random = (bytes: number) => {
      draws.push(bytes);
      return options.random(bytes);
    };
    const salts = prepareTurn("turn", [message, message, message], { ...options, random }).map(
      (one) => one.message.salt,
    );
    expect(salts).toEqual([
      "000102030405060708090a0b0c0d0e0f",
      "101112131415161718191a1b1c1d1e1f",
      "202122232425262728292a2b2c2d2e2f",
    ]);
    expect(draws).toEqual([48]);
  });

  it("has the given time, else its own, else that of the clock", () => {
    const own = { ...message, timestamp: "2025-01-01T00:00:00Z" };
    const times = prepare({ message: own, createdAt: 1_735_700_000_000 }, { message: own }, own, message).map(
      (one) => one.message.createdAt,
    );
    expect(times).toEqual([
      "2025-01-01T02:53:20.000Z",
      "2025-01-01T00:00:00.000Z",
      "2025-01-01T00:00:00.000Z",
      NOW,
    ]);
  });
});

describe("what is excluded from the context", () => {
  const excluded = (one: object) => prepare(one)[0]?.message.excluded;

  it("is what the host left, what we or the host wrote, and nothing that was said", () => {
    const origins = [undefined, "said", "left", "ours", "host"];
    expect(origins.map((origin) => excluded({ message, ...(origin && { origin }) }))).toEqual([
      null,
      null,
      "branch",
      "injected",
      "host-summary",
    ]);
  });

  it("is our own text, whatever its origin is said to be", () => {
    const own = { role: "user", content: fence("memories", "The parser is done.") };
    expect([excluded(own), excluded({ message: own, origin: "left" })]).toEqual(["injected", "injected"]);
  });

  it("is what a host marks as not for the context", () => {
    expect(excluded({ ...message, excludeFromContext: true })).toBe("injected");
    expect(excluded({ ...message, excludeFromContext: false })).toBeNull();
  });

  it.each(["other", "toString"])("cannot have the origin %s", (origin) => {
    const error = refusal(() => prepare(message, { message, origin }));
    expect([error.code, error.message]).toEqual([
      "invalid-input",
      `messages[1]: origin must be said, left, ours or host, not ${origin}`,
    ]);
  });
});

describe("a title", () => {
  const text = (words: string, more: object = {}): Part => ({ type: "text", text: words, ...more });
  const user = (...parts: Part[]) => ({ role: "user" as const, parts });

  it.each<[string, Parameters<typeof titleOf>[0], string | null]>([
    ["the first line of what the user said first", [user(text("One\nTwo")), user(text("Three"))], "One"],
    ["not what others said", [{ role: "assistant", parts: [text("Hi")] }, user(text("Hello"))], "Hello"],
    ["not what the host slipped in", [user(text("Note", { synthetic: true }), text("Hello"))], "Hello"],
    ["not an empty text", [user(text(" \n\t")), user(text(""), text("\n  Hello  \nyou"))], "Hello"],
    ["without NUL and half characters", [user(text("a\0b\ud800c"))], "ab\ufffdc"],
    ["nothing, when the user said nothing", [{ role: "system", parts: [text("Rules")] }, user()], null],
    ["nothing, without messages", [], null],
  ])("is %s", (_, messages, title) => {
    expect(titleOf(messages)).toBe(title);
  });

  it("is at most 80 characters, with a sign where it was cut", () => {
    expect(titleOf([user(text("é".repeat(80)))])).toBe("é".repeat(80));
    expect(titleOf([user(text("😀".repeat(81)))])).toBe(`${"😀".repeat(79)}…`);
    expect(titleOf([user(text(`${" ".repeat(500)}late`))])).toBe("late");
  });

  it.each([
    ["<environment_context>\n<cwd>/x</cwd>\n</environment_context>", "Fix the parser."],
    ["<command-name>/clear</command-name>\n<command-message>clear</command-message>", "Fix the parser."],
    ["# AGENTS.md instructions for /x\n\nBe brief.", "Fix the parser."],
    ["/mode", "Fix the parser."],
    ["<system-reminder>Be brief.</system-reminder>\nFix it all.", "Fix it all."],
    ["<b> is not closed", "<b> is not closed"],
    ["/etc/hosts is world-readable", "/etc/hosts is world-readable"],
  ])("is what a person asked for first: %j", (first, title) => {
    expect(titleOf([user(text(first)), user(text("Fix the parser."))])).toBe(title);
  });
});
