/**
 * Compares captured memories with labels by their words, because a memory names its source messages but not a place in
 * them, and rules may change case or a pronoun. Only labels of the memory's own source messages count. A memory is right
 * when at least half of its words are in those labels, so a memory of a whole long message is not. A label is found
 * when a right memory shares at least half of the words of the shorter of the two.
 */
import type { Memory } from "../../src/index.ts";
import type { Label } from "./read-labels.ts";

type Captured = Pick<Memory, "abstract" | "sources">;

export interface Score<One extends Captured = Memory> {
  readonly right: readonly One[];
  readonly wrong: readonly One[];
  readonly found: readonly Label[];
  readonly missed: readonly Label[];
}

const ENOUGH = 0.5;

export function scoreCapture<One extends Captured>(
  memories: readonly One[],
  labels: readonly Label[],
): Score<One> {
  const right = memories.filter((memory) => isRight(memory, labels));
  const isFound = (label: Label) =>
    right.some((memory) => isSaidAt(memory, label) && overlaps(memory, label));
  return {
    right,
    wrong: memories.filter((memory) => !right.includes(memory)),
    found: labels.filter(isFound),
    missed: labels.filter((label) => !isFound(label)),
  };
}

function isRight(memory: Captured, labels: readonly Label[]): boolean {
  const own = labels.filter((label) => isSaidAt(memory, label));
  const labelled = new Set(own.flatMap(({ text }) => [...wordsOf(text)]));
  const words = wordsOf(memory.abstract);
  return shared(words, labelled) >= ENOUGH * words.size && own.some((label) => overlaps(memory, label));
}

function isSaidAt({ sources }: Captured, { seq }: Label): boolean {
  return sources.some(({ firstSeq, lastSeq }) => firstSeq <= seq && seq <= lastSeq);
}

function overlaps({ abstract }: Captured, { text }: Label): boolean {
  const said = wordsOf(abstract);
  const labelled = wordsOf(text);
  return shared(said, labelled) >= ENOUGH * Math.min(said.size, labelled.size);
}

function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return [...one].filter((word) => other.has(word)).length;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}
