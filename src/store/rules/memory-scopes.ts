/** The memories that a request may read and change, as plain data. Others do not exist for the holder. */
import { PalimpsestError } from "../../errors.ts";
import { EVERY_SCOPE, type MemoryAccess } from "../memory-store.ts";

/** Null means every scope of the tenant. */
export interface MemoryScopes {
  readonly tenant: string;
  readonly scopes: readonly string[] | null;
}

export function memoryScopes({ tenant, scopes }: MemoryAccess): MemoryScopes {
  return { tenant, scopes: scopes === EVERY_SCOPE ? null : scopes };
}

export function allows({ scopes }: MemoryScopes, scope: string): boolean {
  return scopes === null || scopes.includes(scope);
}

/** The holder's scopes, limited to the wanted ones. */
export function scopesAmong(access: MemoryScopes, wanted?: readonly string[]): readonly string[] | null {
  return wanted === undefined ? access.scopes : wanted.filter((scope) => allows(access, scope));
}

export function requireAllowed(access: MemoryScopes, scope: string): void {
  if (!allows(access, scope))
    throw new PalimpsestError("not-found", `the memory scope ${scope} is not accessible`, {
      advice: "Use one of the scopes of this agent; nothing was written.",
    });
}

/** Without any scope nothing may be written. */
export function requireAnyScope({ scopes }: MemoryScopes): void {
  if (scopes?.length === 0)
    throw new PalimpsestError("not-found", "no memory scope is accessible", {
      advice: "Give the agent access to at least one memory scope; nothing was written.",
    });
}
