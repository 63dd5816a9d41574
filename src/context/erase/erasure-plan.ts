/** Collects what an erasure removes, conversation by conversation, until one commit carries it out. */
import { partsOf } from "../../message/stored-value.ts";
import { titleOf } from "../../message/title-of.ts";
import { everyRow } from "../../store/every-row.ts";
import type { EraseWrite, ScopedStore, StoredConversation } from "../../store/store.ts";
import type { Place } from "./search-copies.ts";

/** The removals of one conversation. */
interface Removal {
  readonly seqs: Set<number>;
  readonly lines: { readonly transcript: number; readonly line: number }[];
  /** Messages under summaries that repeat the text. */
  readonly retold: Set<number>;
  losesTitle: boolean;
}

export class ErasurePlan {
  readonly #removals = new Map<string, Removal>();
  readonly memories = new Set<string>();

  /** Conversations with removals; those only examined are excluded. */
  get conversations(): readonly string[] {
    return [...this.#removals].flatMap(([id, removal]) => (isEmpty(removal) ? [] : [id]));
  }

  get messages(): number {
    return this.#sum(({ seqs }) => seqs.size);
  }

  get lines(): number {
    return this.#sum(({ lines }) => lines.length);
  }

  of(conversation: string): Removal {
    let removal = this.#removals.get(conversation);
    if (removal === undefined) {
      removal = { seqs: new Set(), lines: [], retold: new Set(), losesTitle: false };
      this.#removals.set(conversation, removal);
    }
    return removal;
  }

  erases(conversation: string, seq: number): boolean {
    return this.#removals.get(conversation)?.seqs.has(seq) === true;
  }

  /** Whether a range of messages contains an erased one. */
  erasesAmong(conversation: string, firstSeq: number, lastSeq: number): boolean {
    const seqs = this.#removals.get(conversation)?.seqs;
    for (let seq = firstSeq; seqs !== undefined && seq <= lastSeq; seq++) if (seqs.has(seq)) return true;
    return false;
  }

  /** Removes a copy: a whole message or line, or the text of a summary. */
  add(place: Place): void {
    if (place.type === "memory") {
      this.memories.add(place.id);
      return;
    }
    const removal = this.of(place.conversation);
    if (place.type === "message") removal.seqs.add(place.seq);
    else if (place.type === "line") removal.lines.push({ transcript: place.transcript, line: place.line });
    else if (place.type === "summary") removal.retold.add(place.firstSeq);
    else removal.losesTitle = true;
  }

  /** One write for each conversation, starting with `first`. */
  async writes(
    store: ScopedStore,
    first: string,
    more: (conversation: string, removal: Removal) => Pick<EraseWrite, "at" | "audit" | "salt">,
  ): Promise<EraseWrite[]> {
    const ids = [first, ...this.conversations.filter((id) => id !== first)];
    const writes: EraseWrite[] = [];
    for (const id of ids) {
      const conversation = await store.conversation({ id });
      if (conversation === undefined) continue;
      const removal = this.of(id);
      const { seqs, lines, retold } = removal;
      const title = await this.#titleOf(store, conversation);
      writes.push({
        kind: "erase",
        id,
        seqs: [...seqs],
        retold: [...retold],
        lines,
        title,
        ...more(id, removal),
      });
    }
    return writes;
  }

  /** A title taken from an erased message is replaced by one from the first remaining message. */
  async #titleOf(
    store: ScopedStore,
    { id, title, titleIsAutomatic }: StoredConversation,
  ): Promise<string | null> {
    const { losesTitle, seqs } = this.of(id);
    if (losesTitle) return null;
    if (!titleIsAutomatic || seqs.size === 0) return title;
    for await (const { seq, role, format, content } of everyRow(
      (from) => store.messages(id, { from, payloads: "search" }),
      1,
    )) {
      if (content === null || seqs.has(seq)) continue;
      const found = titleOf([{ role, parts: partsOf(format, content) }]);
      if (found !== null) return found;
    }
    return null;
  }

  #sum(count: (removal: Removal) => number): number {
    return [...this.#removals.values()].reduce((sum, removal) => sum + count(removal), 0);
  }
}

function isEmpty({ seqs, lines, retold, losesTitle }: Removal): boolean {
  return seqs.size + lines.length + retold.size === 0 && !losesTitle;
}
