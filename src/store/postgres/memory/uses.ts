import type { MemoryAccess, UseWrite } from "../../memory-store.ts";
import type { Transaction } from "../transaction.ts";
import { inScopes, scopesOf } from "./memory-rows.ts";

const COLUMNS = {
  access: ["access_count", "last_accessed_at"],
  injection: ["injected_count", "last_injected_at"],
} as const;

/** Rows are locked in the order of their numbers, so that two of these never wait for each other. */
export function countUses(
  transaction: Transaction,
  access: MemoryAccess,
  { ids, how, at, times = 1 }: UseWrite,
): Promise<number> {
  const [count, last] = COLUMNS[how];
  return transaction.run(
    `INSERT INTO memory_uses AS u (tenant, scope, number, ${count}, ${last})
     SELECT tenant, scope, number, $5::bigint, $4::timestamptz FROM memories
     WHERE tenant = $1 AND ${inScopes("scope", 2)} AND uid = ANY($3::text[]) AND erased_at IS NULL
     ORDER BY scope, number
     ON CONFLICT (tenant, scope, number) DO UPDATE
     SET ${count} = u.${count} + excluded.${count}, ${last} = greatest(u.${last}, excluded.${last})`,
    access.tenant,
    scopesOf(access),
    ids,
    at,
    times,
  );
}
