import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPalimpsestError, PalimpsestError } from "../errors.ts";
import { isStorableText } from "../text/utf8.ts";
import { MAX_NESTING } from "./check-json.ts";
import { decodeOriginal, encodeOriginal } from "./original.ts";

function roundTrip(value: unknown): unknown {
  const { format, text } = encodeOriginal(value);
  return decodeOriginal(format, text);
}

function refusalOf(value: unknown, place?: string): PalimpsestError {
  try {
    encodeOriginal(value, place);
  } catch (error) {
    if (isPalimpsestError(error, "invalid-input")) return error;
    throw error;
  }
  throw new Error("was accepted");
}

/**
 * Keys that are error-prone: the prototype, numbers, our tag and its escapes, NUL, a lone surrogate. None has a backslash:
 * after parsing such a key, V8 13.6 (Node 24) may return it for another key with an escape in its place. After `{"\\\\":1}`,
 * `{"\\n":1}` gives `{"\\\\":1}`. The stored text is correct in both cases.
 */
const key = fc
  .oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.constantFrom("__proto__", "constructor", "toJSON", "2", "1", "", "\0", "\ud800", "data"),
    fc.constantFrom("$palimpsest", "$$palimpsest", "$$$palimpsest", "palimpsest"),
  )
  .filter((name) => !name.includes("\\"));

const string = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("\0", "\ud800", "\udc00x", "\ud83d\ude00", "Uint8Array", "URL", "\u2028"),
);

const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);

function treeOf(leaf: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.letrec<{ tree: unknown; object: object }>((tie) => ({
    tree: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie("tree"), { maxLength: 4 }), tie("object")),
    object: fc
      .array(fc.tuple(key, tie("tree")), { maxLength: 5 })
      .map((entries) => Object.fromEntries(entries)),
  })).object;
}

const plainLeaf = fc.oneof(string, number, fc.boolean(), fc.constant(null));
const binaryLeaf = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => new Uint8Array(bytes).buffer),
  fc.webUrl({ withFragments: true, withQueryParameters: true }).map((url) => new URL(url)),
);

describe("an original", () => {
  it("is the JSON of the message, keys in their order", () => {
    const message = { role: "user", content: "hi", b: 1, a: [{ z: 1, y: null }] };
    expect(encodeOriginal(message)).toStrictEqual({ format: "message", text: JSON.stringify(message) });
  });

  it("gives back any JSON value, wherever it stands", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false, maxDepth: 6 }), (content) => {
        // JSON does not distinguish -0 from 0.
        const message: unknown = JSON.parse(JSON.stringify({ role: "user", content }));
        deepStrictEqual(roundTrip({ role: "user", content }), message);
      }),
    );
  });

  it("gives back odd keys and strings, is storable, and is the same when encoded again", () => {
    fc.assert(
      fc.property(treeOf(plainLeaf), (message) => {
        const { format, text } = encodeOriginal(message);
        const decoded = decodeOriginal(format, text);
        strictEqual(format, "message");
        strictEqual(isStorableText(text), true);
        deepStrictEqual(decoded, message);
        strictEqual(encodeOriginal(decoded).text, text);
      }),
    );
  });

  it("gives back bytes and URLs at any depth, beside keys that look like our tag", () => {
    fc.assert(
      fc.property(treeOf(fc.oneof(plainLeaf, binaryLeaf)), binaryLeaf, (tree, bytes) => {
        const message = { $palimpsest: "Uint8Array", data: "AAAA", tree, bytes };
        const { format, text } = encodeOriginal(message);
        const decoded = decodeOriginal(format, text);
        strictEqual(format, "message+binary");
        strictEqual(isStorableText(text), true);
        deepStrictEqual(decoded, message);
        strictEqual(JSON.stringify(decoded), JSON.stringify(message));
        strictEqual(encodeOriginal(decoded).text, text);
      }),
    );
  });

  it("gives back a Buffer, also a slice and one of another realm, as its bytes", () => {
    const slice = Buffer.from("0123456789").subarray(3, 6);
    deepStrictEqual(roundTrip({ data: slice }), { data: new Uint8Array([51, 52, 53]) });
    const foreign: unknown = runInNewContext("new Uint8Array([1, 2])");
    deepStrictEqual(roundTrip({ data: foreign }), { data: new Uint8Array([1, 2]) });
  });

  it("takes objects without prototype and of another realm", () => {
    const bare: unknown = Object.assign(Object.create(null), { role: "user", content: "hi" });
    deepStrictEqual(roundTrip(bare), { role: "user", content: "hi" });
    const foreign: unknown = runInNewContext("({ role: 'user', content: [{ type: 'text' }] })");
    deepStrictEqual(roundTrip(foreign), { role: "user", content: [{ type: "text" }] });
  });

  it("takes undefined properties as absent, and -0 as 0", () => {
    deepStrictEqual(roundTrip({ a: undefined, b: -0, c: undefined }), { b: 0 });
    deepStrictEqual(roundTrip({ a: undefined, bytes: new Uint8Array(1) }), { bytes: new Uint8Array(1) });
  });

  it("takes the same object in two places", () => {
    const shared = { a: 1 };
    deepStrictEqual(roundTrip({ one: shared, two: [shared, shared] }), {
      one: shared,
      two: [shared, shared],
    });
  });
});

