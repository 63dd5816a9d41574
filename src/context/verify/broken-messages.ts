/** Which messages of a conversation are not what was stored, so that they can be looked for elsewhere. */
import { chainHash, matchesDigest } from "../../store/seal.ts";
import type { ScopedStore, StoredConversation } from "../../store/store.ts";
import { readableMessages } from "./read-damaged.ts";

export class BrokenMessages {
  /** Of rows that are there: whether the content does not match its digest, or the row is not what its hash says. */
  readonly #rows: ReadonlyMap<number, "content" | "row">;
  readonly #missing: readonly (readonly [number, number])[];

  private constructor(
    rows: ReadonlyMap<number, "content" | "row">,
    missing: readonly (readonly [number, number])[],
  ) {
    this.#rows = rows;
    this.#missing = missing;
  }

  /** `unlikeLines`: messages whose rows are not what the lines that they came in say. */
  static async find(
    scoped: ScopedStore,
    conversation: StoredConversation,
    unlikeLines: ReadonlySet<number>,
  ): Promise<BrokenMessages> {
    const rows = new Map<number, "content" | "row">();
    const missing: [number, number][] = [];
    let before = { seq: 0, hash: "" };
    for await (const message of readableMessages(scoped, conversation, () => {})) {
      const { seq, content, erasedAt } = message;
      const isAfterGap = seq !== before.seq + 1;
      if (isAfterGap) missing.push([before.seq + 1, seq - 1]);
      const isBlank = content === null && erasedAt === null;
      if (isBlank || !matchesDigest(message)) rows.set(seq, "content");
      else if (unlikeLines.has(seq)) rows.set(seq, "row");
      // After one that is broken itself, nothing can be said of the hash.
      else if (!isAfterGap && !rows.has(before.seq) && !follows(before.hash, message)) rows.set(seq, "row");
      before = message;
    }
    if (before.seq < conversation.messageCount) missing.push([before.seq + 1, conversation.messageCount]);
    return new BrokenMessages(rows, missing);
  }

  /** Undefined for a message of which nothing is known to be wrong. */
  problemWith(seq: number): "content" | "row" | "missing" | undefined {
    const isMissing = this.#missing.some(([first, last]) => seq >= first && seq <= last);
    return isMissing ? "missing" : this.#rows.get(seq);
  }
}

function follows(
  before: string,
  message: Parameters<typeof chainHash>[1] & { digest: string; hash: string },
) {
  return chainHash(before, message, message.digest) === message.hash;
}
