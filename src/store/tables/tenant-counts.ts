/** The number of rows of a tenant in tables whose rows have no other owner: a deleted row leaves no other trace. */
import type { Port } from "../port.ts";
import { statement } from "../statement.ts";

interface TenantCounts {
  readonly auditRecords?: number;
  readonly decisions?: number;
  readonly captures?: number;
}

const COUNT = statement(
  () => `INSERT INTO tenant_counts AS known (tenant, audit_records, decisions, captures) VALUES ($1, $2, $3, $4)
    ON CONFLICT (tenant) DO UPDATE SET audit_records = known.audit_records + excluded.audit_records,
      decisions = known.decisions + excluded.decisions, captures = known.captures + excluded.captures`,
);

/** Counts added rows, or deleted rows if a number is negative. The tenant's lock is held, or there is no other writer. */
export function countRows(
  port: Port,
  tenant: string,
  { auditRecords = 0, decisions = 0, captures = 0 }: TenantCounts,
): void {
  if (auditRecords === 0 && decisions === 0 && captures === 0) return;
  port.send(COUNT, tenant, auditRecords, decisions, captures);
}
