/** Decisions of captures about candidates, with their reasons. */
import { insertInto } from "../insert.ts";
import type { DecisionQuery, MemoryPage, NewDecision, StoredDecision } from "../memory-store.ts";
import type { Port, Reader, Value } from "../port.ts";
import { invalidCursor } from "../rules/invalid-cursor.ts";
import type { MemoryScopes } from "../rules/memory-scopes.ts";
import { sealedTable } from "../sealed-table.ts";
import { type Statement, statement } from "../statement.ts";
import { holdsErased } from "./erased-origins.ts";
import { END } from "./pages.ts";
import { countRows } from "./tenant-counts.ts";

const DEFAULT_LIMIT = 100;

export const SEALED_DECISIONS = sealedTable(
  "memory_decisions",
  {
    scope: "text",
    at: "time",
    agent: "text",
    stage: "text",
    verdict: "shown",
    reason: "shown",
    detail: "shown",
    memory_uid: "text",
    conversation_uid: "text",
    first_seq: "bigint",
    last_seq: "bigint",
  },
  "tenant",
  { decision_id: 0 },
);
const INSERT = insertInto("memory_decisions", SEALED_DECISIONS.columns, {
  owner: "tenant",
  sealed: SEALED_DECISIONS,
});

export function insertDecisions(port: Port, tenant: string, decisions: readonly NewDecision[]): void {
  if (decisions.length === 0) return;
  port.insert(
    INSERT,
    [tenant],
    decisions.map((decision) => ({
      scope: decision.scope,
      at: decision.at,
      agent: decision.agent,
      stage: decision.stage,
      verdict: decision.verdict,
      reason: decision.reason,
      detail: decision.detail,
      memory_uid: decision.memory,
      conversation_uid: decision.conversation,
      first_seq: decision.firstSeq,
      last_seq: decision.lastSeq,
    })),
  );
  countRows(port, tenant, { decisions: decisions.length });
}

export type DecisionRow = NewDecision & { readonly decision_id: number; readonly tenant: string };

const COLUMNS = `decision_id, tenant, at, agent, stage, verdict, reason, detail, memory_uid AS memory, scope,
  conversation_uid AS conversation, first_seq AS "firstSeq", last_seq AS "lastSeq"`;

export function toDecision({ decision_id: _, tenant: __, ...decision }: DecisionRow): NewDecision {
  return decision;
}

const READ = statement(
  (d) => `SELECT ${COLUMNS} FROM memory_decisions WHERE tenant = $1 AND ${d.among("scope", "$2")}
      AND ${d.among("stage", "$3")} AND ${d.among("verdict", "$4")}
      AND (${d.text("$5")} IS NULL OR conversation_uid = $5) AND (${d.time("$6")} IS NULL OR at >= ${d.time("$6")})
      AND decision_id < $7
    ORDER BY decision_id DESC LIMIT $8`,
);

export async function readDecisions(
  reader: Reader,
  { tenant, scopes }: MemoryScopes,
  query: DecisionQuery,
): Promise<MemoryPage<StoredDecision>> {
  const { limit = DEFAULT_LIMIT } = query;
  const rows = await reader.rows<DecisionRow>(
    READ,
    tenant,
    scopes,
    query.stages ?? null,
    query.verdicts ?? null,
    query.conversation ?? null,
    query.since ?? null,
    positionOf(query.cursor),
    limit + 1,
  );
  const page = rows.slice(0, limit);
  return {
    rows: page.map((row) => ({ position: row.decision_id, ...toDecision(row) })),
    next: rows.length > limit ? String(page.at(-1)?.decision_id) : null,
  };
}

function positionOf(cursor: string | undefined): number {
  if (cursor === undefined) return END;
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw invalidCursor(cursor);
}

const DROP_LISTED = statement(
  (d) => `DELETE FROM memory_decisions WHERE tenant = $1 AND ${d.isListed("decision_id", "$2", "bigint")}`,
);

export async function dropDecisions(port: Port, tenant: string, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await drop(port, DROP_LISTED, tenant, ids);
}

async function drop(
  port: Port,
  which: Statement,
  tenant: string,
  ...values: readonly Value[]
): Promise<void> {
  const dropped = await port.run(which, tenant, ...values);
  countRows(port, tenant, { decisions: -dropped });
}

const DROP_ABOUT = statement(
  (d) => `DELETE FROM memory_decisions WHERE tenant = $1 AND ${d.isListed("memory_uid", "$2", "text")}`,
);

/** Deletes those that name one of these memories. */
export function dropDecisionsAbout(port: Port, tenant: string, memories: readonly string[]): Promise<void> {
  return drop(port, DROP_ABOUT, tenant, memories);
}

const DROP_ERASED = statement(
  (
    d,
  ) => `DELETE FROM memory_decisions WHERE tenant = $1 AND (${holdsErased(d, "memory_decisions")} OR EXISTS (
    SELECT 1 FROM memories m WHERE ${d.sameTenant("m")} AND m.uid = memory_decisions.memory_uid
      AND m.erased_at IS NOT NULL))`,
);

/** For loading: deletes those about messages and memories that are erased here. */
export function dropDecisionsAboutErased(port: Port, tenant: string): Promise<void> {
  return drop(port, DROP_ERASED, tenant);
}

const DUMP = statement(
  (d) => `SELECT ${COLUMNS} FROM memory_decisions WHERE (tenant, decision_id) > ($1, ${d.bigint("$2")})
    ORDER BY tenant, decision_id LIMIT $3`,
);

/** Of all tenants. */
export function dumpDecisionPage(
  reader: Reader,
  after: readonly [tenant: string, id: number],
  limit: number,
): Promise<DecisionRow[]> {
  return reader.rows<DecisionRow>(DUMP, ...after, limit);
}

const KNOWN = statement(
  () =>
    `SELECT ${COLUMNS} FROM memory_decisions WHERE tenant = $1 AND decision_id > $2 ORDER BY decision_id LIMIT $3`,
);

export function readDecisionPage(
  reader: Reader,
  tenant: string,
  after: number,
  limit: number,
): Promise<DecisionRow[]> {
  return reader.rows<DecisionRow>(KNOWN, tenant, after, limit);
}
