import type { Scope } from "../../types.ts";
import type { AuditRecord, Page, RangeQuery } from "../store.ts";
import { DEFAULT_LIMIT, END, pageOf, withoutNul } from "./rows.ts";
import type { Session } from "./session.ts";
import type { Transaction } from "./transaction.ts";

export function writeAudit(transaction: Transaction, scope: Scope, record: AuditRecord): void {
  transaction.send(
    `INSERT INTO audit_log (tenant, agent, at, action, conversation_uid, detail) VALUES ($1, $2, $3, $4, $5, $6)`,
    ...auditValues(scope, record),
  );
}

/** For loading: a record that is there already is not written twice. */
export function addAudit(transaction: Transaction, scope: Scope, record: AuditRecord): void {
  transaction.send(
    `INSERT INTO audit_log (tenant, agent, at, action, conversation_uid, detail)
     SELECT $1, $2, $3::timestamptz, $4, $5, $6 WHERE NOT EXISTS (
       SELECT FROM audit_log WHERE tenant = $1 AND agent = $2 AND at = $3::timestamptz AND action = $4
         AND conversation_uid IS NOT DISTINCT FROM $5 AND detail = $6)`,
    ...auditValues(scope, record),
  );
}

function auditValues(scope: Scope, record: AuditRecord): readonly unknown[] {
  const { at, action, conversation, detail } = record;
  return [scope.tenant, scope.agent, at, action, conversation, withoutNul(detail)];
}

export type AuditRow = {
  audit_id: number;
  tenant: string;
  agent: string;
  at: string;
  action: string;
  conversation_uid: string | null;
  detail: string;
};

export async function readAudit(
  session: Session,
  scope: Scope,
  query: RangeQuery,
): Promise<Page<AuditRecord>> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = await session.rows<AuditRow>(
    `SELECT * FROM audit_log WHERE tenant = $1 AND agent = $2 AND audit_id BETWEEN $3 AND $4
     ORDER BY audit_id LIMIT $5::bigint + 1`,
    scope.tenant,
    scope.agent,
    query.from ?? 0,
    query.to ?? END,
    limit,
  );
  const page = pageOf(rows, limit, (row) => row.audit_id);
  return { rows: page.rows.map(toAudit), next: page.next };
}

export function toAudit(row: AuditRow): AuditRecord {
  return { at: row.at, action: row.action, conversation: row.conversation_uid, detail: row.detail };
}
