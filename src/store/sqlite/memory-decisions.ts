/** What capturing decided, and how far conversations were captured. */
import { PalimpsestError } from "../../errors.ts";
import type {
  CapturedWrite,
  DecisionQuery,
  MemoryPage,
  NewDecision,
  StoredDecision,
} from "../memory-store.ts";
import type { Database } from "./database.ts";
import { requireAllowed, requireAnyScope, type ThreadAccess } from "./memory-access.ts";
import { requireNotDeleted } from "./require-untouched.ts";

const DEFAULT_LIMIT = 100;

export type DecisionRow = {
  decision_id: number;
  tenant: string;
  scope: string;
  at: string;
  agent: string;
  stage: NewDecision["stage"];
  verdict: string;
  reason: string;
  detail: string;
  memory_uid: string | null;
  conversation_uid: string | null;
  first_seq: number | null;
  last_seq: number | null;
};

export function toDecision(row: DecisionRow): NewDecision {
  return {
    at: row.at,
    agent: row.agent,
    stage: row.stage,
    verdict: row.verdict,
    reason: row.reason,
    detail: row.detail,
    memory: row.memory_uid,
    scope: row.scope,
    conversation: row.conversation_uid,
    firstSeq: row.first_seq,
    lastSeq: row.last_seq,
  };
}

export function decide(database: Database, access: ThreadAccess, decision: NewDecision): void {
  requireAllowed(access, decision.scope);
  insertDecision(database, access.tenant, decision);
}

export function insertDecision(database: Database, tenant: string, decision: NewDecision): void {
  database.run(
    `INSERT INTO memory_decisions (tenant, scope, at, agent, stage, verdict, reason, detail, memory_uid,
       conversation_uid, first_seq, last_seq) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    tenant,
    decision.scope,
    decision.at,
    decision.agent,
    decision.stage,
    decision.verdict,
    decision.reason,
    decision.detail,
    decision.memory,
    decision.conversation,
    decision.firstSeq,
    decision.lastSeq,
  );
}

export function readDecisions(
  database: Database,
  access: ThreadAccess,
  query: DecisionQuery,
): MemoryPage<StoredDecision> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = database.all<DecisionRow>(
    `SELECT * FROM memory_decisions WHERE tenant = ?1 AND decision_id < ?2
       AND (?3 IS NULL OR scope IN (SELECT value FROM json_each(?3)))
       AND (?4 IS NULL OR stage IN (SELECT value FROM json_each(?4)))
       AND (?5 IS NULL OR verdict IN (SELECT value FROM json_each(?5)))
       AND (?6 IS NULL OR conversation_uid = ?6) AND (?7 IS NULL OR at >= ?7)
     ORDER BY decision_id DESC LIMIT ?8`,
    access.tenant,
    positionOf(query.cursor),
    listOf(access.scopes ?? undefined),
    listOf(query.stages),
    listOf(query.verdicts),
    query.conversation ?? null,
    query.since ?? null,
    limit + 1,
  );
  const page = rows.slice(0, limit);
  return {
    rows: page.map((row) => ({ position: row.decision_id, ...toDecision(row) })),
    next: rows.length > limit ? String(page.at(-1)?.decision_id) : null,
  };
}

function listOf(values: readonly string[] | undefined): string | null {
  return values === undefined ? null : JSON.stringify(values);
}

function positionOf(cursor: string | undefined): number {
  const position = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor);
  if (Number.isSafeInteger(position)) return position;
  throw new PalimpsestError("invalid-input", "this is no cursor of a page of decisions", {
    advice: "Hand in what the page before gave as next, or leave it out to begin.",
  });
}

export function readCapturedTo(database: Database, access: ThreadAccess, conversation: string): number {
  if (access.scopes?.length === 0) return 0;
  return capturedTo(database, access.tenant, conversation);
}

function capturedTo(database: Database, tenant: string, conversation: string): number {
  const row = database.one<{ captured_to: number }>(
    "SELECT captured_to FROM memory_captures WHERE tenant = ? AND conversation_uid = ?",
    tenant,
    conversation,
  );
  return row?.captured_to ?? 0;
}

export function capture(database: Database, access: ThreadAccess, write: CapturedWrite): void {
  requireAnyScope(access);
  requireNotDeleted(database, access.tenant, write.conversation);
  if (capturedTo(database, access.tenant, write.conversation) !== write.from)
    throw new PalimpsestError("busy", `${write.conversation} was captured further meanwhile`, {
      advice: "Try again; nothing was written.",
    });
  keepCapture(database, access.tenant, write);
}

export function keepCapture(
  database: Database,
  tenant: string,
  { conversation, to, at }: Pick<CapturedWrite, "conversation" | "to" | "at">,
): void {
  database.run("INSERT OR REPLACE INTO memory_captures VALUES (?, ?, ?, ?)", tenant, conversation, to, at);
}
