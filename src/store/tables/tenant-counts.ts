/** How many rows of a tenant there are in tables whose rows belong to nothing else: a row that is deleted leaves no trace of its own. */
import type { Port } from "../port.ts";
import { statement } from "../statement.ts";

export interface TenantCounts {
  readonly auditRecords?: number;
  readonly decisions?: number;
  readonly captures?: number;
}

const COUNT = statement(
  () => `INSERT INTO tenant_counts AS known (tenant, audit_records, decisions, captures) VALUES ($1, $2, $3, $4)
    ON CONFLICT (tenant) DO UPDATE SET audit_records = known.audit_records + excluded.audit_records,
      decisions = known.decisions + excluded.decisions, captures = known.captures + excluded.captures`,
);

/** Rows that came, or went where a number is negative. The tenant's lock is held, or nobody else writes. */
export function countRows(
  port: Port,
  tenant: string,
  { auditRecords = 0, decisions = 0, captures = 0 }: TenantCounts,
): void {
  if (auditRecords === 0 && decisions === 0 && captures === 0) return;
  port.send(COUNT, tenant, auditRecords, decisions, captures);
}
