import { describe, expect, it } from "vitest";
import { z } from "zod";
import { describeMisfits, type MisfitOptions, sentenceOf } from "./describe-misfit.ts";

function sentence(schema: z.ZodType, given: unknown, options?: MisfitOptions): string {
  const { error } = schema.safeParse(given);
  if (error === undefined) throw new Error("the schema takes it");
  return sentenceOf(describeMisfits(error, given, options));
}

const one = (field: z.ZodType) => z.strictObject({ key: field });

describe("what a schema refuses", () => {
  it.each<[z.ZodType, unknown, string]>([
    [z.string(), 7, "key must be text, not 7"],
    [z.string().min(1), "", "key must not be empty"],
    [z.number().int(), 1.5, "key must be a whole number, not 1.5"],
    [z.number().int().min(1), 0, "key must be at least 1, not 0"],
    [z.number().int(), undefined, "key is missing; it must be a number"],
    [z.boolean(), "maybe", 'key must be true or false, not "maybe"'],
    [z.enum(["a", "b"]), "c", 'key must be one of a, b, not "c"'],
    [z.array(z.string()), { a: 1 }, "key must be a list, not an object"],
    [z.array(z.string()).min(1), [], "key must not be empty: pass at least one value, or omit it"],
    [z.array(z.string()), ["a", null], "key[1] must be text, not null"],
    [z.union([z.string(), z.strictObject({})]), 7, "key must be text or an object, not 7"],
    [z.iso.datetime(), "today", 'key must be a time such as 2026-03-01T10:00:00.000Z, not "today"'],
    [z.string().refine(() => false, "must be known"), "x", 'key must be known, not "x"'],
    [z.number().gt(0), 0, "key must be more than 0, not 0"],
    [z.number().lt(1), 1, "key must be less than 1, not 1"],
    [z.string().refine(() => false, "needs another"), "x", "key needs another"],
    [z.string().refine(() => false, "there is no x"), "x", "key: there is no x"],
    [z.string().max(3), "x".repeat(99), "key must have at most 3 characters, not 99"],
    [z.array(z.string()).max(1), ["a", "b"], "key must have at most 1 entries, not 2"],
    [z.enum(["long"]), "x".repeat(99), `key must be long, not "${"x".repeat(40)}…"`],
  ])("is said in a sentence", (field, given, expected) => {
    expect(sentence(one(field), { key: given })).toBe(expected);
  });

  it("names keys that are not known, and every misfit", () => {
    expect(sentence(one(z.string()), { key: 1, other: 2 })).toBe(
      'key must be text, not 1; does not take "other"',
    );
    const rows = z.discriminatedUnion("row", [one(z.string()).extend({ row: z.literal("a") })]);
    expect(sentence(rows, { row: "b" })).toBe('row must be a, not "b"');
  });

  it("repeats neither passwords nor, when asked, any words", () => {
    const refused = z.string().refine(() => false, "must be an address");
    expect(sentence(one(refused), { key: "mysql://me:hunter2@host" })).toBe(
      'key must be an address, not "mysql://…"',
    );
    expect(sentence(one(refused), { key: "me:hunter2@host" })).not.toContain("hunter2");
    expect(sentence(one(refused), { key: "host=x password=hunter2" })).not.toContain("hunter2");
    expect(sentence(one(refused), { key: "hunter2" }, { isSecret: true })).toBe("key must be an address");
    expect(sentence(one(z.string()), { key: 7 }, { isSecret: true })).toBe("key must be text");
    expect(sentence(one(z.number()), { key: "said" }, { isPrivate: true })).toBe(
      "key must be a number, not other text",
    );
  });
});
