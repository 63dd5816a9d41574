/** Gives memories of an older version what they are looked up by when somebody says the same. */
import { gistOfMemory } from "../../gist-of-memory.ts";
import { byteaArray } from "../rows.ts";
import type { Transaction } from "../transaction.ts";

const BATCH = 1_000;

type Row = { tenant: string; scope: string; number: number; abstract: string };

export async function fillGists(transaction: Transaction): Promise<void> {
  for (let last: Pick<Row, "tenant" | "scope" | "number"> = { tenant: "", scope: "", number: 0 }; ; ) {
    const rows = await transaction.rows<Row>(
      `SELECT tenant, scope, number, abstract FROM memories WHERE (tenant, scope, number) > ($1, $2, $3)
       ORDER BY tenant, scope, number LIMIT $4`,
      last.tenant,
      last.scope,
      last.number,
      BATCH,
    );
    const end = rows.at(-1);
    if (end === undefined) return;
    await transaction.rows(
      `UPDATE memories m SET gist = f.gist
       FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bytea[]) AS f(tenant, scope, number, gist)
       WHERE m.tenant = f.tenant AND m.scope = f.scope AND m.number = f.number`,
      rows.map(({ tenant }) => tenant),
      rows.map(({ scope }) => scope),
      rows.map(({ number }) => number),
      byteaArray(rows.map(gistOfMemory)),
    );
    last = end;
  }
}
