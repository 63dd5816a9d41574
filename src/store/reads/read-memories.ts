/** Reads memories by place, message, or another version. */
import type { MemoryRef, SeqRange } from "../memory-store.ts";
import type { Reader } from "../port.ts";
import type { MemoryScopes } from "../rules/memory-scopes.ts";
import { statement } from "../statement.ts";
import { REF_COLUMNS, refList } from "../tables/memory-refs.ts";
import {
  type MemoriesText,
  type MemoryRow,
  memoriesText,
  selectMemories,
} from "../tables/select-memories.ts";

const AT = statement((d) => {
  const memory = d.each("memories", "m", d.memory("m", "wanted.scope", "wanted.number"));
  const from = `${d.rows("$3", "wanted", REF_COLUMNS)} ${memory}`;
  return `${selectMemories(d, from)} WHERE ${d.among("wanted.scope", "$2")} ORDER BY wanted.key`;
});

export async function readMemoriesAt(
  reader: Reader,
  { tenant, scopes }: MemoryScopes,
  refs: readonly MemoryRef[],
): Promise<MemoriesText> {
  return memoriesText(await reader.rows<MemoryRow>(AT, tenant, scopes, refList(refs)));
}

/** Each with its first message of the range. */
const FROM = statement((d) => {
  const wanted = `(SELECT ${d.memoryKey("o.")}, min(CASE WHEN o.first_seq < $4 THEN $4 ELSE o.first_seq END) AS first_seq
    FROM memory_sources o
    WHERE ${d.inScopes("o", "$2")} AND o.conversation_uid = $3 AND o.first_seq <= $5 AND o.last_seq >= $4
    GROUP BY ${d.memoryKey("o.")}) wanted`;
  const from = `${wanted} ${d.each("memories", "m", d.sameMemory("m", "wanted"))}`;
  return `${selectMemories(d, from, [`${d.scope("m")} AS scope`])} ORDER BY wanted.first_seq, scope, m.number`;
});

export async function readMemoriesFrom(
  reader: Reader,
  { tenant, scopes }: MemoryScopes,
  conversation: string,
  { from, to }: SeqRange,
): Promise<MemoriesText> {
  return memoriesText(await reader.rows<MemoryRow>(FROM, tenant, scopes, conversation, from, to));
}

/** More than any memory replaces. */
const MOST_SUPERSEDED = 100_000;

/** Up to the version that nothing replaced, and from there down to all earlier ones. */
const VERSIONS = statement((d) => {
  const successor = d.each("memories", "m", `${d.sameTenant("m")} AND m.uid = above.superseded_by`);
  const older = d.each(
    "memories",
    "m",
    `${d.sameTenant("m")} AND m.superseded_by = versions.uid`,
    MOST_SUPERSEDED,
  );
  const version = d.each("memories", "m", `${d.sameTenant("m")} AND m.uid = wanted.uid`);
  return `WITH RECURSIVE above (uid, superseded_by) AS (
      SELECT m.uid, m.superseded_by FROM memories m WHERE ${d.inScopes("m", "$2")} AND m.uid = $3
      UNION SELECT m.uid, m.superseded_by FROM above ${successor}),
    versions (uid) AS (SELECT uid FROM above UNION SELECT m.uid FROM versions ${older})
    ${selectMemories(d, `versions wanted ${version}`)}
    WHERE ${d.inScopes("m", "$2")} ORDER BY m.created_at, m.number`;
});

export async function readVersions(
  reader: Reader,
  { tenant, scopes }: MemoryScopes,
  id: string,
): Promise<MemoriesText> {
  return memoriesText(await reader.rows<MemoryRow>(VERSIONS, tenant, scopes, id));
}

const MOST_SIMILAR = 100;

const SIMILAR = statement(
  (d) => `SELECT m.uid AS id FROM memories m WHERE ${d.inScopes("m", "$2")}
      AND (substr(m.uid, 1, 12) = substr($3, 1, 12) OR substr(m.uid, length(m.uid) - 7) = substr($3, length($3) - 7)
        OR substr(m.uid, 1, length($3)) = $3)
    ORDER BY m.uid LIMIT ${MOST_SIMILAR}`,
);

export async function readSimilarMemoryIds(
  reader: Reader,
  { tenant, scopes }: MemoryScopes,
  id: string,
): Promise<string[]> {
  const rows = await reader.rows<{ id: string }>(SIMILAR, tenant, scopes, id);
  return rows.map((row) => row.id);
}
