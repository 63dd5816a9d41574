/** What was erased or deleted, and when; never the content. */
import type { Scope } from "../../types.ts";
import type { Port, Reader } from "../port.ts";
import { sealedTable, sealOf } from "../sealed-table.ts";
import { statement } from "../statement.ts";
import type { AuditMark, AuditRecord, Page, RangeQuery } from "../store.ts";
import { DEFAULT_LIMIT, END, pageOf } from "./pages.ts";
import { countRows } from "./tenant-counts.ts";

export const SEALED_AUDIT = sealedTable(
  "audit_log",
  { agent: "text", at: "time", action: "text", conversation_uid: "text", detail: "shown" },
  "tenant",
  { audit_id: 0 },
);

const WRITE = statement(
  () => `INSERT INTO audit_log (tenant, agent, at, action, conversation_uid, detail, seal)
    VALUES ($1, $2, $3, $4, $5, $6, $7)`,
);
const ADD = statement(
  (d) => `INSERT INTO audit_log (tenant, agent, at, action, conversation_uid, detail, seal)
    SELECT $1, $2, ${d.time("$3")}, $4, $5, $6, ${d.bigint("$7")} WHERE NOT EXISTS (
      SELECT 1 FROM audit_log WHERE tenant = $1 AND agent = $2 AND at = ${d.time("$3")} AND action = $4
        AND conversation_uid IS NOT DISTINCT FROM $5 AND detail = $6)`,
);

export function writeAudit(port: Port, scope: Scope, record: AuditRecord): void {
  port.send(WRITE, ...auditValues(port, scope, record));
  countRows(port, scope.tenant, { auditRecords: 1 });
}

/** For loading: an existing record is not written twice. Returns 1 or 0; the caller counts them. */
export function addAudit(port: Port, scope: Scope, record: AuditRecord): Promise<number> {
  return port.run(ADD, ...auditValues(port, scope, record));
}

function auditValues(port: Port, { tenant, agent }: Scope, record: AuditRecord) {
  const { at, action, conversation, detail } = record;
  const seal = sealOf(SEALED_AUDIT, { agent, at, action, conversation_uid: conversation, detail });
  return [tenant, agent, at, action, conversation, port.shown(detail), seal];
}

const LAST_CERTIFIED = statement(
  () => `SELECT * FROM audit_log WHERE tenant = $1 AND agent = $2
      AND detail LIKE '%,"certificate":"%'
    ORDER BY audit_id DESC LIMIT 1`,
);

/** The newest certificate of a scope. */
export async function readLastCertified(
  reader: Reader,
  { tenant, agent }: Scope,
): Promise<AuditRecord | undefined> {
  const row = await reader.one<AuditRow>(LAST_CERTIFIED, tenant, agent);
  return row === undefined ? undefined : toAudit(row);
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

const READ = statement(
  () => `SELECT * FROM audit_log WHERE tenant = $1 AND agent = $2 AND audit_id BETWEEN $3 AND $4
    ORDER BY audit_id LIMIT $5`,
);

export async function readAudit(
  reader: Reader,
  { tenant, agent }: Scope,
  { from = 0, to = END, limit = DEFAULT_LIMIT }: RangeQuery,
): Promise<Page<AuditRecord>> {
  const rows = await reader.rows<AuditRow>(READ, tenant, agent, from, to, limit + 1);
  const page = pageOf(rows, limit, (row) => row.audit_id);
  return { rows: page.rows.map(toAudit), next: page.next };
}

const MARKS = statement(
  (d) => `SELECT audit_id AS position, action, conversation_uid AS conversation FROM audit_log
    WHERE tenant = $1 AND agent = $2 AND audit_id > ${d.bigint("$3")} ORDER BY audit_id DESC LIMIT $4`,
);

export function readAuditMarks(
  reader: Reader,
  { tenant, agent }: Scope,
  after: number,
  limit: number,
): Promise<AuditMark[]> {
  return reader.rows<AuditMark>(MARKS, tenant, agent, after, limit);
}

export function toAudit(row: AuditRow): AuditRecord {
  return { at: row.at, action: row.action, conversation: row.conversation_uid, detail: row.detail };
}

const DUMP = statement(
  (d) => `SELECT * FROM audit_log WHERE (tenant, agent, audit_id) > ($1, $2, ${d.bigint("$3")})
    ORDER BY tenant, agent, audit_id LIMIT $4`,
);

/** Of all tenants. `at` does not identify a record, so pages end at a position inside each scope. */
export function dumpAuditPage(
  reader: Reader,
  after: readonly [tenant: string, agent: string, id: number],
  limit: number,
): Promise<AuditRow[]> {
  return reader.rows<AuditRow>(DUMP, ...after, limit);
}
