/**
 * The start of a statement that writes signs: counts a change of each scope in the parameter, as `counted`. Scopes are
 * written under a lock, or by whoever has the tenant alone, so changes of one scope come to be seen in their order.
 */
export function countChange(scopes: string): string {
  return `WITH counted AS (
    UPDATE memory_scopes SET last_change = last_change + 1
    WHERE tenant = $1 AND scope = ANY(${scopes}::text[]) RETURNING scope, last_change AS change)`;
}
