/** Whose memories a request may see and change, as it comes to a thread: null stands for every scope of the tenant. */
import { PalimpsestError } from "../../errors.ts";
import type { Database } from "./database.ts";

export interface ThreadAccess {
  readonly tenant: string;
  readonly scopes: readonly string[] | null;
}

export function allows({ scopes }: ThreadAccess, scope: string): boolean {
  return scopes === null || scopes.includes(scope);
}

/** What is outside does not exist for the holder. */
export function requireAllowed(access: ThreadAccess, scope: string): void {
  if (!allows(access, scope))
    throw new PalimpsestError("not-found", `there is no memory scope ${scope} for this access`, {
      advice: "Name one of the scopes that this agent may use; nothing was written.",
    });
}

/** Without any scope nothing is written at all. */
export function requireAnyScope({ scopes }: ThreadAccess): void {
  if (scopes !== null && scopes.length === 0)
    throw new PalimpsestError("not-found", "this access has no memory scope", {
      advice: "Give the agent at least one memory scope; nothing was written.",
    });
}

/** Ids of those of the holder's scopes that exist; with `only`, of those among them. */
export function scopeIds(database: Database, access: ThreadAccess, only?: readonly string[]): number[] {
  const wanted = only === undefined ? access.scopes : only.filter((scope) => allows(access, scope));
  const rows = database.all<{ scope_id: number }>(
    `SELECT scope_id FROM memory_scopes WHERE tenant = ?1
       AND (?2 IS NULL OR scope IN (SELECT value FROM json_each(?2))) ORDER BY scope_id`,
    access.tenant,
    wanted === null ? null : JSON.stringify(wanted),
  );
  return rows.map(({ scope_id }) => scope_id);
}

/** Where a memory lies, when the holder may see it. */
export type FoundMemory = {
  memory_id: number;
  scope_id: number;
  number: number;
  scope: string;
  erased_at: string | null;
  invalidated_at: string | null;
  archived_at: string | null;
  updated_at: string;
  fact_key: string | null;
};

export function findMemory(database: Database, access: ThreadAccess, id: string): FoundMemory | undefined {
  const row = database.one<FoundMemory>(
    `SELECT m.memory_id, m.scope_id, m.number, s.scope, m.erased_at, m.invalidated_at, m.archived_at, m.updated_at,
       m.fact_key
     FROM memories m JOIN memory_scopes s USING (scope_id) WHERE m.uid = ? AND s.tenant = ?`,
    id,
    access.tenant,
  );
  return row !== undefined && allows(access, row.scope) ? row : undefined;
}

export function findScopeId(database: Database, access: ThreadAccess, scope: string): number | undefined {
  if (!allows(access, scope)) return undefined;
  const row = database.one<{ scope_id: number }>(
    "SELECT scope_id FROM memory_scopes WHERE tenant = ? AND scope = ?",
    access.tenant,
    scope,
  );
  return row?.scope_id;
}
