/**
 * Assembles a description that fits: always the title, then each section up to its share, then sections in
 * order with the remaining room. Left-out items are counted.
 */
import { count } from "../../../text/counted.ts";
import { clip } from "../../../text/cut-text.ts";
import { estimateTokens } from "../../../text/estimate-tokens.ts";
import type { Section } from "./exploration.ts";

const MOST_TOKENS = 400;
const LONGEST_ITEM = 260;
/** Tokens of `… and 12,345 more` and the line end. */
const REMAINDER = 6;

interface Filled {
  readonly section: Section;
  readonly items: readonly string[];
  taken: number;
  tokens: number;
}

export function fitSections(title: string, sections: readonly Section[]): string {
  const room = MOST_TOKENS - estimateTokens(title) - 2;
  const filled = sections.filter(({ items }) => items.length > 0).map(startSection);
  let left = room - filled.reduce((sum, { tokens }) => sum + tokens, 0);
  for (const part of filled) left -= fill(part, Math.min(left, part.section.share * room));
  for (const part of filled) left -= fill(part, left);
  const text = [title, ...filled.filter(({ taken }) => taken > 0).map(render)].join("\n");
  return estimateTokens(text) <= MOST_TOKENS ? text : clip(text, MOST_TOKENS * 2);
}

function startSection(section: Section): Filled {
  const items = section.items.map((item) => clip(item, LONGEST_ITEM));
  return { section, items, taken: 0, tokens: estimateTokens(section.lead) + REMAINDER + 1 };
}

/** Adds items until one does not fit, and returns the tokens used. */
function fill(part: Filled, room: number): number {
  let used = 0;
  while (part.taken < part.items.length) {
    const cost = estimateTokens(`${part.items[part.taken]}, `);
    if (used + cost > room) break;
    used += cost;
    part.taken++;
  }
  part.tokens += used;
  return used;
}

function render({ section, items, taken }: Filled): string {
  const hidden = section.isChoice === true ? 0 : Math.max(section.total ?? 0, items.length) - taken;
  const all = [
    ...inOrder(section, items.slice(0, taken)),
    ...(hidden > 0 ? [`… and ${count(hidden)} more`] : []),
  ];
  if (section.layout === "inline") return `${section.lead} ${all.join(", ")}`.trim();
  const lines = section.layout === "lines" ? all.map((item) => `- ${item}`) : all;
  return [section.lead, ...lines].filter((line) => line !== "").join("\n");
}

function inOrder({ positions }: Section, shown: readonly string[]): readonly string[] {
  if (positions === undefined) return shown;
  const placed = shown.map((item, index) => ({ item, at: positions[index] ?? 0 }));
  return placed.toSorted((a, b) => a.at - b.at).map(({ item }) => item);
}
