/**
 * Assembles what the model sees: summaries of old messages and the newest messages unchanged, within the budget. The
 * cost depends on the window and not on the history. The same store and input give the same bytes.
 */

import type { z } from "zod";
import { PalimpsestError } from "../../errors.ts";
import { ASSEMBLE_FORMATS, type AssembleFormat } from "../../message/wire-formats.ts";
import type { Complete } from "../../model/complete.ts";
import type {
  ContextWindow,
  ScopedStore,
  StoredConversation,
  WindowItem,
  WindowQuery,
} from "../../store/store.ts";
import type { CountTokens } from "../../text/estimate-tokens.ts";
import { ITEM_OVERHEAD } from "../compact/plan/evaluate.ts";
import { type StubSettings, stubQuery } from "../compact/plan/stubs.ts";
import type { assembleBesideHostInput } from "../inputs.ts";
import type { RecalledReceipt, Receipt } from "../read/receipt.ts";
import type { Searcher } from "../retrieve/search.ts";
import { tooLarge } from "./beside-host.ts";
import {
  asPinned,
  chooseEntries,
  isFirstRequest,
  LAST_SUMMARY_SHARE,
  type ReadEntries,
} from "./choose-entries.ts";
import { type AssembledItem, type Entry, messageEntry, STUB, summaryEntry, toItem } from "./entry.ts";
import type { EntryCache, HeldEntries } from "./entry-cache.ts";
import { findFirstRequest, openingIn } from "./find-first-request.ts";
import { findRelevant, type Relevant } from "./find-relevant.ts";
import { sumOf } from "./fit-entries.ts";
import type { Meter } from "./measure.ts";
import type { RenderedContext } from "./render-messages.ts";
import { distinctSystems } from "./system-messages.ts";
import type { MessageIn } from "./wire/wire.ts";
import { writeReceipt } from "./write-receipt.ts";

export interface AssembleInput extends Readonly<z.input<typeof assembleBesideHostInput>> {
  /** Writes summaries of this conversation from now on, instead of the engine's model. */
  readonly complete?: Complete;
}

export interface AssembledContext<Format extends AssembleFormat = AssembleFormat> {
  /** Null for a session without messages. */
  readonly conversation: string | null;
  readonly format: Format;
  /** Ready to send, oldest first. */
  readonly messages: readonly MessageIn<Format>[];
  /** Anthropic takes system texts separately from the messages; null in other formats. */
  readonly system: string | null;
  /** Add it to the system prompt when summaries are shown or items are left out. One of a few constant texts. */
  readonly systemPromptAddition: string | null;
  /** The shown items with reasons, in order. */
  readonly items: readonly AssembledItem[];
  /** Tokens of the whole result as sent, including the addition. */
  readonly tokens: number;
  readonly budget: number;
  /** Items of the context that do not fit into the budget. They stay stored and readable. */
  readonly leftOut: number;
  /** Why the result exceeds the budget; null if it does not. */
  readonly overBudget: string | null;
  /** Allows the same result to be shown again; stored with the next turn. */
  readonly receipt: Receipt;
}

export interface AssembleDependencies {
  readonly store: ScopedStore;
  readonly countTokens: CountTokens;
  readonly cache: EntryCache;
  readonly meter: Meter;
  /** Finds older items that match a prompt. */
  readonly searcher: Searcher;
  readonly settings: StubSettings;
  /** Null if this engine has no memories. */
  readonly recallAgain: RecallAgain | null;
}

/** Restores the memories of a receipt as they were rendered, and counts those that have no text any more. */
export type RecallAgain = (
  receipt: RecalledReceipt,
) => Promise<{ readonly text: string; readonly tokens: number; readonly missing: number }>;

interface Assembled {
  readonly result: AssembledContext;
  readonly rendered: RenderedContext;
  /** Messages whose results are shown as stubs, and the tokens that this saves. */
  readonly stubs: { readonly messages: number; readonly tokensSaved: number };
}

export async function assemble(
  { id }: StoredConversation,
  budget: number,
  input: AssembleInput,
  use: AssembleDependencies,
): Promise<Assembled> {
  const format = requireFormat(input.format);
  const prompt = input.relevance === true ? (input.prompt ?? "") : null;
  const { window, entries: newest, ...asked } = await readWindow(id, budget, use);
  const relevant = await relevantFor(prompt, id, window, budget, use);
  const all = withOlder(newest, relevant?.entries);
  const first = await findFirstRequest(id, window, all.candidates, { ...use, ...asked });
  const read = { ...(input.withoutSystem === true ? withoutSystem(all) : all), first: first?.entry ?? null };
  // Repeated system messages are shown once, and a host may send its own: neither counts as missing.
  const systems = [...all.pinned.filter(isSystem), ...all.candidates.filter(isSystem)];
  const distinct = input.withoutSystem === true ? 0 : distinctSystems(systems).length;
  const items = window.left.items + window.items.length - systems.length + distinct;
  const leftOf = (entries: readonly Entry[]) =>
    items - entries.length + (first?.isItem === false ? entries.filter(isFirstRequest).length : 0);
  const wanted = { budget, format, scores: relevant?.scores ?? null, leftOf };
  const { entries, addition, rendered } = chooseEntries(read, wanted, use.meter);
  const leftOut = leftOf(entries);
  const { messages, tokens } = rendered;
  const result = {
    conversation: id,
    format,
    messages,
    system: rendered.system,
    systemPromptAddition: addition,
    items: entries.map(toItem),
    tokens,
    budget,
    leftOut,
    overBudget: tooLarge(tokens, budget),
    receipt: writeReceipt(entries, rendered, { format, budget, left: leftOut }),
  };
  return { result, rendered, stubs: stubsAmong(entries) };
}

