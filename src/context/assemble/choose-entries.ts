/**
 * Chooses the entries to show by estimate, measures the rendered result, and removes entries until it fits. Pure except for
 * the meter, which caches its measurements.
 */

import type { AssembleFormat } from "../../message/wire-formats.ts";
import { chooseRelevant, type Scores } from "./choose-relevant.ts";
import { CUT_STEP_SHARE, chooseCut, newestUnit } from "./choose-window.ts";
import { cutEntry } from "./cut-entry.ts";
import type { Entry } from "./entry.ts";
import { fitEntries, isSystem, sumOf } from "./fit-entries.ts";
import type { Meter } from "./measure.ts";
import { type RenderedContext, renderMessages, renderView } from "./render-messages.ts";
import { systemMessages } from "./system-messages.ts";
import { systemPromptAddition } from "./system-prompt-addition.ts";

export interface ReadEntries {
  /** System messages and the newest user message that precede the candidates, oldest first. */
  readonly pinned: readonly Entry[];
  /** The newest items, and older ones that match the prompt, oldest first. */
  readonly candidates: readonly Entry[];
  /** The newest summaries that precede them, oldest first. */
  readonly summaries: readonly Entry[];
  /** Tokens of the context before the candidates, including pinned entries. */
  readonly before: number;
  /** The first request of a person; null if unknown. */
  readonly first: Entry | null;
}

/** Share of the budget that summaries keep when not everything fits: otherwise the oldest content would be dropped first. */
const SUMMARY_SHARE = 0.25;
/** The most that a single summary may take if it exceeds that share. */
export const LAST_SUMMARY_SHARE = 0.5;
/** A summary cut to fewer tokens is useless. */
const LEAST_SUMMARY = 120;
/** Tokens of the text that marks the cut. */
const CUT_MARKER = 20;
/** Share of the budget that the first request may take. A longer one is cut. */
const FIRST_SHARE = 0.1;
/** A request cut to fewer tokens is useless: a small budget gives it as many, if that leaves most of the budget to the rest. */
const LEAST_FIRST = 60;
const SMALL_FIRST_SHARE = 0.3;
/** A cut request grows in steps of this share of the budget, or of as many tokens. */
const STEP_SHARE = 1 / 16;
const LEAST_STEP = 20;
/** Share of the room beside which a newest user message is not cut: the rest is for summaries and newer messages. */
const PINNED_SHARE = 0.75;
/** Most corrections of the estimate by the rendered size. */
const MAX_ROUNDS = 24;

interface Chosen {
  readonly entries: readonly Entry[];
  readonly addition: string | null;
  readonly rendered: RenderedContext;
}

interface Wanted {
  readonly budget: number;
  readonly format: AssembleFormat;
  /** Null or empty: the newest entries are shown. */
  readonly scores: Scores | null;
  /** How many items of the context are left out besides these entries. */
  readonly leftOf: (entries: readonly Entry[]) => number;
}

/** Chooses by estimate, measures the rendered result, and removes entries until it fits. */
export function chooseEntries(read: ReadEntries, wanted: Wanted, meter: Meter): Chosen {
  return new Choice(read, wanted, meter).choose(wanted);
}

class Choice {
  readonly #read: ReadEntries;
  /** Always shown, in addition to system messages. */
  readonly #pinned: readonly Entry[];
  readonly #systems: readonly Entry[];
  /** Candidates that may be left out. */
  readonly #movable: readonly Entry[];
  /** Summaries that may be shown, newest first, each once. */
  readonly #summaries: readonly Entry[];
  /** This many of the movable entries are always shown. */
  readonly #least: number;
  readonly #newestUser: Entry | undefined;
  readonly #first: Entry | null;
  /** Tokens of the note on left-out items. */
  readonly #note: number;
  readonly #rest: number;
  readonly #budget: number;
  readonly #meter: Meter;

  constructor(read: ReadEntries, { budget, leftOf }: Wanted, meter: Meter) {
    const { pinned, candidates } = read;
    const systems = candidates.filter(isSystem);
    this.#read = read;
    this.#pinned = pinned.filter((entry) => !isSystem(entry));
    this.#systems = systemMessages([...pinned, ...systems], budget);
    this.#movable = systems.length > 0 ? candidates.filter((entry) => !isSystem(entry)) : candidates;
    this.#summaries = newestFirst([...read.summaries, ...candidates.filter(isSummary)]);
    this.#least = this.#movable.length - newestUnit(this.#movable);
    this.#newestUser = candidates.findLast((entry) => entry.type === "message" && entry.role === "user");
    this.#first = firstRequest(read, budget);
    this.#rest = sumOf(this.#movable);
    this.#budget = budget;
    this.#meter = meter;
    this.#note = meter.text(systemPromptAddition([], { left: leftOf([]), budget }));
  }

