import type { Scope } from "../../types.ts";
import type { Transaction } from "./transaction.ts";

/** One at a time changes the search index of a scope. Conversations are locked before, never after. */
export function lockIndex(transaction: Transaction, scope: Scope): void {
  transaction.send(
    "SELECT pg_advisory_xact_lock(hashtextextended($1, 1))",
    JSON.stringify([scope.tenant, scope.agent]),
  );
}
