/** Records an erasure: a certificate, chained to the previous one, and a mark that the files must be cleaned. */
import type { Scope } from "../../types.ts";
import type { Port } from "../port.ts";
import { type Certified, certify, readCertificate } from "../rules/certificate.ts";
import type { AuditRecord } from "../store.ts";
import { readLastCertified, writeAudit } from "../tables/audit-log.ts";
import { insertErasedKeys } from "../tables/erased-keys.ts";
import { markCleanup } from "../tables/erasure-cleanups.ts";

/** Returns the hash of the certificate. One at a time in a tenant, so that the chain has no forks. */
export async function writeCertificate(
  port: Port,
  scope: Scope,
  record: AuditRecord,
  facts: Pick<Certified, "erased" | "keys"> = {},
): Promise<string> {
  port.memories.lockTenant(scope.tenant, "alone");
  const last = await readLastCertified(port, scope);
  const previous = last === undefined ? null : (readCertificate(last)?.certificate ?? null);
  const made = certify(scope, record, { ...facts, previous });
  writeAudit(port, scope, made.record);
  markCleanup(port, scope, record.at);
  return made.certificate;
}

/** Entries that a certificate names are recognised when they are committed again. */
export function rememberKeys(port: Port, scope: Scope, record: AuditRecord): void {
  const { conversation } = record;
  const keys = readCertificate(record)?.keys;
  if (keys === undefined || conversation === null) return;
  const erased = keys.digests.map(([digest, seq]) => ({ digest, conversation, seq }));
  insertErasedKeys(port, scope, keys.salt, erased);
}
