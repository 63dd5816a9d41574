/**
 * Writes a content that comes in pieces, in one transaction and a few megabytes of memory. Its hash is known only at the end:
 * until then its frames are stored under a random name, which no other transaction can see.
 */
import { randomBytes } from "node:crypto";
import { toHex } from "../../text/bytes.ts";
import type { Scope } from "../../types.ts";
import type { PutContent } from "../file-store.ts";
import { type Frame, FrameMaker } from "../frames.ts";
import type { ContentWriting } from "../port.ts";
import { insertContents, insertFrames } from "./file-contents.ts";
import { bytes } from "./rows.ts";
import type { Transaction } from "./transaction.ts";

/** Frames that are collected, so that many are sent with one statement. */
const MOST_WAITING = 16;

export class ContentWriter {
  readonly #transaction: Transaction;
  readonly #scope: Scope;
  readonly #maker = new FrameMaker();
  readonly #provisional = toHex(randomBytes(32));
  #waiting: Frame[] = [];
  #written = 0;
  /** Resolves when the last sent frames are stored: the next ones are compressed meanwhile. */
  #sent: Promise<void> | null = null;

  constructor(transaction: Transaction, scope: Scope) {
    this.#transaction = transaction;
    this.#scope = scope;
  }

  async add(piece: Uint8Array): Promise<void> {
    for (const frame of await this.#maker.addInBackground(piece)) {
      this.#waiting.push(frame);
      if (this.#waiting.length < MOST_WAITING) continue;
      if (this.#written === 0)
        insertContents(this.#transaction, this.#scope, [
          { hash: this.#provisional, bytes: 0, lines: 0, table: new Uint8Array() },
        ]);
      await this.#write(this.#provisional);
    }
  }

  async end(): Promise<PutContent> {
    this.#waiting.push(...this.#maker.end());
    const { content } = this.#maker;
    const moves = this.#written > 0;
    if (moves) await this.#write(this.#provisional);
    insertContents(this.#transaction, this.#scope, [content]);
    if (moves) this.#move(content.hash);
    await this.#write(content.hash);
    await this.#sent;
    return { hash: content.hash, bytes: content.bytes, lines: content.lines };
  }

  async #write(hash: string): Promise<void> {
    await this.#sent;
    const frames = this.#waiting.map(({ stored }, index) => ({
      ...{ hash, number: this.#written + index },
      content: { stored },
    }));
    insertFrames(this.#transaction, this.#scope, frames);
    this.#written += frames.length;
    this.#waiting = [];
    this.#sent = this.#transaction.settle();
    // The next caller that waits for it gets the failure; until then no handler is attached.
    this.#sent.catch(() => {});
  }

  /** Existing frames with this hash stay, and the new ones are deleted with their temporary name. */
  #move(hash: string): void {
    const values = [this.#scope.tenant, bytes(this.#provisional)];
    this.#transaction.send(
      `UPDATE file_chunks SET content_hash = $3 WHERE tenant = $1 AND content_hash = $2
         AND NOT EXISTS (SELECT FROM file_chunks known WHERE known.tenant = $1 AND known.content_hash = $3)`,
      ...values,
      bytes(hash),
    );
    this.#transaction.send("DELETE FROM file_contents WHERE tenant = $1 AND content_hash = $2", ...values);
  }
}

/** If the transaction fails, the written frames are rolled back with it. */
export function startWriting(transaction: Transaction, scope: Scope): ContentWriting {
  const writer = new ContentWriter(transaction, scope);
  return {
    add: (piece) => writer.add(piece),
    end: async () => (await writer.end()).hash,
    abandon: () => {},
  };
}
