/** From a summary back to what it stands for: the finer summaries below it, and the exact messages. */
import type { z } from "zod";
import { everyRow } from "../../store/every-row.ts";
import type { ScopedStore, StoredSummary } from "../../store/store.ts";
import { isSummaryId } from "../../text/identifiers.ts";
import type { Message } from "../../types.ts";
import type { expandInput } from "../inputs.ts";
import { noSummary } from "../read/not-found.ts";
import { toMessage } from "../read/read-messages.ts";
import { requireSummaryId } from "../read/wrong-kind.ts";

export type ExpandInput = z.input<typeof expandInput>;

export interface ExpandResult {
  readonly summary: StoredSummary;
  /**
   * The summaries below it that were passed, in the order of what they cover. Those that begin before `from` came
   * with an earlier answer; they are here to say where the messages belong, and are not counted again.
   */
  readonly summaries: readonly StoredSummary[];
  /** The messages that were reached, exactly as they were said, in order. */
  readonly messages: readonly Message[];
  /** The seq to go on from; null when nothing is left. */
  readonly next: number | null;
  /** Tokens of what is new in the answer, without those that are cut off: never more than `maxTokens`. */
  readonly tokens: number;
  /** What is longer than there was room for, though it is here whole: how many of its tokens may be shown. */
  readonly cut: readonly { readonly id: string; readonly tokens: number }[];
}

export const DEFAULT_EXPAND_TOKENS = 20_000;
/** Most messages that are read at a time. */
const PAGE_MESSAGES = 200;

export async function expandSummary(store: ScopedStore, input: ExpandInput): Promise<ExpandResult> {
  const summary = await requireSummary(store, input.summary);
  const below = new Descent(store, summary, input);
  await below.run();
  const { summaries, messages, next, tokens, cut } = below;
  return { summary, summaries, messages, next, tokens, cut };
}

export async function requireSummary(store: ScopedStore, id: string): Promise<StoredSummary> {
  if (typeof id === "string") requireSummaryId(id);
  const summary = typeof id === "string" && isSummaryId(id) ? await store.summary(id) : undefined;
  if (summary === undefined) throw await noSummary(store, id);
  return summary;
}

/** Of the first message that comes with the answer; 0 where none does. */
async function firstMessageTokens(
  store: ScopedStore,
  { conversation, depth, firstSeq, lastSeq }: StoredSummary,
  { levels = Infinity, from = firstSeq, includeMessages = true }: ExpandInput,
): Promise<number> {
  if (!includeMessages || levels <= depth) return 0;
  const first = { from: Math.max(from, firstSeq), to: lastSeq, limit: 1, withoutContent: true };
  const [message] = (await store.messages(conversation, first)).rows;
  return message?.tokenCount ?? 0;
}

class Descent {
  readonly summaries: StoredSummary[] = [];
  readonly messages: Message[] = [];
  readonly cut: { readonly id: string; readonly tokens: number }[] = [];
  next: number | null = null;
  tokens = 0;
  readonly #store: ScopedStore;
  readonly #top: StoredSummary;
  readonly #input: ExpandInput;
  readonly #from: number;
  readonly #maxTokens: number;
  readonly #includeMessages: boolean;
  /** Room that summaries leave to the first message: its words are in no other answer. */
  #reserved = 0;
  /** Summaries that are being read before it is known whether there is room for them. */
  readonly #ahead = new Map<string, Promise<StoredSummary>>();

  constructor(store: ScopedStore, top: StoredSummary, input: ExpandInput) {
    this.#store = store;
    this.#top = top;
    this.#input = input;
    this.#from = Math.max(input.from ?? 1, top.firstSeq);
    this.#maxTokens = input.maxTokens ?? DEFAULT_EXPAND_TOKENS;
    this.#includeMessages = input.includeMessages ?? true;
  }

  async run(): Promise<void> {
    const { sources, firstSeq } = this.#top;
    if (sources.type === "summaries") for (const id of sources.ids.slice(0, 2)) this.#read(id);
    const firstMessage = await firstMessageTokens(this.#store, this.#top, this.#input);
    this.#reserved = firstMessage < this.#maxTokens ? firstMessage : 0;
    this.#fits(firstSeq, this.#top);
    await this.#into(this.#top, this.#input.levels ?? Infinity);
  }

  async #into(summary: StoredSummary, levels: number): Promise<void> {
    const { sources } = summary;
    if (sources.type === "messages") return this.#readMessages(summary, sources.seqs);
    for (const [place, id] of sources.ids.entries()) {
      const source = await this.#read(id);
      if (source.lastSeq < this.#from) continue;
      if (this.next !== null || !this.#fits(source.firstSeq, source)) return;
      this.summaries.push(source);
      const following = sources.ids[place + 1];
      if (following !== undefined) this.#read(following);
      if (levels > 1) await this.#into(source, levels - 1);
    }
  }

  #read(id: string): Promise<StoredSummary> {
    let reading = this.#ahead.get(id);
    if (reading === undefined) {
      reading = requireSummary(this.#store, id);
      // Nobody may come to wait for it.
      reading.catch(() => {});
      this.#ahead.set(id, reading);
    }
    return reading;
  }

  async #readMessages(leaf: StoredSummary, seqs: readonly number[]): Promise<void> {
    const wanted = new Set(seqs.filter((seq) => seq >= this.#from));
    if (wanted.size === 0 || !this.#includeMessages) return;
    const [first, last] = [Math.min(...wanted), Math.max(...wanted)];
    const { conversation } = leaf;
    const rows = everyRow(
      (from) => this.#store.messages(conversation, { from, to: last, limit: this.#likelyToFit(leaf) }),
      first,
    );
    for await (const row of rows) {
      if (!wanted.has(row.seq)) continue;
      this.#reserved = 0;
      const message = toMessage(conversation, row);
      if (!this.#fits(row.seq, message)) return;
      this.messages.push(message);
    }
  }

  /** How many messages of a leaf there is room for if they are as long as its others, and one that is too much. */
  #likelyToFit({ sourceTokenCount, messageCount }: StoredSummary): number {
    const room = this.#maxTokens - this.tokens;
    const each = Math.max(1, sourceTokenCount / messageCount);
    return Math.min(PAGE_MESSAGES, Math.ceil(room / each) + 1);
  }

  /** Counts what comes next; false, with the place to go on, when there is no room for it. */
  #fits(seq: number, { id, tokenCount }: { readonly id: string; readonly tokenCount: number }): boolean {
    if (seq < this.#from) return true;
    const room = this.#maxTokens - this.#reserved - this.tokens;
    if (seq > this.#from && tokenCount > room && this.#hasShown()) {
      this.next = seq;
      return false;
    }
    if (tokenCount > room) this.cut.push({ id, tokens: room });
    this.tokens += Math.min(tokenCount, room);
    return true;
  }

  /** Whether the answer holds something new: none is empty. */
  #hasShown(): boolean {
    return this.messages.length > 0 || this.summaries.some(({ firstSeq }) => firstSeq >= this.#from);
  }
}
