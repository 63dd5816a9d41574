/**
 * Certificates of erasure: chained audit records. Each has ids and salted digests of the erased content, the places searched
 * for copies, and the previous certificate in its scope; its hash covers all of that. It never contains the content.
 */
import { sha256 } from "../../text/bytes.ts";
import type { Scope } from "../../types.ts";
import type { AuditRecord } from "../store.ts";

/** What a store adds to the detail of a record; the hash comes last. */
export interface Certified {
  /** Seq of each erased message, with the digest that its tombstone keeps: the salt of the digest is erased. */
  readonly erased?: readonly (readonly [seq: number, digest: string])[];
  /** Digests of identifiers of the hosts' entries, by which later copies are recognised. */
  readonly keys?: {
    readonly salt: string;
    readonly digests: readonly (readonly [digest: string, seq: number])[];
  };
  /** Hash of the previous certificate; null for the first of a scope. */
  readonly previous: string | null;
  readonly certificate: string;
}

export function certify(
  scope: Scope,
  record: AuditRecord,
  facts: Omit<Certified, "certificate">,
): { readonly record: AuditRecord; readonly certificate: string } {
  const detail = { ...JSON.parse(record.detail), ...facts };
  const certificate = hashOf(scope, record, detail);
  return { record: { ...record, detail: JSON.stringify({ ...detail, certificate }) }, certificate };
}

/** The detail of a certificate; null for a record that is not one. */
export function readCertificate({ detail }: AuditRecord): (Certified & Record<string, unknown>) | null {
  const read = parse(detail);
  return typeof read?.certificate === "string" ? read : null;
}

/** The detail of a record from an export may have any form. */
function parse(detail: string): (Certified & Record<string, unknown>) | null {
  try {
    return JSON.parse(detail);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Whether a certificate is unchanged since it was made. */
export function isGenuine(scope: Scope, record: AuditRecord): boolean {
  const { certificate, ...detail } = JSON.parse(record.detail);
  return certificate === hashOf(scope, record, detail);
}

function hashOf({ tenant, agent }: Scope, { at, action, conversation }: AuditRecord, detail: object): string {
  return sha256(JSON.stringify([tenant, agent, at, action, conversation, detail]));
}
