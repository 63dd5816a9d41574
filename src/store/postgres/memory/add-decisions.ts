/** For loading: what is there already is not written twice. */
import type { NewDecision } from "../../memory-store.ts";
import type { DumpedCapture } from "../../store.ts";
import type { Transaction } from "../transaction.ts";
import { DECISION_COLUMNS, decisionArrays, UNNEST_DECISIONS } from "./decisions.ts";

const SAME = DECISION_COLUMNS.split(", ")
  .map((column) => `d.${column} IS NOT DISTINCT FROM new.${column}`)
  .filter((condition) => !condition.startsWith("d.at "))
  .join(" AND ");

/** The time is compared by equality, so that the planner can join on it. */
const ADD_DECISIONS = `INSERT INTO memory_decisions (tenant, ${DECISION_COLUMNS})
  SELECT $1::text, new.* FROM ${UNNEST_DECISIONS} AS new(${DECISION_COLUMNS})
  WHERE NOT EXISTS (SELECT FROM memory_decisions d WHERE d.tenant = $1 AND d.at = new.at AND ${SAME})`;

export function addDecisions(
  transaction: Transaction,
  tenant: string,
  decisions: readonly NewDecision[],
): void {
  if (decisions.length > 0) transaction.send(ADD_DECISIONS, tenant, ...decisionArrays(decisions));
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
