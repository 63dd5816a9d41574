/**
 * Candidates without any extension: vectors that point the same way have the same signs nearly everywhere, and counting
 * the signs that differ takes a few nanoseconds a row. All rows of the holder's scopes are looked at.
 */
import type { MemoryState } from "../../../memory-types.ts";
import type { NearestQuery } from "../../memory-store.ts";
import { type MemoryScopes, scopesAmong } from "../../rules/memory-scopes.ts";
import { inStates } from "../../tables/memory-states.ts";
import type { Session } from "../session.ts";
import type { SignedCandidate } from "../vectors/measure-candidates.ts";
import { signText } from "../vectors/vector-bytes.ts";

export function candidatesBySigns(
  session: Session,
  access: MemoryScopes,
  query: NearestQuery,
  limit: number,
): Promise<SignedCandidate[]> {
  const scopes = scopesAmong(access, query.scopes);
  return session.rows<SignedCandidate>(
    statementFor(query.states ?? ["active"], scopes !== null),
    access.tenant,
    query.model,
    signText(query.vector),
    limit,
    query.vector.length,
    ...(scopes === null ? [] : [scopes]),
  );
}

/**
 * The server must see that nearly all rows are looked at, or it does not share the work between processes: so a model's
 * length is looked up once and not compared in every row, and nothing is said of scopes where all are meant.
 */
function statementFor(states: readonly MemoryState[], hasScopes: boolean): string {
  return `SELECT c.scope, c.number, c.bits::text AS bits FROM (
      SELECT b.scope, b.number, b.bits FROM memory_vector_bits b
      WHERE b.tenant = $1 AND b.model = $2 AND ${ofStates(states)} ${hasScopes ? "AND b.scope = ANY($6::text[])" : ""}
        AND (SELECT length(o.bits) FROM memory_vector_bits o WHERE o.tenant = $1 AND o.model = $2 LIMIT 1) = $5
      ORDER BY bit_count(b.bits # $3::varbit), b.scope, b.number, b.passage LIMIT $4) c`;
}

/** Whether a memory is in force stands beside the bits; for anything else its row is asked. */
function ofStates(states: readonly MemoryState[]): string {
  if (states.length === 1 && states[0] === "active") return "b.is_active";
  return `EXISTS (SELECT FROM memories m WHERE m.tenant = $1 AND m.scope = b.scope AND m.number = b.number
    AND ${inStates("m", states)})`;
}
