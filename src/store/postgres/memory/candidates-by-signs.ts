/**
 * Candidates without any extension: vectors that point the same way have the same signs nearly everywhere, and counting
 * the signs that differ takes a few nanoseconds a row. All rows of the holder's scopes are looked at.
 */
import type { MemoryState } from "../../../memory-types.ts";
import type { MemoryAccess, NearestQuery } from "../../memory-store.ts";
import type { Session } from "../session.ts";
import type { Candidate } from "../vectors/measure-candidates.ts";
import { signText } from "../vectors/vector-bytes.ts";
import { inScopes, inStates, scopesOf } from "./memory-rows.ts";

export function candidatesBySigns(
  session: Session,
  access: MemoryAccess,
  query: NearestQuery,
  limit: number,
): Promise<Candidate[]> {
  return session.rows<Candidate>(
    statementFor(query.states ?? ["active"]),
    access.tenant,
    scopesOf(access, query.scopes),
    query.model,
    signText(query.vector),
    limit,
    query.vector.length,
  );
}

function statementFor(states: readonly MemoryState[]): string {
  return `SELECT c.scope, c.number, (SELECT encode(v.vector, 'base64') FROM memory_vectors v WHERE v.tenant = $1
      AND v.scope = c.scope AND v.number = c.number AND v.model = $3 AND v.passage = c.passage) AS vector
    FROM (
      SELECT b.scope, b.number, b.passage FROM memory_vector_bits b
      WHERE b.tenant = $1 AND ${inScopes("b.scope", 2)} AND b.model = $3 AND length(b.bits) = $6
        AND ${ofStates(states)}
      ORDER BY bit_count(b.bits # $4::varbit), b.scope, b.number, b.passage LIMIT $5) c`;
}

/** Whether a memory is in force stands beside the bits; for anything else its row is asked. */
function ofStates(states: readonly MemoryState[]): string {
  if (states.length === 1 && states[0] === "active") return "b.is_active";
  return `EXISTS (SELECT FROM memories m WHERE m.tenant = b.tenant AND m.scope = b.scope AND m.number = b.number
    AND ${inStates(states)})`;
}
