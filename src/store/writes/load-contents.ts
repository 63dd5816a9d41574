/** Loads contents of a dump that are not part of a message: in pieces, one after the other. */
import type { Scope } from "../../types.ts";
import type { ContentWriting, Port } from "../port.ts";
import type { DumpRow } from "../store.ts";
import { corruptDump } from "./corrupt-dump.ts";

export class LoadedContents {
  readonly #port: Port;
  readonly #scope: Scope;
  #current: { readonly hash: string; bytes: number; readonly writing: ContentWriting } | undefined;

  constructor(port: Port, scope: Scope) {
    this.#port = port;
    this.#scope = scope;
  }

  async take({ hash, start, content }: Extract<DumpRow, { row: "file-content" }>): Promise<void> {
    if (start === 0) {
      await this.end();
      this.#current = { hash, bytes: 0, writing: this.#port.contents.startWriting(this.#scope) };
    }
    if (this.#current?.hash !== hash || this.#current.bytes !== start)
      throw corruptDump("the content of a file is not complete");
    this.#current.bytes += content.byteLength;
    await this.#current.writing.add(content);
  }

  /** Call this before loading rows that refer to it. */
  async end(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    if (current === undefined) return;
    if ((await current.writing.end()) !== current.hash)
      throw corruptDump("the content of a file does not match its hash");
  }

  abandon(): void {
    this.#current?.writing.abandon();
    this.#current = undefined;
  }
}
