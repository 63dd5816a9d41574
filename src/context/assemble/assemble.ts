/**
 * What the model sees: summaries of what is old, the newest messages as they were said, within the budget. Its
 * cost depends on the window and not on the history. Same store and input, same bytes.
 */
import { PalimpsestError } from "../../errors.ts";
import type { ContextWindow, ScopedStore, StoredConversation } from "../../store/store.ts";
import type { CountTokens } from "../../text/estimate-tokens.ts";
import type { ConversationRef } from "../../types.ts";
import { ITEM_OVERHEAD } from "../compact/evaluate.ts";
import { chooseRelevant } from "./choose-relevant.ts";
import { chooseCut, newestUnit } from "./choose-window.ts";
import { type Entry, messageEntry, type Reason, toEntry } from "./entry.ts";
import { fitEntries, sumOf } from "./fit-entries.ts";
import { type Receipt, writeReceipt } from "./receipt.ts";
import {
  ASSEMBLE_FORMATS,
  type AssembleFormat,
  type RenderedContext,
  renderMessages,
} from "./render-messages.ts";
import { systemPromptAddition } from "./system-prompt-addition.ts";

export interface AssembleInput {
  readonly conversation: ConversationRef;
  /** Tokens that the answer may take. Default: `contextBudget`. */
  readonly budget?: number;
  /** How messages are given. Default `original`: as they were committed. */
  readonly format?: AssembleFormat;
  /** What the model is about to be asked. Used only with `relevance`. */
  readonly prompt?: string;
  /** When not everything fits, show older items that match the prompt instead of the newest. Default false. */
  readonly relevance?: boolean;
}

export interface AssembledItem extends Pick<Entry, "id" | "type" | "role" | "tokens" | "cutTo"> {
  readonly reason: Reason;
}

export interface AssembleResult {
  readonly conversation: string;
  readonly format: AssembleFormat;
  /** Ready to send, oldest first. */
  readonly messages: readonly unknown[];
  /** Anthropic takes system texts apart from the messages; null in other formats. */
  readonly system: string | null;
  /** To be added to the system prompt when summaries are shown. One of two constant texts. */
  readonly systemPromptAddition: string | null;
  /** What is shown and why, in order. */
  readonly items: readonly AssembledItem[];
  /** Tokens of the whole answer as it is sent, the addition included. */
  readonly tokens: number;
  readonly budget: number;
  /** Items of the context that the budget does not hold. They are on record, and reached by reading. */
  readonly leftOut: number;
  /** Why the answer is larger than the budget; null when it is not. */
  readonly overBudget: string | null;
  /** By which it can be shown again; kept with the next turn. */
  readonly receipt: Receipt;
}

export interface AssembleDependencies {
  readonly store: ScopedStore;
  readonly countTokens: CountTokens;
}

export interface Assembled {
  readonly result: AssembleResult;
  readonly rendered: RenderedContext;
}

export async function assemble(
  conversation: StoredConversation,
  budget: number,
  input: AssembleInput,
  { store, countTokens }: AssembleDependencies,
): Promise<Assembled> {
  const format = requireFormat(input.format);
  const prompt = input.relevance === true ? (input.prompt ?? "") : null;
  const maxTokens = prompt === null ? budget : budget * RELEVANCE_REACH;
  const window = await store.contextWindow(conversation.id, { maxTokens });
  const chosen = new Choice(conversation.id, window, budget, countTokens).choose(format, prompt);
  return describe(conversation, window, budget, format, chosen);
}

/** Relevance looks at this many budgets of the newest items. */
const RELEVANCE_REACH = 3;
/** How often the estimate is corrected by what was really written. */
const MAX_ROUNDS = 24;

interface Chosen {
  readonly entries: readonly Entry[];
  readonly addition: string | null;
  readonly rendered: RenderedContext;
}

/** Chooses by estimate, measures what is written, and takes less until it fits. */
class Choice {
  readonly #pinned: readonly Entry[];
  readonly #candidates: readonly Entry[];
  /** Candidates that may be left out: system messages are always shown. */
  readonly #movable: readonly Entry[];
  readonly #window: ContextWindow;
  readonly #budget: number;
  readonly #countTokens: CountTokens;

  constructor(conversation: string, window: ContextWindow, budget: number, countTokens: CountTokens) {
    this.#window = window;
    this.#budget = budget;
    this.#countTokens = countTokens;
    this.#pinned = window.pinned.map((message) => messageEntry(conversation, message, "newest user message"));
    this.#candidates = window.items.map((item) => toEntry(conversation, item, countTokens));
    this.#movable = this.#candidates.filter((entry) => entry.role !== "system");
  }

