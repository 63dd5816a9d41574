/** Words for memories that no stemmer changes and nothing else says, and an embedder that sees only what they are about. */
import { createHash } from "node:crypto";
import type { HostEmbedder } from "../../src/model/embed/embedder.ts";

export const SCOPES = ["global", "agent:main"] as const;
export type ScopeName = (typeof SCOPES)[number];

/** A word of its own for each number and name. */
export function rareWord(name: string): string {
  const digits = createHash("sha256").update(name).digest().readUInt32BE(0).toString(26);
  return `zq${[...digits].map((digit) => LETTERS[Number.parseInt(digit, 26)]).join("")}x`;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** What is said of a key, which the newest of is in force. */
export function sayingOf(key: string, word: string): string {
  return `The ${key} of the house is ${word}`;
}

/** What is said of a topic: all of one topic mean the same. */
export function rumourOf(topic: string, word: string): string {
  return `People tell about ${topic} that it is ${word}`;
}

/** The same rumour told in another way: all of one topic say the same, and each name gives a text of its own. */
export function retoldRumour(topic: string, name: string): string {
  const bits = createHash("sha256").update(name).digest();
  const said = Array.from({ length: 24 }, (_, i) => (((bits[i >> 3] ?? 0) >> (i & 7)) & 1 ? "just" : "so"));
  return `People tell about ${topic}, ${said.join(" ")}`;
}

/** The rare word of a saying or a rumour. */
export function rareWordIn(text: string): string {
  return /\bzq[a-z]+x\b/.exec(text)?.[0] ?? "";
}

const DIMENSIONS = 64;

export const TOPIC_EMBEDDER: HostEmbedder = {
  model: "topics",
  dimensions: DIMENSIONS,
  embed: async (texts) => texts.map(vectorOf),
};

function vectorOf(text: string): number[] {
  const about = /about (\w+)/.exec(text)?.[1] ?? text;
  const bits = createHash("sha256").update(about).digest();
  return Array.from({ length: DIMENSIONS }, (_, i) => (((bits[i >> 3] ?? 0) >> (i & 7)) & 1 ? 1 : -1));
}
