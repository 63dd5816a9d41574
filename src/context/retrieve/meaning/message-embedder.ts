/**
 * Embeds user and assistant messages for semantic search: conversation by conversation, oldest first. Tools,
 * reasoning and externalised files are found by words only. It can be stopped and resumed; after a conflict with another
 * process or a deletion, it checks again what remains.
 */
import { isPalimpsestError, PalimpsestError } from "../../../errors.ts";
import { embedPassages, readablePassages } from "../../../model/embed/embed-passages.ts";
import type { Embedder } from "../../../model/embed/embedder.ts";
import type { EmbeddedMessage, MessageRun } from "../../../store/message-vectors.ts";
import type { ScopedStore, StoredMessage } from "../../../store/store.ts";
import { saidIn } from "../../read/read-said.ts";

export interface EmbedOptions {
  readonly signal?: AbortSignal | undefined;
  /** `messages`: processed so far. */
  readonly onProgress?: (progress: { readonly messages: number }) => void;
}

/** Conversations per lookup, and messages per read. */
const CONVERSATIONS = 100;
const PAGE_MESSAGES = 256;
const PAGE_BYTES = 1024 * 1024;
/** Passages per stored batch: one or two seconds of work on a small machine. */
const BATCH_PASSAGES = 32;
const TRIES = 5;

export class MessageEmbedder {
  readonly embedder: Embedder;
  readonly #store: ScopedStore;

  constructor(store: ScopedStore, embedder: Embedder) {
    this.#store = store;
    this.embedder = embedder;
  }

  /** Messages not processed yet. */
  async waiting(conversations: ReadonlySet<string> | null = null): Promise<number> {
    const runs = await this.#store.unembedded(
      this.embedder.model,
      conversations === null ? {} : { conversations: [...conversations] },
    );
    return runs.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  }

  /** Returns how many messages it processed. */
  async catchUp({ signal, onProgress }: EmbedOptions = {}): Promise<number> {
    let messages = 0;
    for (let tries = 1; ; ) {
      const runs = await this.#store.unembedded(this.embedder.model, { limit: CONVERSATIONS });
      if (runs.length === 0) return messages;
      try {
        for (const run of runs)
          for await (const looked of this.#embedRun(run, signal)) {
            messages += looked;
            tries = 1;
            onProgress?.({ messages });
          }
      } catch (error) {
        if (!isOvertaken(error) || tries++ === TRIES) throw error;
      }
    }
  }

  /** Yields the number of messages that each step stored. */
  async *#embedRun(run: MessageRun, signal: AbortSignal | undefined): AsyncGenerator<number> {
    for (let { first } = run; first <= run.last; )
      for await (const looked of this.#embedPage({ ...run, first }, signal)) {
        yield looked;
        first += looked;
      }
  }

  async *#embedPage(run: MessageRun, signal: AbortSignal | undefined): AsyncGenerator<number> {
    const { rows, next } = await this.#store.messages(run.conversation, {
      from: run.first,
      to: run.last,
      roles: ["user", "assistant"],
      limit: PAGE_MESSAGES,
      maxBytes: PAGE_BYTES,
      payloads: "stubs",
    });
    const end = next === null ? run.last : next - 1;
    let first = run.first;
    for (const batch of batchesOf(rows, this.embedder)) {
      stopIfAborted(signal);
      const last = batch.isLast ? end : batch.last;
      const messages = await this.#embed(batch.messages, signal);
      const { model } = this.embedder;
      await this.#store.commit([{ kind: "embed", id: run.conversation, model, first, last, messages }]);
      yield last - first + 1;
      first = last + 1;
    }
  }

  async #embed(
    messages: readonly SaidMessage[],
    signal: AbortSignal | undefined,
  ): Promise<readonly EmbeddedMessage[]> {
    if (messages.length === 0) return [];
    const passages = messages.map((message) => message.passages);
    const vectors = await embedPassages(passages, this.embedder, signal);
    return messages.map(({ seq }, place) => ({ seq, vectors: vectors[place] ?? [] }));
  }
}

interface SaidMessage {
  readonly seq: number;
  readonly passages: readonly string[];
}

interface Batch {
  /** Messages that contain words. */
  readonly messages: readonly SaidMessage[];
  readonly last: number;
  readonly isLast: boolean;
}

/** Pure. At least one batch, so that a page without words also counts as processed. */
function batchesOf(rows: readonly StoredMessage[], embedder: Embedder): readonly Batch[] {
  const batches: Batch[] = [];
  let messages: SaidMessage[] = [];
  let passages = 0;
  rows.forEach((row, place) => {
    const own = readablePassages(saidIn(row) ?? "", embedder);
    if (own.length > 0) messages.push({ seq: row.seq, passages: own });
    passages += own.length;
    if (passages < BATCH_PASSAGES || place === rows.length - 1) return;
    batches.push({ messages, last: row.seq, isLast: false });
    [messages, passages] = [[], 0];
  });
  return [...batches, { messages, last: rows.at(-1)?.seq ?? 0, isLast: true }];
}

function isOvertaken(error: unknown): boolean {
  return isPalimpsestError(error, "busy") || isPalimpsestError(error, "not-found");
}

/** Messages stored before the abort stay stored. */
function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new PalimpsestError("cancelled", "embedding was cancelled");
}
