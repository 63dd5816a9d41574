/** Time travel: shows again what the model saw before it generated a turn, from the receipt of that turn. */

import type { z } from "zod";
import { PalimpsestError } from "../../errors.ts";
import { everyRow } from "../../store/every-row.ts";
import type { ScopedStore, StoredConversation, StoredReceipt, StoredTurn } from "../../store/store.ts";
import type { atInput, diffInput } from "../inputs.ts";
import { requireConversation } from "../read/read-messages.ts";
import { type Receipt, receiptSchema } from "../read/receipt.ts";
import type { AssembleDependencies } from "./assemble.ts";
import { type AssembledItem, toItem } from "./entry.ts";
import { renderView } from "./render-messages.ts";
import { shownEntries } from "./shown-entries.ts";
import { hashOf, RENDERER } from "./write-receipt.ts";

export type AtInput = z.input<typeof atInput>;

export interface ReplayResult {
  readonly conversation: string;
  readonly turn: StoredTurn;
  /** When the turn was committed. */
  readonly at: string;
  readonly receipt: Receipt;
  readonly messages: readonly unknown[];
  readonly system: string | null;
  readonly systemPromptAddition: string | null;
  readonly items: readonly AssembledItem[];
  /** Memories that were given with the messages; null if there were none. */
  readonly recalled: RecalledAgain | null;
  /** Null if the bytes are identical; otherwise why they are not. */
  readonly differs: string | null;
  /** File descriptions are those from before this time; null if all later descriptions are included. */
  readonly shownBefore: string | null;
}

export interface RecalledAgain {
  /** Empty if none of them has text any more. */
  readonly text: string;
  readonly tokens: number;
  readonly ids: readonly string[];
}

export type DiffInput = z.input<typeof diffInput>;

export interface DiffResult {
  readonly conversation: string;
  readonly from: ReplayResult;
  readonly to: ReplayResult;
  readonly added: readonly AssembledItem[];
  readonly removed: readonly AssembledItem[];
  readonly kept: number;
  /** Items of the common prefix. */
  readonly samePrefix: number;
}

export async function replay(input: AtInput, use: AssembleDependencies): Promise<ReplayResult> {
  const conversation = await requireConversation(use.store, input.conversation);
  const { id } = conversation;
  const turn = await requireTurn(use.store, conversation, input.turn);
  const stored = await requireReceipt(use.store, id, turn);
  const receipt = readReceipt(stored);
  const { entries, missing, addition, rendered, before } = await showAgain(id, stored, receipt, use);
  const { recalled, differs } = await recallAgain(receipt, use);
  return {
    conversation: id,
    turn,
    at: stored.at,
    receipt,
    messages: rendered.messages,
    system: rendered.system,
    systemPromptAddition: addition,
    items: entries.map(toItem),
    recalled,
    differs: hashOf(rendered) === receipt.hash ? differs : whyItDiffers(receipt, missing),
    shownBefore: before,
  };
}

/** Memories never change, so the text is the same unless it was erased. */
async function recallAgain(
  { recalled }: Receipt,
  { recallAgain }: AssembleDependencies,
): Promise<{ readonly recalled: RecalledAgain | null; readonly differs: string | null }> {
  if (recalled === undefined) return { recalled: null, differs: null };
  const { ids } = recalled;
  if (recallAgain === null)
    return { recalled: { text: "", tokens: 0, ids }, differs: "its memories cannot be read from here" };
  const { text, tokens, missing } = await recallAgain(recalled);
  return { recalled: { text, tokens, ids }, differs: whyMemoriesDiffer(missing, tokens !== recalled.tokens) };
}

function whyMemoriesDiffer(missing: number, isOther: boolean): string | null {
  if (missing > 0) return `${missing} of its memories were erased since, or cannot be read from here`;
  return isOther ? "its memories have changed since" : null;
}

/**
 * As of the time of the turn. A model may have described a file between the assembly and the turn, or in another
 * process whose text this one had not read yet: then the model saw an older or a newer version.
 */
async function showAgain(id: string, { at }: StoredReceipt, receipt: Receipt, use: AssembleDependencies) {
  const show = async (before: string | null) => {
    const { entries, missing } = await shownEntries(id, receipt, use, before);
    return { entries, missing, ...renderView(entries, factsOf(receipt), use.meter), before };
  };
  const asOfTurn = await show(at);
  if (hashOf(asOfTurn.rendered) === receipt.hash || asOfTurn.missing > 0) return asOfTurn;
  for (const time of await otherTimes(use.store, id, at)) {
    const shown = await show(time);
    if (hashOf(shown.rendered) === receipt.hash) return shown;
  }
  return asOfTurn;
}

/** Renderer 1 told the model nothing of left-out items, renderer 2 only in these budgets; neither shortened its note. */
const LEAST_BUDGET = [Infinity, 600] as const;

function factsOf({ renderer, format, left, budget }: Receipt): Parameters<typeof renderView>[1] {
  const least = LEAST_BUDGET[renderer - 1];
  if (least === undefined) return { format, left, budget };
  return { format, left: budget < least ? 0 : left, budget: Infinity };
}

