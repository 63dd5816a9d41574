/** Contents of a dump that stand in no message, on their way in: in pieces, one behind the other. */
import type { Scope } from "../../types.ts";
import type { DumpRow } from "../store.ts";
import { ContentWriter } from "./content-writer.ts";
import { corruptDump } from "./load-head.ts";
import type { Transaction } from "./transaction.ts";

export class LoadedContents {
  readonly #transaction: Transaction;
  readonly #scope: Scope;
  #current: { readonly hash: string; bytes: number; readonly writer: ContentWriter } | undefined;

  constructor(transaction: Transaction, scope: Scope) {
    this.#transaction = transaction;
    this.#scope = scope;
  }

  async take({ hash, start, content }: Extract<DumpRow, { row: "file-content" }>): Promise<void> {
    if (start === 0) {
      await this.end();
      this.#current = { hash, bytes: 0, writer: new ContentWriter(this.#transaction, this.#scope) };
    }
    if (this.#current?.hash !== hash || this.#current.bytes !== start)
      throw corruptDump("the content of a file is not complete");
    this.#current.bytes += content.byteLength;
    await this.#current.writer.add(content);
  }

  /** To be called before whatever refers to it. */
  async end(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    if (current === undefined) return;
    const { hash } = await current.writer.end();
    if (hash !== current.hash) throw corruptDump("the content of a file does not match its hash");
  }
}
