/** Reads sign bits that changed since the last read, of several scopes at once. */
import type { Session } from "../session.ts";

interface SeenScope {
  readonly scope: string;
  /** The last change that is known; -1 before the first. */
  readonly seen: number;
}

interface ChangedSigns extends SeenScope {
  /** A memory's number, negative if it is not active, and its sign bits; one record after the other. */
  readonly records: Buffer;
  /** There are more, after `seen`. */
  readonly hasMore: boolean;
  /** The server has fewer changes than `seen`: it was restored to an earlier state, and all must be read again. */
  readonly isBehind: boolean;
}

type VectorSet = { readonly tenant: string; readonly model: string };

type PageRow = {
  readonly scope: string;
  readonly last_change: number;
  readonly vectors: number;
  readonly last: number | null;
  readonly isBehind: boolean;
  readonly records: string;
};

/** Vectors that are read at a time, plus the rest of the change that the last of them belongs to. */
const PAGE = 16_384;

/** A bit string is sent as its length in four bytes and its bits. */
const RECORD = `int8send(CASE WHEN is_active THEN number ELSE -number END) || substring(varbit_send(bits) FROM 5)`;

/** One statement reads one snapshot: later commits have later changes. The index contains only changes from 0 on. */
const SELECT_CHANGED = `
  SELECT s.scope, s.last_change, s.last_change < known.seen AS "isBehind", page.vectors, page.last,
    encode(coalesce(page.records, ''), 'base64') AS records
  FROM unnest($4::text[], $5::bigint[]) AS known(scope, seen)
  JOIN memory_scopes s ON s.tenant = $1 AND s.scope = known.scope AND s.last_change <> known.seen
  CROSS JOIN LATERAL (
    SELECT count(*) AS vectors, max(change) AS last, string_agg(${RECORD}, '') AS records FROM (
      SELECT number, is_active, bits, change FROM memory_vector_bits
      WHERE tenant = $1 AND scope = s.scope AND model = $2 AND change >= 0 AND change > known.seen
        AND length(bits) = $3
      ORDER BY change FETCH FIRST ${PAGE} ROWS WITH TIES) changed) page`;

/** Without the scopes in which nothing has changed. */
export async function readChangedSigns(
  session: Session,
  { tenant, model, dimensions }: VectorSet & { readonly dimensions: number },
  known: readonly SeenScope[],
): Promise<ChangedSigns[]> {
  const rows = await session.rows<PageRow>(
    SELECT_CHANGED,
    tenant,
    model,
    dimensions,
    known.map(({ scope }) => scope),
    known.map(({ seen }) => seen),
  );
  return rows.map(({ scope, last_change, vectors, last, isBehind, records }) => {
    const hasMore = last !== null && vectors >= PAGE;
    const seen = hasMore ? last : last_change;
    return { scope, seen, records: Buffer.from(records, "base64"), hasMore, isBehind };
  });
}

/** Whether a scope has more than so many vectors of a model. */
export async function hasMoreThan(
  session: Session,
  { tenant, model, scope }: VectorSet & { readonly scope: string },
  limit: number,
): Promise<boolean> {
  const row = await session.one<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT FROM memory_vector_bits
       WHERE tenant = $1 AND scope = $2 AND model = $3 LIMIT $4) found`,
    tenant,
    scope,
    model,
    limit + 1,
  );
  return (row?.count ?? 0) > limit;
}