/** The value after the round trip: plain prototypes, no undefined properties, no -0. */
function asKept(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asKept);
  if (typeof value === "number") return value + 0;
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  const entries = Object.entries(value).filter(([, child]) => child !== undefined);
  return Object.fromEntries(entries.map(([name, child]) => [name, asKept(child)]));
}

class Point {
  readonly x = 1;
}

class List extends Array {}

describe("what JSON would lose is refused, with its place", () => {
  const refused: readonly (readonly [string, unknown, RegExp])[] = [
    ["a function", () => 1, /is a function/],
    ["a symbol", Symbol("s"), /is a symbol/],
    ["a bigint", 1n, /is a bigint/],
    ["NaN", Number.NaN, /is NaN/],
    ["Infinity", Number.NEGATIVE_INFINITY, /is -Infinity/],
    ["a Date", new Date(0), /is a Date/],
    ["a Map", new Map(), /is a Map/],
    ["a Set", new Set(), /is a Set/],
    ["a class instance", new Point(), /is an instance of Point/],
    ["an instance without class", Object.create(Object.create(null)), /is an instance of a class/],
    ["an error", new TypeError("x"), /is an instance of TypeError/],
    ["a boxed string", Object("x"), /is an instance of String/],
    ["an array's subclass", List.from([1]), /is an array with properties of its own/],
    ["an array with named properties", /b/.exec("abc"), /is an array with properties of its own/],
    ["another typed array", new Float32Array(1), /is a typed array/],
    ["a key that is a symbol", { [Symbol("k")]: 1 }, /has a symbol as a key/],
    ["an array's key that is a symbol", Object.assign([1], { [Symbol("k")]: 1 }), /has a symbol as a key/],
  ];

  it.each(refused)("%s", (_name, value, problem) => {
    const error = refusalOf({ role: "user", content: [1, 2, { data: value }] }, "messages[0]");
    expect(error.message).toMatch(problem);
    expect(error.message).toMatch(/^messages\[0\]\.content\[2\]\.data /);
    expect(error.advice).toMatch(/\.$/);
  });

  it.each(refused)("%s beside bytes", (_name, value, problem) => {
    expect(refusalOf({ bytes: new Uint8Array(1), "odd key": value }).message).toMatch(problem);
    expect(refusalOf({ bytes: new Uint8Array(1), "odd key": value }).message).toMatch(
      /^message\["odd key"\] /,
    );
  });

  it("undefined and holes inside arrays", () => {
    expect(refusalOf({ content: [1, undefined] }).message).toBe(
      "message.content[1] is undefined inside an array",
    );
    expect(refusalOf({ content: new Array(2) }).message).toBe(
      "message.content[0] is undefined inside an array",
    );
  });

  it("what stands behind values that are right", () => {
    const message = { ok: [1, [null]], bytes: new Uint8Array(1), absent: undefined, bad: Number.NaN };
    expect(refusalOf(message).message).toMatch(/^message\.bad is NaN/);
  });

  it("cycles", () => {
    const loop: Record<string, unknown> = { role: "user" };
    loop.content = [{ again: loop }];
    expect(refusalOf(loop).message).toBe("message.content[0].again is a circular reference");
  });

  it("nesting beyond the limit, and not at it", () => {
    const nested = (depth: number): object => (depth === 1 ? {} : { a: nested(depth - 1) });
    expect(encodeOriginal(nested(MAX_NESTING)).format).toBe("message");
    expect(refusalOf(nested(MAX_NESTING + 1)).message).toMatch(/nested deeper than 1000$/);
    const lists: unknown = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`);
    expect(refusalOf({ lists }).message).toMatch(/nested deeper than 1000$/);
  });

  it.each([["text"], [5], [null], [undefined], [[]], [new Uint8Array(1)], [new Point()], [() => 1]])(
    "a message that is %o",
    (value) => {
      expect(refusalOf(value).message).toBe("message is not a plain object");
    },
  );

  it("what it accepts, it gives back; what it refuses, it names", () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withSparseArray: true,
      withBoxedValues: true,
      withNullPrototype: true,
    });
    fc.assert(
      fc.property(anything, (content) => {
        try {
          const { format, text } = encodeOriginal({ content });
          const decoded = decodeOriginal(format, text);
          deepStrictEqual(decoded, asKept({ content }));
          strictEqual(encodeOriginal(decoded).text, text);
        } catch (error) {
          if (!(error instanceof PalimpsestError)) throw error;
          // A path is hidden if a key in it looks like a credential.
          expect(error.message).toMatch(/^(?:message\.content|…)/);
          expect(error.advice).toBeDefined();
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("a damaged original", () => {
  it.each([
    ["not JSON", "message", "{"],
    ["an unknown tag", "message+binary", '{"a":{"$palimpsest":"Float64","data":"AAAA"}}'],
    ["a tag without data", "message+binary", '{"a":{"$palimpsest":"Uint8Array"}}'],
    ["a URL that is none", "message+binary", '{"a":{"$palimpsest":"URL","data":"::"}}'],
  ] as const)("is reported: %s", (_name, format, text) => {
    expect(() => decodeOriginal(format, text)).toThrow(expect.objectContaining({ code: "store-corrupt" }));
  });

  it("is not one when a plain message holds our tag", () => {
    const message = { content: { $palimpsest: "Uint8Array", data: "AAAA", $$palimpsest: 1 } };
    deepStrictEqual(roundTrip(message), message);
  });
});
