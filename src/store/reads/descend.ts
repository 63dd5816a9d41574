/**
 * Goes down from a summary to its sources, up to a token limit. If the store has a thread, it runs there, because it takes
 * many reads, each of which depends on the previous one.
 */
import { PalimpsestError } from "../../errors.ts";
import { messageId } from "../../text/identifiers.ts";
import { everyRow } from "../every-row.ts";
import type { Descended, DescendQuery, SummarySource } from "../lineage.ts";
import type { ScopedStore, StoredMessage, StoredSummary } from "../store.ts";

/** Most messages in one read. */
const PAGE_MESSAGES = 200;

interface Reads extends Pick<ScopedStore, "summary" | "messages"> {
  /** The sources of a condensed summary, in order. */
  sources(summary: StoredSummary): Promise<readonly SummarySource[]>;
}

/** Undefined if the summary does not exist. */
export async function descend(store: Reads, query: DescendQuery): Promise<Descended | undefined> {
  const summary = await store.summary(query.summary);
  if (summary === undefined) return undefined;
  const below = new Descent(store, summary, query);
  await below.run();
  const { summaries, messages, next, tokens, cut } = below;
  return { summary, summaries, messages, next, tokens, cut };
}

/** Tokens of the first message in the answer; 0 if there is none. */
async function firstMessageTokens(
  store: Reads,
  { conversation, depth, firstSeq, lastSeq }: StoredSummary,
  { levels = Infinity, from = firstSeq, includeMessages = true }: DescendQuery,
): Promise<number> {
  if (!includeMessages || levels <= depth) return 0;
  const first = { from: Math.max(from, firstSeq), to: lastSeq, limit: 1, withoutContent: true };
  const [message] = (await store.messages(conversation, first)).rows;
  return message?.tokenCount ?? 0;
}

class Descent {
  readonly summaries: StoredSummary[] = [];
  readonly messages: StoredMessage[] = [];
  readonly cut: { readonly id: string; readonly tokens: number }[] = [];
  next: number | null = null;
  tokens = 0;
  readonly #store: Reads;
  readonly #top: StoredSummary;
  readonly #query: DescendQuery;
  readonly #from: number;
  /** Tokens that summaries leave for the first message, because no other answer contains its words. */
  #reserved = 0;

  constructor(store: Reads, top: StoredSummary, query: DescendQuery) {
    this.#store = store;
    this.#top = top;
    this.#query = query;
    this.#from = Math.max(query.from ?? 1, top.firstSeq);
  }

  async run(): Promise<void> {
    const firstMessage = await firstMessageTokens(this.#store, this.#top, this.#query);
    this.#reserved = firstMessage < this.#query.maxTokens ? firstMessage : 0;
    this.#fits(this.#top.firstSeq, this.#top);
    await this.#into(this.#top, this.#query.levels ?? Infinity);
  }

  async #into(summary: StoredSummary, levels: number): Promise<void> {
    const { sources } = summary;
    if (sources.type === "messages") return this.#readMessages(summary, sources.seqs);
    const found = new Map((await this.#store.sources(summary)).map((source) => [source.id, source]));
    for (const id of sources.ids) {
      const source = found.get(id) ?? this.#missing(id);
      if (source.lastSeq < this.#from) continue;
      if (this.next !== null || !this.#fits(source.firstSeq, source)) return;
      const read = (await this.#store.summary(id)) ?? this.#missing(id);
      this.summaries.push(read);
      if (levels > 1) await this.#into(read, levels - 1);
    }
  }

  #missing(id: string): never {
    throw new PalimpsestError("not-found", `the summary ${id}, a source of ${this.#top.id}, is missing`, {
      advice: "List what is damaged with: lcm verify",
    });
  }

  async #readMessages(leaf: StoredSummary, seqs: readonly number[]): Promise<void> {
    const wanted = new Set(seqs.filter((seq) => seq >= this.#from));
    if (wanted.size === 0 || this.#query.includeMessages === false) return;
    const [first, last] = [Math.min(...wanted), Math.max(...wanted)];
    const { conversation } = leaf;
    const rows = everyRow(
      (from) => this.#store.messages(conversation, { from, to: last, limit: this.#likelyToFit(leaf) }),
      first,
    );
    for await (const row of rows) {
      if (!wanted.has(row.seq)) continue;
      this.#reserved = 0;
      if (!this.#fits(row.seq, { ...row, id: messageId(conversation, row.seq) })) return;
      this.messages.push(row);
    }
  }

  /** How many messages of a leaf fit if they are as long as its average, plus one that does not fit. */
  #likelyToFit({ sourceTokenCount, messageCount }: StoredSummary): number {
    const room = this.#query.maxTokens - this.tokens;
    const each = Math.max(1, sourceTokenCount / messageCount);
    return Math.min(PAGE_MESSAGES, Math.ceil(room / each) + 1);
  }

  /** Counts the next item; false, with the place to continue, if it does not fit. */
  #fits(seq: number, { id, tokenCount }: { readonly id: string; readonly tokenCount: number }): boolean {
    if (seq < this.#from) return true;
    const room = this.#query.maxTokens - this.#reserved - this.tokens;
    if (seq > this.#from && tokenCount > room && this.#hasShown()) {
      this.next = seq;
      return false;
    }
    if (tokenCount > room) this.cut.push({ id, tokens: room });
    this.tokens += Math.min(tokenCount, room);
    return true;
  }

  /** Whether the answer has a new item: an answer is never empty. */
  #hasShown(): boolean {
    return this.messages.length > 0 || this.summaries.some(({ firstSeq }) => firstSeq >= this.#from);
  }
}
