/**
 * Which entries are shown, chosen by estimate, measured as they are written, and fewer until they fit. Pure but for the
 * meter, which remembers what it measured.
 */

import type { AssembleFormat } from "../../message/wire-formats.ts";
import { chooseRelevant, type Scores } from "./choose-relevant.ts";
import { chooseCut, newestUnit } from "./choose-window.ts";
import type { Entry } from "./entry.ts";
import { fitEntries, isSystem, sumOf } from "./fit-entries.ts";
import type { Meter } from "./measure.ts";
import { type RenderedContext, renderMessages } from "./render-messages.ts";
import { systemMessages } from "./system-messages.ts";
import { systemPromptAddition } from "./system-prompt-addition.ts";

export interface ReadEntries {
  /** System messages, and the newest user message, that stand before the candidates, oldest first. */
  readonly pinned: readonly Entry[];
  /** The newest items, and older ones that match the prompt, oldest first. */
  readonly candidates: readonly Entry[];
  /** The newest summaries that stand before them, oldest first. */
  readonly summaries: readonly Entry[];
  /** Tokens of the context that stand before the candidates, pinned ones included. */
  readonly before: number;
}

/** Share of the budget that summaries keep when not everything fits: whatever is old would be forgotten first. */
const SUMMARY_SHARE = 0.25;
/** And what one may take, when they are larger than that. */
export const LAST_SUMMARY_SHARE = 0.5;
/** How often the estimate is corrected by what was really written. */
const MAX_ROUNDS = 24;

interface Chosen {
  readonly entries: readonly Entry[];
  readonly addition: string | null;
  readonly rendered: RenderedContext;
}

export interface Wanted {
  readonly budget: number;
  readonly format: AssembleFormat;
  /** Null or empty: the newest are shown. */
  readonly scores: Scores | null;
}

/** Chooses by estimate, measures what is written, and takes less until it fits. */
export function chooseEntries(read: ReadEntries, { budget, format, scores }: Wanted, meter: Meter): Chosen {
  return new Choice(read, budget, meter).choose(format, scores);
}

class Choice {
  readonly #read: ReadEntries;
  /** Shown in any case, beside system messages. */
  readonly #pinned: readonly Entry[];
  readonly #systems: readonly Entry[];
  /** Candidates that may be left out. */
  readonly #movable: readonly Entry[];
  readonly #newestUser: Entry | undefined;
  readonly #rest: number;
  readonly #budget: number;
  readonly #meter: Meter;

  constructor(read: ReadEntries, budget: number, meter: Meter) {
    const { pinned, candidates } = read;
    this.#read = read;
    this.#pinned = pinned.filter((entry) => !isSystem(entry));
    this.#systems = systemMessages([...pinned, ...candidates], budget);
    this.#movable = candidates.some(isSystem) ? candidates.filter((entry) => !isSystem(entry)) : candidates;
    this.#newestUser = candidates.findLast((entry) => entry.type === "message" && entry.role === "user");
    this.#rest = sumOf(this.#movable);
    this.#budget = budget;
    this.#meter = meter;
  }

  choose(format: AssembleFormat, scores: Scores | null): Chosen {
    let room = this.#budget;
    for (let round = 0; ; round++) {
      const { entries, isLeast } = this.#entriesFor(room, round, scores);
      const addition = systemPromptAddition(entries);
      const rendered = renderMessages(entries, format, addition, this.#meter);
      if (rendered.tokens <= this.#budget || round === MAX_ROUNDS) return { entries, addition, rendered };
      // The newest alone do not fit as they are: what must be shown is cut, and a little more each time.
      if (isLeast) room = Math.floor(Math.min(room * 0.95, (room * this.#budget) / rendered.tokens));
    }
  }

  #entriesFor(room: number, round: number, scores: Scores | null): Option {
    const { summaries, candidates } = this.#read;
    const space = room - this.#meter.text(systemPromptAddition([...summaries, ...candidates]));
    const free = Math.max(1, space - sumOf(this.#pinned) - sumOf(this.#systems));
    const option = this.#choose(free, round, scores);
    const entries = fitEntries(option.entries, space);
    // Cut as far as they can be, they still leave too little to what was said last.
    const isTooMuch = option.isLeast && sumOf(entries) > space;
    return isTooMuch
      ? {
          ...option,
          entries: fitEntries(
            option.entries.filter((entry) => !isSystem(entry)),
            space,
          ),
        }
      : { ...option, entries };
  }

  #choose(free: number, round: number, scores: Scores | null): Option {
    const before = this.#read.before - sumOf(this.#read.pinned);
    if (before + this.#rest <= free && round === 0) return this.#option(this.#movable, []);
    const forSummaries = this.#roomForSummaries(free);
    const budget = Math.max(1, free - forSummaries);
    const chosen =
      scores !== null && scores.size > 0
        ? chooseRelevant(this.#movable, scores, budget * 0.95 ** round)
        : this.#movable.slice(chooseCut(this.#movable, { before, budget, extraSteps: round }));
    return this.#option(chosen, this.#summariesBeside(chosen, forSummaries));
  }

  /** A share of the room, or what the newest summary needs. */
  #roomForSummaries(free: number): number {
    const isSummary = (entry: Entry) => entry.type === "summary";
    const newest = this.#movable.findLast(isSummary) ?? this.#read.summaries.at(-1);
    if (newest === undefined) return 0;
    const share = Math.floor(free * SUMMARY_SHARE);
    return newest.tokens > share && newest.tokens <= free * LAST_SUMMARY_SHARE ? newest.tokens : share;
  }

  /** The newest summaries that are not shown and fit, oldest first. */
  #summariesBeside(chosen: readonly Entry[], maxTokens: number): readonly Entry[] {
    const shown = new Set(chosen.map(({ id }) => id));
    const hidden = new Map(
      [...this.#read.summaries, ...this.#movable.filter(({ type }) => type === "summary")]
        .filter(({ id }) => !shown.has(id))
        .map((entry) => [entry.id, entry]),
    );
    const kept: Entry[] = [];
    let left = maxTokens;
    for (const entry of [...hidden.values()].toSorted((a, b) => b.seq - a.seq)) {
      left -= entry.tokens;
      if (left < 0) break;
      kept.push(entry);
    }
    return kept.toReversed();
  }

  /** What was chosen, with the system messages and the newest user message, each in its place. */
  #option(chosen: readonly Entry[], summaries: readonly Entry[]): Option {
    const newestUser = this.#newestUser;
    const isLeast = chosen.length <= this.#movable.length - newestUnit(this.#movable);
    const hasUser = newestUser === undefined || chosen.some(({ id }) => id === newestUser.id);
    const always = [...this.#pinned, ...this.#systems, ...(hasUser ? [] : [asPinned(newestUser)])];
    if (summaries.length + always.length === 0) return { entries: chosen, isLeast };
    const entries = [...always, ...summaries, ...chosen].toSorted((a, b) => a.seq - b.seq);
    return { entries, isLeast };
  }
}

interface Option {
  readonly entries: readonly Entry[];
  /** Whether nothing more can be left out, only cut. */
  readonly isLeast: boolean;
}

export function asPinned(entry: Entry): Entry {
  return entry.role === "system" ? entry : { ...entry, reason: "newest user message" };
}
