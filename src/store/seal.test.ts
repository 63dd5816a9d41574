import { describe, expect, it } from "vitest";
import { sha256 } from "../text/bytes.ts";
import type { StoredMemory } from "./memory-store.ts";
import {
  CONTENT_KEY_PREFIX,
  chainHash,
  digestContent,
  follows,
  hashSummaryText,
  matchesDigest,
  merkleRoot,
  sealDescription,
  sealFacts,
  sealFile,
  sealMessage,
  sealWords,
  turnKeysDigest,
  unversionedKey,
  versionKey,
} from "./seal.ts";
import type { StoredMessage } from "./store.ts";
import { AT, sampleMessage } from "./testing/sample.ts";
import { later, storedMemory } from "./testing/sample-memory.ts";

const SALT = "00112233445566778899aabbccddeeff";
const OTHER = sha256("other");
const LATER = later(1);
const message = { seq: 1, role: "user", format: "message", createdAt: "2026-03-01T10:00:00.000Z" } as const;

describe("sealing", () => {
  it("covers salt and content, text and bytes alike", () => {
    const expected = sha256(Buffer.concat([Buffer.from(SALT, "hex"), Buffer.from("grüße")]));
    expect(digestContent(SALT, "grüße")).toBe(expected);
    expect(digestContent(SALT, Buffer.from("grüße"))).toBe(expected);
    expect(digestContent("ff".repeat(16), "grüße")).not.toBe(expected);
  });

  it("covers every byte of texts around the size up to which they are hashed in place", () => {
    // A unit takes three bytes at most, so the largest such text has (65,536 - 32) / 3 units.
    for (const length of [21_834, 21_835, 22_000, 65_536, 200_000]) {
      const content = "語".repeat(length);
      const expected = sha256(Buffer.concat([Buffer.from(SALT, "hex"), Buffer.from(content)]));
      expect(digestContent(SALT, content)).toBe(expected);
    }
  });

  it("hashes the previous hash and what stands beside the content, line by line", () => {
    const digest = digestContent(SALT, "x");
    const lines = ["ab", 1, "user", "message", "2026-03-01T10:00:00.000Z", digest].join("\n");
    expect(chainHash("ab", message, digest)).toBe(sha256(lines));
    const sealed = sealMessage("ab", 7, { ...sampleMessage("k"), ...message, salt: SALT, content: "x" });
    expect(sealed).toEqual({ digest, hash: chainHash("ab", { ...message, seq: 7 }, digest) });
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
    expect(merkleRoot([])).toBe(sha256(""));
    expect(merkleRoot([a])).toBe(sha256(`leaf\n${a}`));
    const pair = sha256(`node\n${sha256(`leaf\n${a}`)}\n${sha256(`leaf\n${b}`)}`);
    const alone = sha256(`node\n${sha256(`leaf\n${c}`)}\n`);
    expect(merkleRoot([a, b, c])).toBe(sha256(`node\n${pair}\n${alone}`));
    expect(merkleRoot([a, b])).toBe(sha256(`node\n${sha256(`leaf\n${a}`)}\n${sha256(`leaf\n${b}`)}`));
  });

  it("names versions of a key", () => {
    expect([1, 2, 10].map((version) => versionKey("k", version))).toEqual(["k", "k~2", "k~10"]);
  });

  it("finds the key of a version again", () => {
    expect(["k", "k~2", "k~10", "a~2~3", "~7", "k~", "k~2x", "k~x"].map(unversionedKey)).toEqual([
      "k",
      "k",
      "k",
      "a~2",
      "",
      "k~",
      "k~2x",
      "k~x",
    ]);
  });

  it("tells turns apart by their keys and where one ends", () => {
    const digests = [[], ["a"], ["a", "b"], ["b", "a"], ["a,b"], ["ab"]].map(turnKeysDigest);
    expect(new Set(digests).size).toBe(digests.length);
    expect(turnKeysDigest(["a", "b"])).toBe(sha256('["a","b"]'));
  });

  it("keeps the hash of a summary's text while there is a text", () => {
    expect(hashSummaryText("text")).toBe(sha256("text"));
    expect(hashSummaryText("")).toBe(sha256(""));
    expect(hashSummaryText(null)).toBeNull();
    expect(CONTENT_KEY_PREFIX).toBe("sha256:");
  });
});

