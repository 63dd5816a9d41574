/** For loading: as often as a decision is on record already, one of the dump is taken for that. */
import type { NewDecision } from "../../memory-store.ts";
import type { DumpedCapture } from "../../store.ts";
import type { Transaction } from "../transaction.ts";
import { DECISION_COLUMNS, decisionArrays, insertDecisions, UNNEST_DECISIONS } from "./decisions.ts";

const NAME = `md5(ROW(${DECISION_COLUMNS})::text)`;

export class LoadedDecisions {
  readonly #transaction: Transaction;
  /** By tenant: equal ones of this store that were met by none of the dump yet. */
  readonly #left = new Map<string, Map<string, number>>();

  constructor(transaction: Transaction) {
    this.#transaction = transaction;
  }

  async add(tenant: string, decisions: readonly NewDecision[]): Promise<void> {
    if (decisions.length === 0) return;
    const left = this.#left.get(tenant) ?? (await this.#count(tenant));
    this.#left.set(tenant, left);
    const names = await this.#transaction.rows<{ name: string }>(
      `SELECT ${NAME} AS name FROM (SELECT $1::text, * FROM ${UNNEST_DECISIONS} WITH ORDINALITY)
         AS new(tenant, ${DECISION_COLUMNS}, place) ORDER BY place`,
      tenant,
      ...decisionArrays(decisions),
    );
    const added = decisions.filter((_, i) => {
      const name = names[i]?.name ?? "";
      const known = left.get(name) ?? 0;
      left.set(name, known - 1);
      return known <= 0;
    });
    insertDecisions(this.#transaction, tenant, added);
  }

  async #count(tenant: string): Promise<Map<string, number>> {
    const rows = await this.#transaction.rows<{ name: string; count: number }>(
      `SELECT ${NAME} AS name, count(*) AS count FROM memory_decisions WHERE tenant = $1 GROUP BY 1`,
      tenant,
    );
    return new Map(rows.map(({ name, count }) => [name, count]));
  }
}

/** Whoever came further is right. */
export function addCaptures(
  transaction: Transaction,
  tenant: string,
  captures: readonly DumpedCapture[],
): void {
  if (captures.length === 0) return;
  transaction.send(
    `INSERT INTO memory_captures AS c (tenant, conversation_uid, captured_to, at)
     SELECT $1::text, * FROM unnest($2::text[], $3::bigint[], $4::timestamptz[])
     ON CONFLICT (tenant, conversation_uid) DO UPDATE SET captured_to = excluded.captured_to, at = excluded.at
     WHERE c.captured_to < excluded.captured_to`,
    tenant,
    captures.map(({ conversation }) => conversation),
    captures.map(({ to }) => to),
    captures.map(({ at }) => at),
  );
}
