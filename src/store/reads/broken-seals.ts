/** Finds memories and files that were changed, by their seals. */
import type { Reader } from "../port.ts";
import { sealDescription, sealFile } from "../seal.ts";
import { statement } from "../statement.ts";
import { brokenRows } from "./broken-rows.ts";
import { dumpMemories } from "./dump-memories.ts";
import { type FileRow, fileColumns, fileFromRow } from "./files.ts";

/** As text, each with the id of the memory or file. */
export async function brokenSeals(reader: Reader): Promise<string[]> {
  const problems: string[] = [];
  const found = (problem: string) => ({ row: "damage", conversation: null, seq: null, problem }) as const;
  for await (const row of dumpMemories(reader, found)) if (row.row === "damage") problems.push(row.problem);
  return [...problems, ...(await brokenFiles(reader)), ...(await brokenRows(reader))];
}

const PAGE_ROWS = 500;

type SealedFileRow = FileRow & { readonly seal: string | null; readonly described: string | null };

const TENANTS = statement(() => "SELECT DISTINCT tenant FROM conversations WHERE (tenant, uid) > ($1, '')");

/** Files without a conversation or without their content are found by other checks. */
const FILES = statement(
  (
    d,
  ) => `SELECT ${fileColumns(d)}, ${d.hexOrNull("f.file_seal")} AS seal, ${d.hexOrNull("f.described_seal")} AS described
    FROM large_files f JOIN conversations c ON c.tenant = $1 AND c.conversation_id = f.conversation_id
    JOIN file_contents x ON ${d.sameTenant("x")} AND x.content_hash = f.content_hash
    WHERE ${d.sameTenant("f")} AND f.file_number > $2 ORDER BY f.file_number LIMIT $3`,
);

export async function brokenFiles(reader: Reader): Promise<string[]> {
  const tenants = await reader.rows<{ tenant: string }>(TENANTS, "");
  const found: string[] = [];
  for (const { tenant } of tenants) found.push(...(await brokenFilesOf(reader, tenant)));
  return found;
}

async function brokenFilesOf(reader: Reader, tenant: string): Promise<string[]> {
  const problems: string[] = [];
  for (let after = 0; ; ) {
    const rows = await reader.rows<SealedFileRow>(FILES, tenant, after, PAGE_ROWS);
    problems.push(...rows.flatMap((row) => problemWith(row) ?? []));
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return problems;
    after = last.file_number;
  }
}

function problemWith({ seal, described, ...row }: SealedFileRow): string | null {
  const file = fileFromRow(row);
  // Rows written before seals existed have none.
  if (seal === null) return null;
  if (sealFile(file) !== seal) return `${file.id}: its name, tool or description has changed (hash mismatch)`;
  return sealDescription(file.described) === described
    ? null
    : `${file.id}: its description by a model has changed (hash mismatch)`;
}
