/**
 * One connection in use. Statements are prepared once and kept; several may be sent at a time, since the server answers them
 * in the order in which they were sent.
 */
import type pg from "pg";
import type { Reader } from "../port.ts";
import { RowList } from "../row-list.ts";
import type { Statement } from "../statement.ts";
import { POSTGRES } from "./dialect.ts";

/** Every statement's text is a constant of this package, so their number is limited. */
const statementNumbers = new Map<string, number>();
/** No two connections use the same names, so that a proxy may serve several with one session. */
const connectionNumbers = new WeakMap<pg.Client, number>();
let connections = 0;

/** A statement of both engines, or the text of one that only PostgreSQL runs. */
export type Sql = Statement | string;

export class Session implements Reader {
  readonly dialect = POSTGRES;
  readonly #client: pg.Client;
  readonly #connection: number;

  constructor(client: pg.Client) {
    this.#client = client;
    this.#connection = connectionNumbers.get(client) ?? ++connections;
    connectionNumbers.set(client, this.#connection);
  }

  async rows<Row extends object>(sql: Sql, ...values: readonly unknown[]): Promise<Row[]> {
    return (await this.#query<Row>(sql, values)).rows;
  }

  async one<Row extends object>(sql: Sql, ...values: readonly unknown[]): Promise<Row | undefined> {
    return (await this.rows<Row>(sql, ...values))[0];
  }

  /** Returns how many rows a statement changed. */
  async run(sql: Sql, ...values: readonly unknown[]): Promise<number> {
    return (await this.#query(sql, values)).rowCount ?? 0;
  }

  /** Statements that are used once, or several of them in one text. Returns the last one's command. */
  async script(sql: string): Promise<string> {
    return (await this.#script(sql))?.command ?? "";
  }

  /** The same, and returns the last one's rows. */
  async scriptRows<Row extends object>(sql: string): Promise<Row[]> {
    return (await this.#script<Row>(sql))?.rows ?? [];
  }

  async #script<Row extends object>(sql: string): Promise<pg.QueryResult<Row> | undefined> {
    this.#gatherPackets();
    const result: pg.QueryResult<Row> | pg.QueryResult<Row>[] = await this.#client.query<Row>(sql);
    return Array.isArray(result) ? result.at(-1) : result;
  }

  #query<Row extends object>(sql: Sql, values: readonly unknown[]): Promise<pg.QueryResult<Row>> {
    this.#gatherPackets();
    const text = typeof sql === "string" ? sql : sql.in(POSTGRES);
    return this.#client.query<Row>({ name: this.#nameOf(text), text, values: values.flatMap(toParameters) });
  }

  #nameOf(sql: string): string {
    const number = statementNumbers.get(sql) ?? statementNumbers.size + 1;
    statementNumbers.set(sql, number);
    return `palimpsest_${this.#connection}_${number}`;
  }

  /** Statements that are sent without waiting in between are sent in one packet, which wakes the server once. */
  #gatherPackets(): void {
    const { stream } = this.#client.connection;
    if (stream.writableCorked > 0) return;
    stream.cork();
    process.nextTick(() => stream.uncork());
  }
}

/** A list of rows takes a parameter for each of its columns. */
function toParameters(value: unknown): readonly unknown[] {
  return value instanceof RowList ? value.columns : [value];
}
