/** The last message up to which each conversation was captured. */
import { insertInto } from "../insert.ts";
import type { CapturedWrite } from "../memory-store.ts";
import type { Port, Reader } from "../port.ts";
import type { MemoryScopes } from "../rules/memory-scopes.ts";
import { sealedTable, sealOf } from "../sealed-table.ts";
import { statement } from "../statement.ts";
import type { DumpedCapture } from "../store.ts";
import { countRows } from "./tenant-counts.ts";

const READ = statement(
  () => "SELECT captured_to FROM memory_captures WHERE tenant = $1 AND conversation_uid = $2",
);

export async function readCapturedTo(
  reader: Reader,
  { tenant, scopes }: MemoryScopes,
  conversation: string,
): Promise<number> {
  if (scopes?.length === 0) return 0;
  const row = await reader.one<{ captured_to: number }>(READ, tenant, conversation);
  return row?.captured_to ?? 0;
}

export const SEALED_CAPTURES = sealedTable(
  "memory_captures",
  { conversation_uid: "text", captured_to: "bigint", at: "time" },
  "tenant",
  { tenant: "", conversation_uid: "" },
);

const START = statement(
  () => `INSERT INTO memory_captures (tenant, conversation_uid, captured_to, at, seal) VALUES ($1, $2, $4, $5, $6)
    ON CONFLICT (tenant, conversation_uid) DO UPDATE SET captured_to = excluded.captured_to, at = excluded.at,
      seal = excluded.seal
    WHERE memory_captures.captured_to = $3`,
);
const MOVE = statement(
  () => `UPDATE memory_captures SET captured_to = $4, at = $5, seal = $6
    WHERE tenant = $1 AND conversation_uid = $2 AND captured_to = $3`,
);

/** Returns false if it was captured up to another message. */
export async function moveCaptured(
  port: Port,
  tenant: string,
  { conversation, from, to, at }: CapturedWrite,
): Promise<boolean> {
  const seal = sealOf(SEALED_CAPTURES, { conversation_uid: conversation, captured_to: to, at });
  const isNew = from === 0 && (await countKnown(port, tenant, [conversation])) === 0;
  const isMoved = (await port.run(from === 0 ? START : MOVE, tenant, conversation, from, to, at, seal)) === 1;
  if (isNew && isMoved) countRows(port, tenant, { captures: 1 });
  return isMoved;
}

const KNOWN = statement(
  (d) => `SELECT count(*) AS known FROM memory_captures
    WHERE tenant = $1 AND ${d.isListed("conversation_uid", "$2", "text")}`,
);

async function countKnown(port: Port, tenant: string, conversations: readonly string[]): Promise<number> {
  return (await port.one<{ known: number }>(KNOWN, tenant, conversations))?.known ?? 0;
}

const KEEP = insertInto("memory_captures", SEALED_CAPTURES.columns, {
  owner: "tenant",
  sealed: SEALED_CAPTURES,
  onConflict: () => `ON CONFLICT (tenant, conversation_uid) DO UPDATE SET captured_to = excluded.captured_to,
      at = excluded.at, seal = excluded.seal WHERE memory_captures.captured_to < excluded.captured_to`,
});

/** For loading: the further progress wins. */
export async function keepCaptures(
  port: Port,
  tenant: string,
  captures: readonly DumpedCapture[],
): Promise<void> {
  if (captures.length === 0) return;
  const conversations = [...new Set(captures.map(({ conversation }) => conversation))];
  const known = await countKnown(port, tenant, conversations);
  port.insert(
    KEEP,
    [tenant],
    captures.map(({ conversation, to, at }) => ({ conversation_uid: conversation, captured_to: to, at })),
  );
  countRows(port, tenant, { captures: conversations.length - known });
}

const DROP = statement(() => "DELETE FROM memory_captures WHERE tenant = $1 AND conversation_uid = $2");

export async function dropCapture(port: Port, tenant: string, conversation: string): Promise<void> {
  const dropped = await port.run(DROP, tenant, conversation);
  countRows(port, tenant, { captures: -dropped });
}

export type CaptureRow = { tenant: string; conversation_uid: string; captured_to: number; at: string };

const DUMP = statement(
  () => `SELECT * FROM memory_captures WHERE (tenant, conversation_uid) > ($1, $2)
    ORDER BY tenant, conversation_uid LIMIT $3`,
);

/** Of all tenants. */
export function dumpCapturePage(
  reader: Reader,
  after: readonly [tenant: string, conversation: string],
  limit: number,
): Promise<CaptureRow[]> {
  return reader.rows<CaptureRow>(DUMP, ...after, limit);
}