type Read = Omit<ReadEntries, "first">;

/** The growth factor of the window, and the maximum number of steps. */
const GROWTH = 4;
const MOST_WINDOWS = 6;

/**
 * The newest items that fill the budget. System messages are shown once or not at all, so a window with many of them may
 * hold too few others: then a larger window is read. The first one is nearly always enough.
 */
async function readWindow(
  id: string,
  budget: number,
  use: AssembleDependencies,
): Promise<{
  readonly window: ContextWindow;
  readonly entries: Read;
  readonly before: HeldEntries;
  readonly held: HeldEntries;
}> {
  for (let round = 1, maxTokens = budget; ; round++, maxTokens *= GROWTH) {
    const before = use.cache.of(id);
    const window = await use.store.contextWindow(id, {
      maxTokens,
      itemTokens: ITEM_OVERHEAD,
      summaryTokens: Math.floor(budget * LAST_SUMMARY_SHARE),
      ...stubsIn(budget, use.settings),
      held: heldIn(before),
      opening: openingIn(before),
    });
    const { entries, held } = readEntries(id, window, before, use);
    if (round === MOST_WINDOWS || isFull(window, entries, budget)) return { window, entries, before, held };
  }
}

function isFull({ left }: ContextWindow, { pinned, candidates }: Read, budget: number): boolean {
  if (left.items <= pinned.length) return true;
  const first = candidates[0]?.seq ?? 0;
  const isInTheWay = pinned.some((entry) => entry.seq === first - 1 && isSystem(entry));
  if (!isInTheWay && !candidates.some(isSystem)) return true;
  return sumOf(candidates.filter((entry) => !isSystem(entry))) >= budget;
}

function stubsAmong(entries: readonly Entry[]): Assembled["stubs"] {
  const stubs = entries.filter(({ reason }) => reason === STUB);
  return { messages: stubs.length, tokensSaved: stubs.reduce((sum, entry) => sum + entry.savedTokens, 0) };
}

function stubsIn(budget: number, settings: StubSettings): Pick<WindowQuery, "stubs"> {
  const stubs = stubQuery(budget, settings);
  return stubs === undefined ? {} : { stubs };
}

function heldIn({ messages, summaries }: HeldEntries): WindowQuery["held"] & object {
  const seqs: number[] = [];
  const stubs: number[] = [];
  for (const [seq, { reason }] of messages) (reason === STUB ? stubs : seqs).push(seq);
  return { seqs, stubs, summaries: [...summaries.keys()] };
}

/** Null if no prompt was given, or the window contains everything. */
async function relevantFor(
  prompt: string | null,
  id: string,
  { items, left }: ContextWindow,
  maxTokens: number,
  use: AssembleDependencies,
): Promise<Relevant | null> {
  if (prompt === null || left.items === 0) return null;
  return findRelevant(id, prompt, { firstOrdinal: items[0]?.ordinal ?? Infinity, maxTokens }, use);
}

/** The items of the window, from the store or from the previous assembly, and what is held of them now. */
function readEntries(
  id: string,
  window: ContextWindow,
  held: HeldEntries,
  { cache, countTokens }: AssembleDependencies,
): { readonly entries: Read; readonly held: HeldEntries } {
  let isNew = false;
  const toEntry = (item: WindowItem): Entry => {
    const isHeld = (item.type === "message" ? item.message : item.summary) === null;
    const known = item.type === "message" ? held.messages.get(item.seq) : held.summaries.get(item.id);
    if (isHeld && known !== undefined) return known;
    isNew = true;
    if (item.type === "message" && item.message !== null) return messageEntry(id, item.message, item.isStub);
    if (item.type === "summary" && item.summary !== null) return summaryEntry(item.summary, countTokens);
    throw new Error("the store left out what nobody holds");
  };
  const pinned = window.pinned.map(toEntry);
  const summaries = window.summaries.map(toEntry);
  const candidates = window.items.map(toEntry);
  const all = [...pinned, ...summaries, ...candidates];
  // If the cache was cleared meanwhile because of an erasure, the entries are not put back.
  const isCurrent = cache.of(id) === held;
  if (isCurrent && (isNew || all.length < held.messages.size + held.summaries.size)) cache.keep(id, all);
  const { items, tokens } = window.left;
  const before = tokens + items * ITEM_OVERHEAD;
  return {
    entries: { pinned: pinned.map(asPinned), summaries, candidates, before },
    held: isCurrent ? cache.of(id) : held,
  };
}

/** Adds older items that match the prompt. */
function withOlder(read: Read, older: readonly Entry[] = []): Read {
  const isPinned = new Set(read.pinned.map((entry) => entry.id));
  const added = older.filter((entry) => !isPinned.has(entry.id));
  return added.length === 0 ? read : { ...read, candidates: [...added, ...read.candidates] };
}

/** For hosts that send their own system messages. */
function withoutSystem({ pinned, candidates, summaries, before }: Read): Read {
  const isOther = (entry: Entry) => !isSystem(entry);
  return {
    pinned: pinned.filter(isOther),
    candidates: candidates.filter(isOther),
    summaries,
    before: before - sumOf(pinned.filter(isSystem)),
  };
}

function isSystem({ role }: Entry): boolean {
  return role === "system";
}

function requireFormat(format: AssembleFormat = "original"): AssembleFormat {
  if (ASSEMBLE_FORMATS.includes(format)) return format;
  throw new PalimpsestError("invalid-input", `unknown format ${String(format)}`, {
    advice: `Choose one of ${ASSEMBLE_FORMATS.join(", ")}.`,
  });
}
