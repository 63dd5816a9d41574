import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { POSTGRES } from "./postgres/dialect.ts";
import { schemaSql } from "./postgres/migrate.ts";
import { Database } from "./sqlite/database.ts";
import { SQLITE } from "./sqlite/dialect.ts";
import { migrate } from "./sqlite/migrate.ts";
import { allStatements } from "./statement.ts";

/** Defines every statement that both engines share. */
for (const folder of ["tables", "reads", "writes"])
  for (const name of readdirSync(path.join(import.meta.dirname, folder)))
    if (name.endsWith(".ts") && !name.endsWith(".test.ts"))
      await import(new URL(`./${folder}/${name}`, import.meta.url).href);

/** Tables whose rows belong to a tenant. */
const TABLES = [...schemaSql().matchAll(/^CREATE TABLE (\w+) \(\n {2}tenant/gm)].map(
  (match) => match[1] ?? "",
);

/** Names under which a statement uses tables of tenants. */
function usesOf(sql: string): string[] {
  const uses = sql.matchAll(/\b(?:FROM|JOIN|UPDATE|DELETE FROM)\s+(\w+)(?:\s+(?:AS\s+)?(\w+))?/g);
  return [...uses]
    .filter(([, table = ""]) => TABLES.includes(table))
    .map(([, table = "", alias = ""]) => (KEYWORDS.test(alias) || alias === "" ? table : alias));
}
const KEYWORDS = /^(WHERE|SET|ON|JOIN|CROSS|LEFT|ORDER|GROUP|LIMIT|USING|WITH|RETURNING|FOR|UNION)$/i;

/** Whether the rows used under a name are compared with the tenant parameter itself. */
function isCompared(sql: string, name: string): boolean {
  if (new RegExp(`\\b${name}\\.tenant = \\$1`).test(sql)) return true;
  return TABLES.includes(name) && /(?<![.\w])tenant = \$1/.test(sql);
}

/** Dumps and operator queries read all tenants, in pages that start after a tenant. */
const isOfAllTenants = (sql: string) => /\(tenant(, \w+)+\) > \(\$1/.test(sql);

describe("statements that both engines run", () => {
  it("compare every table with the tenant parameter itself, so that a cluster can send them to one shard", () => {
    const texts = allStatements().map((statement) => statement.in(POSTGRES));
    expect(texts.length).toBeGreaterThan(80);
    const wrong = texts
      .filter((sql) => !isOfAllTenants(sql))
      .flatMap((sql) =>
        usesOf(sql)
          .filter((name) => !isCompared(sql, name))
          .map((name) => `${name}: ${sql}`),
      );
    expect(wrong).toEqual([]);
  });

  it("never compare the tenants of two tables with each other", () => {
    const texts = allStatements().map((statement) => statement.in(POSTGRES));
    expect(texts.filter((sql) => /\w+\.tenant = \w+\.tenant|USING \(tenant/.test(sql))).toEqual([]);
  });

  it("name parameters in the one way that can be translated for SQLite", () => {
    const texts = allStatements().map((statement) => statement.in(SQLITE));
    expect(texts.filter((sql) => /\$(?!\d)|\?/.test(sql))).toEqual([]);
  });
});

describe("statements that take a list", () => {
  it("walk through the list once on SQLite, and not once for each row of a conversation", async () => {
    const database = new Database({ file: ":memory:", readOnly: false });
    await migrate(database, ":memory:");
    const wrong = allStatements()
      .map((statement) => statement.in(SQLITE))
      .filter((sql) => walksAgain(planOf(database, sql)));
    database.close();
    expect(wrong).toEqual([]);
  });

  interface Step {
    readonly parent: number;
    readonly detail: string;
  }

  function planOf(database: Database, sql: string): readonly Step[] {
    return database.all<{ parent: number; detail: string }>(`EXPLAIN QUERY PLAN ${sql.replaceAll("$", "?")}`);
  }

  /** Steps with one parent are nested loops, the first outermost. */
  function walksAgain(plan: readonly Step[]): boolean {
    return [...Map.groupBy(plan, ({ parent }) => parent).values()].some((steps) => {
      const list = steps.findIndex(({ detail }) => detail.includes("VIRTUAL TABLE"));
      return steps.slice(0, Math.max(0, list)).some(({ detail }) => readsManyRows(detail));
    });
  }

  function readsManyRows(detail: string): boolean {
    return /^SCAN (?!\w+ VIRTUAL)|^SEARCH .*\(conversation_id=\?\)$/.test(detail);
  }
});

describe("statements of PostgreSQL alone", () => {
  /** Migrations fill rows of all tenants, and operator queries read them. */
  const OF_ALL_TENANTS = ["store-info.ts", "maintenance.ts"];

  it("do not compare the tenants of two tables with each other", () => {
    const folder = path.join(import.meta.dirname, "postgres");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
      (name) =>
        name.endsWith(".ts") && !name.endsWith(".test.ts") && !OF_ALL_TENANTS.includes(path.basename(name)),
    );
    const wrong = files.filter((name) =>
      /\b\w+\.tenant = \w+\.tenant|USING \(tenant/.test(readFileSync(path.join(folder, name), "utf8")),
    );
    expect(wrong).toEqual([]);
  });
});