  choose(wanted: Wanted): Chosen {
    const budget = this.#budget;
    let room = budget;
    for (let round = 0; ; round++) {
      const { entries, isLeast } = this.#entriesFor(room, round, wanted.scores);
      const chosen = this.#render(entries, wanted);
      const { tokens } = chosen.rendered;
      if (tokens <= budget)
        return isLeast
          ? this.#withRestUsed(chosen, wanted)
          : this.#withStepsUsed(chosen, room, round, wanted);
      if (round === MAX_ROUNDS) {
        const view = { format: wanted.format, left: wanted.leftOf(entries), budget };
        return { entries, ...renderView(entries, view, this.#meter) };
      }
      // Even the smallest choice does not fit: entries that must be shown are cut, a little more in each round.
      if (isLeast) room = Math.floor(Math.min(room * 0.95, (room * budget) / tokens));
    }
  }

  #render(entries: readonly Entry[], { format, leftOf, budget }: Wanted): Chosen {
    const addition = systemPromptAddition(entries, { left: leftOf(entries), budget });
    return { entries, addition, rendered: renderMessages(entries, format, addition, this.#meter) };
  }

  /**
   * Gives summaries and the first request what a larger choice leaves free, in whole steps of the cut: messages that are
   * larger than estimated, and tool pairs, can move the cut by several. The rest of a step is for the next turns.
   */
  #withStepsUsed(chosen: Chosen, room: number, round: number, wanted: Wanted): Chosen {
    const budget = this.#budget;
    const step = Math.max(1, Math.floor(budget * CUT_STEP_SHARE));
    const estimated = sumOf(chosen.entries) + this.#meter.text(chosen.addition);
    const free = budget - Math.max(estimated, chosen.rendered.tokens);
    for (let extra = free - (free % step); extra > 0; extra -= step) {
      const { entries } = this.#entriesFor(room, round, wanted.scores, extra);
      const next = this.#render(entries, wanted);
      if (next.rendered.tokens <= budget) return next;
    }
    return chosen;
  }

  /**
   * Gives what the smallest choice leaves free to the first request, then to the newest user message. A larger choice
   * keeps its room for the next turns.
   */
  #withRestUsed(chosen: Chosen, wanted: Wanted): Chosen {
    const { entries } = chosen;
    const first = entries.find(isFirstRequest) ?? unseen(this.#first, [entries])[0];
    const newest = entries.findLast(({ type, role }) => type === "message" && role === "user");
    const withFirst = this.#extended(first, chosen, wanted);
    return newest === first ? withFirst : this.#extended(newest, withFirst, wanted);
  }

  #extended(entry: Entry | undefined, chosen: Chosen, wanted: Wanted): Chosen {
    if (entry === undefined) return chosen;
    const whole = entry.whole ?? entry;
    const others = chosen.entries.filter(({ id }) => id !== entry.id);
    const isShown = others.length < chosen.entries.length;
    const least = isShown ? entry.tokens + 1 : Math.min(LEAST_FIRST, whole.tokens);
    const most = (isShown ? entry.tokens : 0) + this.#budget - chosen.rendered.tokens;
    const step = Math.max(LEAST_STEP, Math.floor(this.#budget * STEP_SHARE));
    for (
      let size = most + CUT_MARKER < whole.tokens ? most - (most % step) : whole.tokens;
      size >= least;
      size = Math.ceil(size / step - 1) * step
    ) {
      const longer = size === whole.tokens ? whole : cutEntry(whole, size);
      const next = this.#render([...others, longer].toSorted(bySeq), wanted);
      if (next.rendered.tokens <= this.#budget) return next;
    }
    return chosen;
  }

  #entriesFor(room: number, round: number, scores: Scores | null, extra = 0): Option {
    const addition = systemPromptAddition(this.#summaries, { left: 0, budget: this.#budget });
    const space = room - this.#meter.text(addition);
    const pinned = Math.min(sumOf(this.#pinned), space * PINNED_SHARE);
    const free = Math.max(1, space - pinned - sumOf(this.#systems));
    const option = this.#choose(free, round, scores, extra);
    const fitted = (isShown: (entry: Entry) => boolean) => fitEntries(option.entries.filter(isShown), space);
    const isTooMuch = (entries: readonly Entry[]) => option.isLeast && sumOf(entries) > space;
    let entries = fitEntries(option.entries, space);
    // Even when cut as far as possible, they leave too little room for the newest messages.
    if (isTooMuch(entries)) entries = fitted((entry) => !isSystem(entry));
    if (isTooMuch(entries)) entries = fitted((entry) => !isSystem(entry) && !isFirstRequest(entry));
    return { ...option, entries };
  }

  /** `extra`: tokens for summaries and the first request beyond their share. */
  #choose(space: number, round: number, scores: Scores | null, extra: number): Option {
    const before = this.#read.before - sumOf(this.#read.pinned);
    if (before + this.#rest <= space && round === 0) return this.#option(this.#movable, [], null);
    const free = space - this.#note;
    const forSummaries = this.#roomForSummaries(free);
    const budget = Math.max(1, free - forSummaries - (this.#first?.tokens ?? 0));
    if (scores !== null && scores.size > 0) {
      const chosen = chooseRelevant(this.#movable, scores, budget * 0.95 ** round);
      return this.#beside(chosen, forSummaries + extra);
    }
    const { index, spare } = chooseCut(this.#movable, { before, budget, extraSteps: round });
    const chosen = this.#movable.slice(index);
    return this.#beside(chosen, forSummaries + spare + extra);
  }

  /** With the summaries that fit, and the first request, which gets what they leave. */
  #beside(chosen: readonly Entry[], maxTokens: number): Option {
    const summaries = this.#summariesBeside(chosen, maxTokens);
    return this.#option(chosen, summaries, longer(this.#first, maxTokens - sumOf(summaries)));
  }

  /** A share of the room, or the size of the newest summary; never more than all of them need. */
  #roomForSummaries(free: number): number {
    const [newest] = this.#summaries;
    if (newest === undefined) return 0;
    const least = Math.min(LEAST_SUMMARY, free * LAST_SUMMARY_SHARE);
    const share = Math.floor(Math.max(free * SUMMARY_SHARE, least));
    const room = newest.tokens > share && newest.tokens <= free * LAST_SUMMARY_SHARE ? newest.tokens : share;
    return Math.min(room, sumOf(this.#summaries));
  }

  /** The newest summaries that are not shown yet and fit, oldest first. The first that does not fit is cut. */
  #summariesBeside(chosen: readonly Entry[], maxTokens: number): readonly Entry[] {
    const shown = new Set(chosen.map(({ id }) => id));
    const kept: Entry[] = [];
    let left = maxTokens;
    for (const entry of this.#summaries) {
      if (shown.has(entry.id)) continue;
      if (entry.tokens > left) {
        if (left >= LEAST_SUMMARY) kept.push(cutEntry(entry, Math.floor(left) - CUT_MARKER));
        break;
      }
      left -= entry.tokens;
      kept.push(entry);
    }
    return kept.toReversed();
  }

  /** The chosen entries with the system messages and the newest user message, in order. */
  #option(chosen: readonly Entry[], summaries: readonly Entry[], request: Entry | null): Option {
    const newestUser = this.#newestUser;
    const isLeast = chosen.length <= this.#least;
    const hasUser =
      newestUser === undefined || chosen.findLast(({ id }) => id === newestUser.id) !== undefined;
    const always = [...this.#pinned, ...this.#systems, ...(hasUser ? [] : [asPinned(newestUser)])];
    const first = unseen(request, [always, summaries, chosen]);
    if (summaries.length + always.length + first.length === 0) return { entries: chosen, isLeast };
    const entries = [...first, ...always, ...summaries, ...chosen].toSorted(bySeq);
    return { entries, isLeast };
  }
}

function bySeq(a: Entry, b: Entry): number {
  return a.seq - b.seq;
}

function newestFirst(summaries: readonly Entry[]): readonly Entry[] {
  const byId = new Map(summaries.map((entry) => [entry.id, entry]));
  return [...byId.values()].toSorted((a, b) => b.seq - a.seq);
}

function isSummary({ type }: Entry): boolean {
  return type === "summary";
}

/** The first request, unless it or a summary of the beginning is already shown. */
function unseen(first: Entry | null, shown: readonly (readonly Entry[])[]): readonly Entry[] {
  if (first === null) return [];
  const covers = ({ id, type, seq, cutTo }: Entry) =>
    id === first.id || (type === "summary" && cutTo === null && seq <= first.seq);
  return shown.some((entries) => entries.some(covers)) ? [] : [first];
}

/** A cut request with more of its text. */
function longer(first: Entry | null, by: number): Entry | null {
  if (first?.whole === undefined || by < LEAST_STEP) return first;
  const size = first.tokens + by;
  return size + CUT_MARKER < first.whole.tokens ? cutEntry(first, size) : first.whole;
}

export function isFirstRequest({ reason }: Entry): boolean {
  return reason === "first request";
}

function firstRequest({ first }: ReadEntries, budget: number): Entry | null {
  if (first === null) return null;
  const most = Math.max(LEAST_FIRST, Math.floor(budget * FIRST_SHARE));
  if (most > budget * SMALL_FIRST_SHARE) return null;
  const entry: Entry = { ...first, reason: "first request" };
  return entry.tokens > most ? cutEntry(entry, most) : entry;
}

interface Option {
  readonly entries: readonly Entry[];
  /** Whether no further entry can be left out, only cut. */
  readonly isLeast: boolean;
}

export function asPinned(entry: Entry): Entry {
  return entry.role === "system" ? entry : { ...entry, reason: "newest user message" };
}
