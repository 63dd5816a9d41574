/** What capturing decided, and how far it came. */
import type {
  CapturedWrite,
  DecisionQuery,
  MemoryAccess,
  MemoryPage,
  NewDecision,
  StoredDecision,
} from "../../memory-store.ts";
import { withoutNul } from "../rows.ts";
import type { Session } from "../session.ts";
import type { Transaction } from "../transaction.ts";
import { invalidCursor } from "./list-memories.ts";
import { inScopes, scopesOf } from "./memory-rows.ts";

const DEFAULT_LIMIT = 100;

export const DECISION_COLUMNS =
  "at, agent, stage, verdict, reason, detail, memory_uid, scope, conversation_uid, first_seq, last_seq";

export const UNNEST_DECISIONS = `unnest($2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
  $8::text[], $9::text[], $10::text[], $11::bigint[], $12::bigint[])`;

export function insertDecisions(
  transaction: Transaction,
  tenant: string,
  decisions: readonly NewDecision[],
): void {
  if (decisions.length === 0) return;
  transaction.send(
    `INSERT INTO memory_decisions (tenant, ${DECISION_COLUMNS}) SELECT $1::text, * FROM ${UNNEST_DECISIONS}`,
    tenant,
    ...decisionArrays(decisions),
  );
}

export function decisionArrays(decisions: readonly NewDecision[]): readonly unknown[] {
  return [
    decisions.map(({ at }) => at),
    decisions.map(({ agent }) => agent),
    decisions.map(({ stage }) => stage),
    decisions.map(({ verdict }) => withoutNul(verdict)),
    decisions.map(({ reason }) => withoutNul(reason)),
    decisions.map(({ detail }) => withoutNul(detail)),
    decisions.map(({ memory }) => memory),
    decisions.map(({ scope }) => scope),
    decisions.map(({ conversation }) => conversation),
    decisions.map(({ firstSeq }) => firstSeq),
    decisions.map(({ lastSeq }) => lastSeq),
  ];
}

export type DecisionRow = Pick<
  StoredDecision,
  "at" | "agent" | "stage" | "verdict" | "reason" | "detail" | "scope"
> & {
  tenant: string;
  decision_id: number;
  memory_uid: string | null;
  conversation_uid: string | null;
  first_seq: number | null;
  last_seq: number | null;
};

export async function listDecisions(
  session: Session,
  access: MemoryAccess,
  query: DecisionQuery,
): Promise<MemoryPage<StoredDecision>> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = await session.rows<DecisionRow>(
    `SELECT * FROM memory_decisions WHERE tenant = $1 AND ${inScopes("scope", 2)}
       AND ($3::text[] IS NULL OR stage = ANY($3)) AND ($4::text[] IS NULL OR verdict = ANY($4))
       AND ($5::text IS NULL OR conversation_uid = $5) AND ($6::timestamptz IS NULL OR at >= $6)
       AND ($7::bigint IS NULL OR decision_id < $7)
     ORDER BY decision_id DESC LIMIT $8::bigint + 1`,
    access.tenant,
    scopesOf(access),
    query.stages ?? null,
    query.verdicts ?? null,
    query.conversation ?? null,
    query.since ?? null,
    positionOf(query.cursor),
    limit,
  );
  const page = rows.slice(0, limit).map(toDecision);
  return { rows: page, next: rows.length > limit ? String(page.at(-1)?.position) : null };
}

export function toDecision(row: DecisionRow): StoredDecision {
  const { at, agent, stage, verdict, reason, detail, scope } = row;
  return {
    position: row.decision_id,
    ...{ at, agent, stage, verdict, reason, detail, scope },
    memory: row.memory_uid,
    conversation: row.conversation_uid,
    firstSeq: row.first_seq,
    lastSeq: row.last_seq,
  };
}

function positionOf(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  if (/^\d{1,15}$/.test(cursor)) return cursor;
  throw invalidCursor(cursor);
}

export async function readCapturedTo(
  session: Session,
  access: MemoryAccess,
  conversation: string,
): Promise<number> {
  const row = await session.one<{ captured_to: number }>(
    "SELECT captured_to FROM memory_captures WHERE tenant = $1 AND conversation_uid = $2",
    access.tenant,
    conversation,
  );
  return row?.captured_to ?? 0;
}

/** Answers with false when it stood elsewhere. */
export async function moveCaptured(
  transaction: Transaction,
  tenant: string,
  { conversation, from, to, at }: CapturedWrite,
): Promise<boolean> {
  const moved = await transaction.run(
    from === 0
      ? `INSERT INTO memory_captures (tenant, conversation_uid, captured_to, at) VALUES ($1, $2, $4, $5)
         ON CONFLICT (tenant, conversation_uid) DO UPDATE SET captured_to = excluded.captured_to, at = excluded.at
         WHERE memory_captures.captured_to = $3::bigint`
      : `UPDATE memory_captures SET captured_to = $4, at = $5
         WHERE tenant = $1 AND conversation_uid = $2 AND captured_to = $3::bigint`,
    tenant,
    conversation,
    from,
    to,
    at,
  );
  return moved === 1;
}
