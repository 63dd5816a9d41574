/** What is kept apart is there and is what it was. Payloads of messages are proven with their messages. */
import { createHash } from "node:crypto";
import { isPalimpsestError } from "../../errors.ts";
import { everyRow } from "../../store/every-row.ts";
import type { StoredFile } from "../../store/file-store.ts";
import type { ScopedStore } from "../../store/store.ts";
import { filePieces } from "../files/file-pieces.ts";
import type { StoreCheck } from "./integrity.ts";

export const checkFiles: StoreCheck = {
  name: "files",
  run: async (scoped, { id: conversation, messageCount }, report) => {
    const page = (from: number) => scoped.files({ conversation, ...(from === 0 ? {} : { from }) });
    for await (const file of everyRow(page)) {
      const { id, seq } = file;
      if (seq < 1 || seq > messageCount)
        report({ message: `${id} belongs to message ${seq}, which does not exist` });
      const problem = await problemOf(scoped, file);
      if (problem !== null) report({ seq, message: `${id}: ${problem}` });
    }
  },
};

async function problemOf(scoped: ScopedStore, file: StoredFile): Promise<string | null> {
  const hash = createHash("sha256");
  try {
    for await (const piece of filePieces(scoped, file)) hash.update(piece);
  } catch (error) {
    if (!isPalimpsestError(error, "store-corrupt")) throw error;
    return error.message;
  }
  return hash.digest("hex") === file.content ? null : "its content is not what was stored";
}
