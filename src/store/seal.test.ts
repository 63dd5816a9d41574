import { describe, expect, it } from "vitest";
import { sha256 } from "../text/hash.ts";
import { chainHash, digestContent, merkleRoot, versionKey } from "./seal.ts";

const SALT = "00112233445566778899aabbccddeeff";
const message = { seq: 1, role: "user", format: "message", createdAt: "2026-03-01T10:00:00.000Z" } as const;

describe("sealing", () => {
  it("covers salt and content, text and bytes alike", () => {
    const expected = sha256(Buffer.concat([Buffer.from(SALT, "hex"), Buffer.from("grüße")]));
    expect(digestContent(SALT, "grüße")).toBe(expected);
    expect(digestContent(SALT, Buffer.from("grüße"))).toBe(expected);
    expect(digestContent("ff".repeat(16), "grüße")).not.toBe(expected);
  });

  it("changes with everything that stands beside the content", () => {
    const digest = digestContent(SALT, "x");
    const hash = chainHash("", message, digest);
    const others = [
      chainHash("ab", message, digest),
      chainHash("", { ...message, seq: 2 }, digest),
      chainHash("", { ...message, role: "assistant" }, digest),
      chainHash("", { ...message, format: "pi" }, digest),
      chainHash("", { ...message, createdAt: "2026-03-01T10:00:00.001Z" }, digest),
      chainHash("", message, digestContent(SALT, "y")),
    ];
    expect(new Set([hash, ...others]).size).toBe(7);
  });

  it("gives a root that depends on each hash, their order and their number", () => {
    const [a, b, c] = ["a", "b", "c"].map(sha256) as [string, string, string];
    const roots = [[], [a], [a, b], [b, a], [a, b, c], [a, b, c, c], [a, a]].map(merkleRoot);
    expect(new Set(roots).size).toBe(roots.length);
    expect(merkleRoot([a, b])).toBe(sha256(`node\n${sha256(`leaf\n${a}`)}\n${sha256(`leaf\n${b}`)}`));
  });

  it("names versions of a key", () => {
    expect([1, 2, 10].map((version) => versionKey("k", version))).toEqual(["k", "k~2", "k~10"]);
  });
});
