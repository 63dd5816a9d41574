/** Contents that are written over several calls. */
import { PalimpsestError } from "../../../errors.ts";
import type { PutContent } from "../../file-store.ts";
import type { Database } from "../database.ts";
import type { ContentWriter } from "./content-folder.ts";
import { keepWritten } from "./file-contents.ts";

export class OpenContents {
  readonly #writers = new Map<number, ContentWriter>();
  #next = 1;

  begin(database: Database): number {
    const id = this.#next++;
    this.#writers.set(id, database.contents.startWriting());
    return id;
  }

  add(id: number, piece: Uint8Array): void {
    this.#writer(id).add(piece);
  }

  end(database: Database, id: number): PutContent {
    const written = this.#writer(id).end();
    const put = database.transaction(() => keepWritten(database, written));
    // The content was already known, so the written one is discarded.
    this.abandon(id);
    return put;
  }

  abandon(id: number): void {
    this.#writers.get(id)?.abandon();
    this.#writers.delete(id);
  }

  #writer(id: number): ContentWriter {
    const writer = this.#writers.get(id);
    if (writer === undefined) throw new PalimpsestError("internal", "this content is not being written");
    return writer;
  }
}
