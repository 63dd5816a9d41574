import { describe, expect, it } from "vitest";
import { digestIdentity, identitiesOf, tellsFile } from "./entry-identity.ts";

const HASH = "ab".repeat(32);
const AT = "2026-03-01T10:00:00.000Z";
const entry = (key: string, createdAt = AT) => ({ key, role: "user" as const, createdAt });
const UUID = "0f8b6c1e-1111-4222-8333-944455556666";

describe("what identifies an entry of a host", () => {
  it("is an id that is random, in any conversation, at any time and in any version", () => {
    const one = identitiesOf(entry(UUID), "conv_a");
    expect(identitiesOf(entry(`${UUID}~2`, "2027-01-01T00:00:00.000Z"), "conv_b")).toEqual(one);
    expect(identitiesOf(entry("msg_01AbCdEf0123456789xyz9"), "conv_a")).toEqual(
      identitiesOf(entry("msg_01AbCdEf0123456789xyz9", "2027-01-01T00:00:00.000Z"), "conv_b"),
    );
  });

  it("is a key that sessions may share, together with the time", () => {
    expect(identitiesOf(entry("turn-1#0"), "conv_a")).toEqual(identitiesOf(entry("turn-1#0"), "conv_b"));
    expect(identitiesOf(entry("turn-1#0"), "conv_a")).not.toEqual(
      identitiesOf(entry("turn-1#0", "2027-01-01T00:00:00.000Z"), "conv_b"),
    );
    expect(identitiesOf(entry("abcdefghijklmnopqrstuvwxyz"), "conv_a")[0]).toContain(AT);
  });

  it("is the key of an attached file in its own conversation", () => {
    const key = `file:${HASH}:list.txt#0`;
    expect(identitiesOf(entry(key), "conv_a")).not.toEqual(identitiesOf(entry(key), "conv_b"));
    expect([key, `upload#file:${HASH}`, `file:${HASH}:`].map(tellsFile)).toEqual([true, true, true]);
    expect(["file:list.txt", `x file:${HASH}:a`, `#file:${HASH}0`].map(tellsFile)).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("is nothing of a key that is made from content", () => {
    expect(identitiesOf(entry(`sha256:${HASH.slice(0, 32)}:1`), "conv_a")).toEqual([]);
  });

  it("is kept as a digest that depends on the salt", () => {
    expect(digestIdentity("aa", "id")).toMatch(/^[0-9a-f]{32}$/);
    expect(digestIdentity("aa", "id")).not.toBe(digestIdentity("bb", "id"));
  });
});
