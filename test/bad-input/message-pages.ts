/** Which pages of a database hold which message, so that a test knows what a fault has hit. */
import { DatabaseSync } from "node:sqlite";

/** Pages by the digest of the message. Those of its externalised payloads count as its own. */
export type MessagePages = ReadonlyMap<string, ReadonlySet<number>>;

type PageRow = { path: string; pageno: number; pagetype: string; ncell: number };
type MessageRow = { message_id: number; digest: string; conversation_id: number; seq: number };

export function messagePages(file: string): MessagePages {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const messages = database
      .prepare(
        "SELECT message_id, lower(hex(digest)) AS digest, conversation_id, seq FROM messages ORDER BY message_id",
      )
      .all() as MessageRow[];
    const own = pagesOfRows(database, "messages");
    const contents = contentPages(database);
    return new Map(
      messages.map(({ digest, conversation_id, seq }, place) => [
        digest,
        new Set([...(own[place] ?? []), ...(contents.get(`${conversation_id} ${seq}`) ?? [])]),
      ]),
    );
  } finally {
    database.close();
  }
}

/** Of each row in the order of row ids: its leaf, and the pages that it goes on in. */
function pagesOfRows(database: DatabaseSync, table: string): number[][] {
  const pages = database
    .prepare(
      "SELECT path, pageno, pagetype, ncell FROM dbstat WHERE name = ? AND aggregate = 0 ORDER BY path",
    )
    .all(table) as PageRow[];
  const rows = pages
    .filter(({ pagetype }) => pagetype === "leaf")
    .flatMap(({ path, pageno, ncell }) =>
      Array.from({ length: ncell }, (_, cell) => ({
        pages: [pageno],
        prefix: `${path}${cell.toString(16).padStart(3, "0")}+`,
      })),
    );
  const byPrefix = new Map(rows.map((row) => [row.prefix, row.pages]));
  for (const { path, pageno, pagetype } of pages)
    if (pagetype === "overflow") byPrefix.get(path.slice(0, path.indexOf("+") + 1))?.push(pageno);
  return rows.map((row) => row.pages);
}

/** Pages of payloads by conversation and seq. */
function contentPages(database: DatabaseSync): Map<string, number[]> {
  const stored = database.prepare("SELECT content_hash AS hash FROM file_contents ORDER BY rowid").all();
  const pages = pagesOfRows(database, "file_contents");
  const byHash = new Map(
    stored.map(({ hash }, place) => [Buffer.from(hash as Uint8Array).toString("hex"), pages[place] ?? []]),
  );
  const files = database
    .prepare(
      "SELECT conversation_id, seq, lower(hex(content_hash)) AS hash FROM large_files ORDER BY file_number",
    )
    .all() as { conversation_id: number; seq: number; hash: string }[];
  const described = pagesOfRows(database, "large_files");
  const found = new Map<string, number[]>();
  files.forEach(({ conversation_id, seq, hash }, place) => {
    const name = `${conversation_id} ${seq}`;
    const own = [...(byHash.get(hash) ?? []), ...(described[place] ?? [])];
    found.set(name, [...(found.get(name) ?? []), ...own]);
  });
  return found;
}
