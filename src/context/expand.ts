/** From a summary back to what it stands for: the finer summaries below it, and the exact messages. */
import { PalimpsestError } from "../errors.ts";
import { everyRow } from "../store/every-row.ts";
import type { ScopedStore, StoredSummary } from "../store/store.ts";
import type { Message } from "../types.ts";
import { toMessage } from "./read.ts";

export interface ExpandInput {
  /** `sum_…` */
  readonly summary: string;
  /** Levels to go down: 1 gives what the summary was made from. Default: all the way to the messages. */
  readonly levels?: number;
  /** First message wanted: `next` of the answer before. Default: the first that the summary covers. */
  readonly from?: number;
  /** Most tokens of messages in the answer; at least one message comes. Default 20,000. */
  readonly maxTokens?: number;
}

export interface ExpandResult {
  readonly summary: StoredSummary;
  /** The summaries below it that were passed, in the order of what they cover. */
  readonly summaries: readonly StoredSummary[];
  /** The messages that were reached, exactly as they were said, in order. */
  readonly messages: readonly Message[];
  /** The seq to go on from; null when nothing is left. */
  readonly next: number | null;
}

const DEFAULT_TOKENS = 20_000;

export async function expand(store: ScopedStore, input: ExpandInput): Promise<ExpandResult> {
  for (const name of ["levels", "from", "maxTokens"] as const) requireCount(name, input[name]);
  const summary = await requireSummary(store, input.summary);
  const below = new Descent(store, summary.conversation, input.from ?? 1, input.maxTokens ?? DEFAULT_TOKENS);
  await below.into(summary, input.levels ?? Infinity);
  return { summary, summaries: below.summaries, messages: below.messages, next: below.next };
}

export async function requireSummary(store: ScopedStore, id: string): Promise<StoredSummary> {
  const summary = typeof id === "string" ? await store.summary(id) : undefined;
  if (summary === undefined)
    throw new PalimpsestError("not-found", `there is no summary ${id}`, {
      advice: "Summaries are listed by: lcm tree <conversation>",
    });
  return summary;
}

class Descent {
  readonly summaries: StoredSummary[] = [];
  readonly messages: Message[] = [];
  next: number | null = null;
  readonly #store: ScopedStore;
  readonly #conversation: string;
  readonly #from: number;
  #tokensLeft: number;

  constructor(store: ScopedStore, conversation: string, from: number, maxTokens: number) {
    this.#store = store;
    this.#conversation = conversation;
    this.#from = from;
    this.#tokensLeft = maxTokens;
  }

  async into(summary: StoredSummary, levels: number): Promise<void> {
    if (summary.sources.type === "messages") return this.#readMessages(summary.sources.seqs);
    for (const id of summary.sources.ids) {
      const source = await requireSummary(this.#store, id);
      if (source.lastSeq < this.#from) continue;
      if (this.next !== null) return;
      this.summaries.push(source);
      if (levels > 1) await this.into(source, levels - 1);
    }
  }

  async #readMessages(seqs: readonly number[]): Promise<void> {
    const wanted = new Set(seqs.filter((seq) => seq >= this.#from));
    const [first, last] = [Math.min(...wanted), Math.max(...wanted)];
    if (wanted.size === 0) return;
    const rows = everyRow(
      (from) => this.#store.messages(this.#conversation, { from, to: last, limit: 200 }),
      first,
    );
    for await (const row of rows) {
      if (!wanted.has(row.seq)) continue;
      if (this.messages.length > 0 && row.tokenCount > this.#tokensLeft) {
        this.next = row.seq;
        return;
      }
      this.#tokensLeft -= row.tokenCount;
      this.messages.push(toMessage(this.#conversation, row));
    }
  }
}

function requireCount(name: string, value: number | undefined): void {
  if (value !== undefined && value !== Infinity && (!Number.isSafeInteger(value) || value < 1))
    throw new PalimpsestError("invalid-input", `${name} must be a whole number from 1`);
}