describe("following a chain", () => {
  const end = { lastSeq: 4, hash: sha256("before") };
  const next = sampleMessage("k", "k", { salt: SALT });
  const sealed = (): StoredMessage => ({
    ...next,
    ...sealMessage(end.hash, 5, next),
    seq: 5,
    erasedAt: null,
  });
  const erased = (): StoredMessage => ({ ...sealed(), content: null, salt: null, erasedAt: next.createdAt });

  it("accepts the next message, also once it is erased", () => {
    expect(follows(end, sealed())).toBe(true);
    expect(follows(end, erased())).toBe(true);
    expect(follows(end, { ...sealed(), salt: null })).toBe(true);
    expect(follows(end, { ...sealed(), content: null })).toBe(true);
  });

  it.each<[string, Partial<StoredMessage>]>([
    ["another content", { content: "other" }],
    ["another salt", { salt: "ff".repeat(16) }],
    ["another digest", { digest: OTHER }],
    ["another hash", { hash: OTHER }],
    ["another role", { role: "assistant" }],
    ["another number", { seq: 6 }],
  ])("refuses %s", (_, change) => {
    expect(follows(end, { ...sealed(), ...change })).toBe(false);
  });

  it("refuses a message that does not follow, even if its own hash is right", () => {
    expect(follows({ ...end, hash: OTHER }, sealed())).toBe(false);
    expect(follows({ ...end, lastSeq: 3 }, sealed())).toBe(false);
    expect(follows({ ...end, lastSeq: 5 }, sealed())).toBe(false);
    expect(follows(end, { ...erased(), digest: OTHER })).toBe(false);
  });
});

describe("the digest of a content", () => {
  const whole = { content: "text", salt: SALT, digest: digestContent(SALT, "text") };

  it("matches only the content and the salt that it was made of", () => {
    expect(matchesDigest(whole)).toBe(true);
    expect(matchesDigest({ ...whole, content: "other" })).toBe(false);
    expect(matchesDigest({ ...whole, salt: "ff".repeat(16) })).toBe(false);
    expect(matchesDigest({ ...whole, digest: OTHER })).toBe(false);
  });

  it("says nothing against an erased content, and refuses one without its salt", () => {
    expect(matchesDigest({ content: null, salt: null, digest: OTHER })).toBe(true);
    expect(matchesDigest({ ...whole, salt: null })).toBe(false);
  });
});

describe("the seals of a memory", () => {
  const support = { context: "work", confirmations: 1, contradictions: 2, lastObservedAt: AT };
  const memory = storedMemory({ support: [support], tags: ["a", "b"] });
  const seals = (more: Partial<StoredMemory>) => {
    const changed = { ...memory, ...more };
    return [sealWords(changed) !== sealWords(memory), sealFacts(changed) !== sealFacts(memory)];
  };

  it.each<Partial<StoredMemory>>([
    { id: "mem_0" },
    { createdAt: LATER },
    { validFrom: LATER },
    { origin: "import" },
    { speaker: "user" },
    { abstract: "other" },
    { overview: "other" },
    { content: "other" },
  ])("cover in one what it says and where it comes from: %o", (more) => {
    expect(seals(more)).toEqual([true, false]);
  });

  it.each<Partial<StoredMemory>>([
    { category: "events" },
    { tier: "core" },
    { importance: 0.6 },
    { confidence: 0.6 },
    { temporalType: "dynamic" },
    { factKey: "key" },
    { validUntil: LATER },
    { archivedAt: LATER },
    { archivedReason: "old" },
    { tags: ["b", "a"] },
    { support: [] },
    { support: [{ ...support, context: "evening" }] },
    { support: [{ ...support, confirmations: 2 }] },
    { support: [{ ...support, contradictions: 1 }] },
    { support: [{ ...support, lastObservedAt: LATER }] },
  ])("cover in the other what a revision changes: %o", (more) => {
    expect(seals(more)).toEqual([false, true]);
  });

  it("do not change when the memory is used", () => {
    expect(seals({ accessCount: 7, lastAccessedAt: LATER, updatedAt: LATER })).toEqual([false, false]);
  });
});

describe("the seal of a file", () => {
  const file = {
    id: "file_0",
    kind: "file",
    name: "a.txt",
    mime: "text/plain",
    tool: null,
    description: "Text.",
    origin: "ingest",
    createdAt: AT,
  } as const;

  it.each<Partial<Parameters<typeof sealFile>[0]>>([
    { id: "file_1" },
    { kind: "tool-output" },
    { name: null },
    { mime: null },
    { tool: "read" },
    { description: "Other." },
    { origin: "migration" },
    { createdAt: LATER },
  ])("covers what is known when it arrives: %o", (more) => {
    expect(sealFile({ ...file, ...more })).not.toBe(sealFile(file));
  });

  it("has one for its description, once a model has written it", () => {
    const described = { text: "A list.", model: "provider/model", at: AT };
    const others = [described, { text: "Two lists." }, { model: "provider/other" }, { at: LATER }];
    expect(new Set(others.map((more) => sealDescription({ ...described, ...more }))).size).toBe(4);
    expect(sealDescription(described)).toMatch(/^[0-9a-f]{64}$/);
    expect(sealDescription(null)).toBeNull();
  });
});
