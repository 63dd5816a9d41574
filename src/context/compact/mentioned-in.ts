/** Answers whether a summary mentions an anchor of its source: in full, by its file name, or in other words for a rule. */

import { termsOf } from "../../text/language/content-terms.ts";
import { splitSentences } from "../../text/language/split-sentences.ts";
import { collapseSpaces } from "../../text/spaces.ts";
import { baseName } from "./anchors/read-path.ts";
import { type Anchor, literalAnchors } from "./anchors.ts";
import { EXPAND } from "./format-lines.ts";

/** Share of a rule's terms that one sentence must contain to count as that rule. */
const SAME_RULE = 0.4;

export function mentionedIn(
  summary: string,
  anchorsOf: (text: string) => readonly Anchor[] = literalAnchors,
): (anchor: Anchor) => boolean {
  // The last line lists what the summary leaves out, so it does not count.
  const body = summary
    .split("\n")
    .filter((line) => !line.trimStart().startsWith(EXPAND))
    .join("\n");
  const keys = keysOf(body, anchorsOf(body));
  let flat: string | undefined;
  let sentences: ReadonlyMap<string, readonly number[]> | undefined;
  return (anchor) => {
    if (anchor.kind === "constraint") {
      sentences ??= indexTerms(body);
      return holdsRule(anchor.key.split(" "), sentences);
    }
    if (keys.has(anchor.key)) return true;
    if (anchor.kind === "command") {
      flat ??= collapseSpaces(body.toLowerCase());
      return flat.includes(anchor.key);
    }
    if (anchor.kind === "path") return keys.has(baseName(anchor.key));
    return anchor.kind === "date" && keys.has(anchor.key.slice(-5));
  };
}

function keysOf(body: string, anchors: readonly Anchor[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { kind, key } of anchors) {
    keys.add(key);
    if (kind === "path") keys.add(baseName(key));
    if (kind === "date") keys.add(key.slice(-5));
  }
  for (const word of body.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []) keys.add(word);
  return keys;
}

/** The sentences in which each term occurs. */
function indexTerms(body: string): ReadonlyMap<string, readonly number[]> {
  const index = new Map<string, number[]>();
  for (const [number, sentence] of splitSentences(body).entries())
    for (const term of new Set(termsOf(sentence))) {
      const list = index.get(term);
      if (list === undefined) index.set(term, [number]);
      else list.push(number);
    }
  return index;
}

function holdsRule(terms: readonly string[], index: ReadonlyMap<string, readonly number[]>): boolean {
  const hits = new Map<number, number>();
  for (const term of terms)
    for (const sentence of index.get(term) ?? []) hits.set(sentence, (hits.get(sentence) ?? 0) + 1);
  const needed = Math.ceil(terms.length * SAME_RULE);
  for (const count of hits.values()) if (count >= needed) return true;
  return false;
}
