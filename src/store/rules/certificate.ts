/**
 * Certificates of erasure: audit records that are chained. Each names what was removed by ids and salted digests, where
 * copies were searched, and the certificate before it in its scope; its hash covers all of that. Never words.
 */
import { sha256 } from "../../text/bytes.ts";
import type { Scope } from "../../types.ts";
import type { AuditRecord } from "../store.ts";

/** What a store adds to the detail of a record; the hash comes last. */
export interface Certified {
  /** Seq of each message erased, with the digest that its tombstone keeps: the salt of it is gone. */
  readonly erased?: readonly (readonly [seq: number, digest: string])[];
  /** Digests of what identifies the entries of the host, by which they are recognised when they come again. */
  readonly keys?: {
    readonly salt: string;
    readonly digests: readonly (readonly [digest: string, seq: number])[];
  };
  /** Hash of the certificate before; null for the first of a scope. */
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

/** The detail of a certificate; null for a record that is none. */
export function readCertificate({ detail }: AuditRecord): (Certified & Record<string, unknown>) | null {
  const read = parse(detail);
  return typeof read?.certificate === "string" ? read : null;
}

/** What came with an export may be anything. */
function parse(detail: string): (Certified & Record<string, unknown>) | null {
  try {
    return JSON.parse(detail);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Whether a certificate says what it said when it was made. */
export function isGenuine(scope: Scope, record: AuditRecord): boolean {
  const { certificate, ...detail } = JSON.parse(record.detail);
  return certificate === hashOf(scope, record, detail);
}

function hashOf({ tenant, agent }: Scope, { at, action, conversation }: AuditRecord, detail: object): string {
  return sha256(JSON.stringify([tenant, agent, at, action, conversation, detail]));
}