  choose(format: AssembleFormat, prompt: string | null): Chosen {
    let room = this.#budget;
    for (let round = 0; ; round++) {
      const entries = this.#entriesFor(room, round, prompt);
      const addition = systemPromptAddition(this.#summariesIn(entries));
      const rendered = renderMessages(entries, format, addition, this.#countTokens);
      if (rendered.tokens <= this.#budget || round === MAX_ROUNDS) return { entries, addition, rendered };
      // The newest alone do not fit as they are: what must be shown is cut, and a little more each time.
      if (this.#isLeast(entries))
        room = Math.floor(Math.min(room * 0.95, (room * this.#budget) / rendered.tokens));
    }
  }

  #entriesFor(room: number, round: number, prompt: string | null): readonly Entry[] {
    const space = Math.max(1, room - this.#systemTokens() - this.#additionTokens());
    if (prompt !== null && this.#isTooMuch(space)) {
      const share = 0.95 ** round;
      return this.#fit(this.#withSystem(chooseRelevant(this.#movable, prompt, space * share)), room);
    }
    const { items, tokens } = this.#window.left;
    const before = tokens + items * ITEM_OVERHEAD - sumOf(this.#pinned);
    const cut = chooseCut(this.#movable, { before, budget: space, extraSteps: round });
    return this.#fit(this.#withSystem(this.#movable.slice(cut)), room);
  }

  /** What was chosen, and the system messages, each in its place. */
  #withSystem(chosen: readonly Entry[]): readonly Entry[] {
    const byId = new Map(chosen.map((entry) => [entry.id, entry]));
    const shown = this.#candidates.flatMap(
      (entry) => byId.get(entry.id) ?? (entry.role === "system" ? [entry] : []),
    );
    return [...this.#pinned, ...shown];
  }

  #systemTokens(): number {
    return sumOf(this.#pinned) + sumOf(this.#candidates) - sumOf(this.#movable);
  }

  #fit(entries: readonly Entry[], room: number): readonly Entry[] {
    const space = room - this.#additionTokens();
    return sumOf(entries) > space ? fitEntries(entries, space) : entries;
  }

  #isTooMuch(space: number): boolean {
    return this.#window.left.items > this.#pinned.length || sumOf(this.#movable) > space;
  }

  #isLeast(entries: readonly Entry[]): boolean {
    const left = newestUnit(this.#movable);
    return entries.length <= this.#pinned.length + this.#candidates.length - left;
  }

  #additionTokens(): number {
    return this.#countTokens(systemPromptAddition(this.#summariesIn(this.#candidates)) ?? "");
  }

  #summariesIn(entries: readonly Entry[]): { readonly depth: number }[] {
    const shown = new Set(entries.map((entry) => entry.id));
    return this.#window.items.flatMap((item) =>
      item.type === "summary" && shown.has(item.summary.id) ? [item.summary] : [],
    );
  }
}

function describe(
  { id }: StoredConversation,
  window: ContextWindow,
  budget: number,
  format: AssembleFormat,
  { entries, addition, rendered }: Chosen,
): Assembled {
  const leftOut = window.left.items + window.items.length - entries.length;
  const { system, messages, tokens } = rendered;
  const result: AssembleResult = {
    conversation: id,
    format,
    messages,
    system,
    systemPromptAddition: addition,
    items: entries.map(({ id: item, type, role, tokens: size, cutTo, reason }) => ({
      id: item,
      type,
      role,
      tokens: size,
      cutTo,
      reason,
    })),
    tokens,
    budget,
    leftOut,
    overBudget: tokens <= budget ? null : tooLarge(entries, tokens),
    receipt: writeReceipt(entries, rendered, { format, budget, left: leftOut }),
  };
  return { result, rendered };
}

function tooLarge(entries: readonly Entry[], tokens: number): string {
  const system = sumOf(entries.filter((entry) => entry.role === "system"));
  return `${tokens} tokens are the least that can be shown${system > 0 ? `; system messages take ${system} of them` : ""}`;
}

function requireFormat(format: AssembleFormat = "original"): AssembleFormat {
  if (ASSEMBLE_FORMATS.includes(format)) return format;
  throw new PalimpsestError("invalid-input", `there is no format ${String(format)}`, {
    advice: `Choose one of ${ASSEMBLE_FORMATS.join(", ")}.`,
  });
}