/** A compaction describes few files, and the model rarely saw anything older than one compaction. */
const MOST_TIMES = 16;

/** Now, and the time before each description, newest first; empty if no file was described. */
async function otherTimes(store: ScopedStore, conversation: string, turnAt: string) {
  const times = new Set<string>();
  const files = everyRow(
    (from) => store.files({ conversation, kind: "file", from }),
    Number.MAX_SAFE_INTEGER,
  );
  for await (const { described } of files) if (described !== null) times.add(described.at);
  const earlier = [...times]
    .filter((time) => time <= turnAt)
    .toSorted()
    .toReversed();
  return times.size === 0 ? [] : [null, ...earlier.slice(0, MOST_TIMES)];
}

function readReceipt({ content, firstSeq }: StoredReceipt): Receipt {
  try {
    return receiptSchema.parse(JSON.parse(content));
  } catch (cause) {
    throw new PalimpsestError("store-corrupt", `the receipt of the turn at ${firstSeq} cannot be read`, {
      cause,
    });
  }
}

function whyItDiffers(receipt: Receipt, missing: number): string {
  if (missing > 0) return `${missing} of its items were erased since`;
  if (receipt.renderer !== RENDERER) return "it was rendered by another version";
  return "the stored items do not match the receipt; run: lcm verify";
}

export async function diffTurns(input: DiffInput, use: AssembleDependencies): Promise<DiffResult> {
  const { conversation } = input;
  const [from, to] = [
    await replay({ conversation, turn: input.from }, use),
    await replay({ conversation, turn: input.to }, use),
  ];
  const [before, after] = [idsOf(from), idsOf(to)];
  let samePrefix = 0;
  while (samePrefix < from.items.length && from.items[samePrefix]?.id === to.items[samePrefix]?.id)
    samePrefix++;
  return {
    conversation: from.conversation,
    from,
    to,
    added: to.items.filter((item) => !before.has(item.id)),
    removed: from.items.filter((item) => !after.has(item.id)),
    kept: from.items.filter((item) => after.has(item.id)).length,
    samePrefix,
  };
}

function idsOf({ items }: ReplayResult): Set<string> {
  return new Set(items.map((item) => item.id));
}

const WHEN_KEPT = "A receipt is stored if the context was assembled before the turn was committed";

async function requireTurn(
  store: ScopedStore,
  { id, messageCount }: StoredConversation,
  wanted: string | number,
): Promise<StoredTurn> {
  if (typeof wanted === "number" && !(wanted >= 1 && wanted <= messageCount))
    throw new PalimpsestError("not-found", `there is no message ${wanted}`, {
      advice:
        messageCount === 0 ? "The conversation has no messages." : `It has messages 1 to ${messageCount}.`,
    });
  const turn =
    typeof wanted === "number" ? await turnWith(store, id, wanted) : await turnByKey(store, id, wanted);
  if (turn !== undefined) return turn;
  if (typeof wanted === "number")
    throw new PalimpsestError("not-found", `message ${wanted} was imported, so it has no receipt`, {
      advice: `What the model saw before it is unknown. Read the message with: lcm read ${id} from=${wanted}`,
    });
  throw new PalimpsestError("not-found", `there is no turn ${wanted}`, {
    advice: "Use the key of a turn, or the number of a message in it.",
  });
}

async function turnByKey(store: ScopedStore, id: string, key: string): Promise<StoredTurn | undefined> {
  for await (const turn of everyRow((from) => store.turns(id, { from }))) if (turn.key === key) return turn;
  return undefined;
}

/** Searches backwards from the message in growing steps, because turns are found only by their first seq. */
async function turnWith(store: ScopedStore, id: string, seq: number): Promise<StoredTurn | undefined> {
  for (let reach = 64; ; reach *= 8) {
    const from = Math.max(0, seq - reach);
    const turns: StoredTurn[] = [];
    for await (const turn of everyRow((next) => store.turns(id, { from: next, to: seq }), from))
      turns.push(turn);
    const last = turns.at(-1);
    if (last !== undefined) return seq < last.firstSeq + last.messageCount ? last : undefined;
    if (from === 0) return undefined;
  }
}

async function requireReceipt(store: ScopedStore, id: string, turn: StoredTurn): Promise<StoredReceipt> {
  const page = await store.receipts(id, { from: turn.firstSeq, to: turn.firstSeq, limit: 1 });
  const receipt = page.rows[0];
  if (receipt !== undefined) return receipt;
  throw new PalimpsestError("not-found", `turn ${turn.key} has no receipt`, {
    advice: (await hasErasedBefore(store, id, turn.firstSeq))
      ? `${WHEN_KEPT}. Receipts after an erased message are deleted, because they were computed from it.`
      : `${WHEN_KEPT}.`,
  });
}

async function hasErasedBefore(store: ScopedStore, id: string, end: number): Promise<boolean> {
  const rows = everyRow((from) => store.messages(id, { from, to: end, withoutContent: true }), 1);
  for await (const { seq, erasedAt } of rows) if (seq < end && erasedAt !== null) return true;
  return false;
}
