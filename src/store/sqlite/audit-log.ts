import type { Scope } from "../../types.ts";
import type { AuditRecord, Page, RangeQuery } from "../store.ts";
import type { Database } from "./database.ts";
import { DEFAULT_LIMIT, END, pageOf } from "./rows.ts";

export function writeAudit(database: Database, scope: Scope, record: AuditRecord): void {
  database.run(
    "INSERT INTO audit_log (tenant, agent, at, action, conversation_uid, detail) VALUES (?, ?, ?, ?, ?, ?)",
    scope.tenant,
    scope.agent,
    record.at,
    record.action,
    record.conversation,
    record.detail,
  );
}

export type AuditRow = {
  audit_id: number;
  at: string;
  action: string;
  conversation_uid: string | null;
  detail: string;
};

export function readAudit(database: Database, scope: Scope, query: RangeQuery): Page<AuditRecord> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = database.all<AuditRow>(
    `SELECT audit_id, at, action, conversation_uid, detail FROM audit_log
     WHERE tenant = ? AND agent = ? AND audit_id BETWEEN ? AND ? ORDER BY audit_id LIMIT ?`,
    scope.tenant,
    scope.agent,
    query.from ?? 0,
    query.to ?? END,
    limit + 1,
  );
  const page = pageOf(rows, limit, (row) => row.audit_id);
  return { rows: page.rows.map(toAudit), next: page.next };
}

export function toAudit(row: AuditRow): AuditRecord {
  return { at: row.at, action: row.action, conversation: row.conversation_uid, detail: row.detail };
}
