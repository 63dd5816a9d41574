/**
 * Finds items of the context that match a prompt, at any position: the search index returns matching messages and
 * summaries, and each is shown by the item that represents it, itself or a summary above it. It reads only the shape
 * of the context and the best matches that fit.
 */

import { questionWords } from "../../search/question-words.ts";
import { ORDINAL_GAP, type ScopedStore, type ShapeItem } from "../../store/store.ts";
import type { CountTokens } from "../../text/estimate-tokens.ts";
import { messageId } from "../../text/identifiers.ts";
import { ITEM_OVERHEAD } from "../compact/plan/evaluate.ts";
import { readShape } from "../compact/plan/read-shape.ts";
import { parseQuery } from "../retrieve/parse-query.ts";
import type { Searcher, SearchHit } from "../retrieve/search.ts";
import { bestUnits, type Scores } from "./choose-relevant.ts";
import { type Entry, messageEntry, summaryEntry } from "./entry.ts";

export interface Relevant {
  readonly scores: Scores;
  /** The best matches from before the window, oldest first. */
  readonly entries: readonly Entry[];
}

interface RelevanceDependencies {
  readonly store: ScopedStore;
  readonly searcher: Searcher;
  readonly countTokens: CountTokens;
}

/** More matches than any window shows. */
const MOST_HITS = 100;

export async function findRelevant(
  conversation: string,
  prompt: string,
  { firstOrdinal, maxTokens }: { readonly firstOrdinal: number; readonly maxTokens: number },
  use: RelevanceDependencies,
): Promise<Relevant> {
  const hits = await search(conversation, prompt, use.searcher);
  if (hits.length === 0) return { scores: new Map(), entries: [] };
  const items = (await readShape(use.store, conversation)).map(withTools);
  const scores = scoreItems(items, hits);
  const before = items.filter(({ ordinal }) => ordinal < firstOrdinal);
  const chosen = fitting(before, scores, maxTokens);
  const read = await Promise.all(chosen.map((item) => readEntry(conversation, item, use)));
  const idOf = (item: ShapeItem) =>
    item.type === "message" ? messageId(conversation, item.seq) : item.summary;
  return {
    scores: new Map([...scores].map(([item, score]) => [idOf(item), score])),
    // Items compacted or erased since the window was read are neither shown twice nor shown empty.
    entries: read.flatMap(({ entry, lastSeq }) =>
      entry !== null && lastSeq * ORDINAL_GAP < firstOrdinal ? entry : [],
    ),
  };
}

async function search(conversation: string, prompt: string, searcher: Searcher) {
  const words = questionWords(prompt);
  if (words === "") return [];
  const filter = {
    conversations: new Set([conversation]),
    kinds: null,
    speakers: null,
    tool: null,
    since: Number.NEGATIVE_INFINITY,
    before: Number.POSITIVE_INFINITY,
  };
  const matcher = { type: "words", terms: parseQuery(words) } as const;
  // A single page is enough.
  const page = { limit: MOST_HITS, cursor: null, digest: "" };
  const query = { matcher, filter, order: "relevance", ...page } as const;
  return (await searcher.search(query)).hits;
}

type Item = ShapeItem & { readonly toolCalls: readonly string[]; readonly toolResults: readonly string[] };

function withTools(item: ShapeItem): Item {
  return item.type === "message" ? item : { ...item, toolCalls: [], toolResults: [] };
}

/** The score of an item is the best score of any document that it represents. */
function scoreItems(items: readonly Item[], hits: readonly SearchHit[]): Map<Item, number> {
  const scores = new Map<Item, number>();
  for (const { document, score } of hits) {
    const item = itemFor(items, document);
    if (item !== undefined) scores.set(item, Math.max(scores.get(item) ?? 0, score ?? 0));
  }
  return scores;
}

/** The item that represents a document; undefined for a message that left the context. */
function itemFor(items: readonly Item[], document: SearchHit["document"]): Item | undefined {
  if ("message" in document && document.message.excluded !== null) return undefined;
  const seq = "message" in document ? document.message.seq : document.summary.firstSeq;
  const item = items[lastAtOrBefore(items, seq * ORDINAL_GAP)];
  if (item?.type === "message") return "message" in document && item.seq === seq ? item : undefined;
  return item;
}

function lastAtOrBefore(items: readonly Item[], ordinal: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.ordinal ?? Infinity) <= ordinal) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The best units that fit, in the order of the context. */
function fitting(items: readonly Item[], scores: ReadonlyMap<Item, number>, maxTokens: number): Item[] {
  const chosen: Item[] = [];
  let left = maxTokens;
  for (const unit of bestUnits(items, (item) => scores.get(item) ?? 0)) {
    const cost = unit.reduce((sum, { tokenCount }) => sum + tokenCount + ITEM_OVERHEAD, 0);
    if (cost > left) continue;
    left -= cost;
    chosen.push(...unit);
  }
  return chosen.sort((a, b) => a.ordinal - b.ordinal);
}

async function readEntry(
  conversation: string,
  item: Item,
  { store, countTokens }: RelevanceDependencies,
): Promise<{ readonly entry: Entry | null; readonly lastSeq: number }> {
  if (item.type === "summary") {
    const summary = await store.summary(item.summary);
    if (summary === undefined || summary.content === null) return { entry: null, lastSeq: 0 };
    return { entry: summaryEntry(summary, countTokens), lastSeq: summary.lastSeq };
  }
  const { seq } = item;
  const [message] = (
    await store.messages(conversation, { from: seq, to: seq, limit: 1, payloads: "context" })
  ).rows;
  if (message === undefined || message.content === null) return { entry: null, lastSeq: seq };
  return { entry: messageEntry(conversation, message), lastSeq: seq };
}
