import { describe, expect, it } from "vitest";
import { digestIdentity, identitiesOf, isKnownByDigest, tellsFile } from "./entry-identity.ts";

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

  it("is in its conversation the number and the id of a message that is shown with every call", () => {
    expect(identitiesOf(entry("sha256:view:ab12:1:x"), "conv_a")).toEqual([
      "view\nconv_a\nsha256:view:ab12:1",
      "view\nconv_a\nsha256:view:ab12:x",
    ]);
  });

  it("is spelled as it is in stores that have digests of it", () => {
    const key = `file:${HASH}:list.txt#0`;
    expect(identitiesOf(entry(key), "conv_a")).toEqual([`attached\nconv_a\n${key}`]);
    expect(identitiesOf(entry(`${UUID}~2`), "conv_a")).toEqual([`id\n${UUID}`]);
    expect(identitiesOf(entry("turn-1#0~2"), "conv_a")).toEqual([`entry\nturn-1#0\nuser\n${AT}`]);
  });

  it("is random only where it is long, and has letters and digits", () => {
    const isRandom = (key: string) => identitiesOf(entry(key), "conv_a")[0]?.startsWith("id\n");
    expect(["a1".repeat(10), "12ab".repeat(5), UUID.toUpperCase()].map(isRandom)).toEqual([true, true, true]);
    const others = ["a1".repeat(9), "1".repeat(20), "a".repeat(20), UUID.slice(1), UUID.slice(0, -1)];
    expect(others.map(isRandom)).toEqual(others.map(() => false));
  });

  it("is kept by a digest alone where the key tells what was said or attached", () => {
    const keys = [`file:${HASH}:a`, "sha256:view:ab12:1", "sha256:ab12:1", "msg-1"];
    expect(keys.map(isKnownByDigest)).toEqual([true, true, false, false]);
  });

  it("is kept as a digest that depends on the salt", () => {
    expect(digestIdentity("aa", "id")).toMatch(/^[0-9a-f]{32}$/);
    expect(digestIdentity("aa", "id")).not.toBe(digestIdentity("bb", "id"));
  });
});
