/** An embedder that remembers on disk what it embedded, so that only the first run takes long. */
import { DatabaseSync } from "node:sqlite";
import { PalimpsestError } from "../../src/errors.ts";
import { SILENT } from "../../src/log.ts";
import type { HostEmbedder } from "../../src/model/embed/embedder.ts";
import { localEmbedder } from "../../src/model/embed/local/local-embedder.ts";
import { sha256 } from "../../src/text/bytes.ts";

export interface KeptVectors extends HostEmbedder {
  close(): Promise<void>;
}

export function keptVectors(file: string): KeptVectors {
  const database = new DatabaseSync(file, { timeout: 60_000 });
  database.exec("CREATE TABLE IF NOT EXISTS vectors (name TEXT PRIMARY KEY, vector BLOB NOT NULL) STRICT");
  const find = database.prepare("SELECT vector FROM vectors WHERE name = ?");
  const keep = database.prepare("INSERT OR REPLACE INTO vectors VALUES (?, ?)");
  const embedder = localEmbedder({ log: SILENT });
  const known = (name: string): Float32Array | undefined => {
    const row = find.get(name) as { vector: Uint8Array } | undefined;
    return row === undefined ? undefined : new Float32Array(new Uint8Array(row.vector).buffer);
  };
  return {
    model: embedder.model,
    dimensions: 384,
    longestInput: embedder.longestInput,
    embed: async (texts, options) => {
      const names = texts.map((text) => sha256(`${embedder.model}\n${text}`));
      const missing = texts.filter((_, place) => known(names[place] ?? "") === undefined);
      const made = missing.length === 0 ? [] : await embedder.embed(missing, options);
      database.exec("BEGIN");
      missing.forEach((text, place) => {
        const vector = made[place];
        if (vector !== undefined)
          keep.run(sha256(`${embedder.model}\n${text}`), new Uint8Array(vector.buffer.slice(0)));
      });
      database.exec("COMMIT");
      return names.map((name) => {
        const vector = known(name);
        if (vector === undefined) throw new PalimpsestError("internal", "a vector was not kept");
        return vector;
      });
    },
    close: async () => {
      await embedder.close();
      database.close();
    },
  };
}
