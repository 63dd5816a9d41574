/**
 * One connection in use. Statements are prepared once and kept; several may be on their way at a time, since
 * the server answers them in the order in which they were sent.
 */
import type pg from "pg";

/** Every statement's text is a constant of this package, so the number of names is bounded. */
const statementNames = new Map<string, string>();

export class Session {
  readonly #client: pg.Client;

  constructor(client: pg.Client) {
    this.#client = client;
  }

  async rows<Row extends pg.QueryResultRow>(sql: string, ...values: readonly unknown[]): Promise<Row[]> {
    return (await this.#query<Row>(sql, values)).rows;
  }

  async one<Row extends pg.QueryResultRow>(
    sql: string,
    ...values: readonly unknown[]
  ): Promise<Row | undefined> {
    return (await this.rows<Row>(sql, ...values))[0];
  }

  /** How many rows a statement changed. */
  async run(sql: string, ...values: readonly unknown[]): Promise<number> {
    return (await this.#query(sql, values)).rowCount ?? 0;
  }

  /** Statements that are used once, or several of them in one text. Returns the last one's command. */
  async script(sql: string): Promise<string> {
    this.#gatherPackets();
    const result: pg.QueryResult | pg.QueryResult[] = await this.#client.query(sql);
    return (Array.isArray(result) ? result.at(-1)?.command : result.command) ?? "";
  }

  #query<Row extends pg.QueryResultRow>(
    sql: string,
    values: readonly unknown[],
  ): Promise<pg.QueryResult<Row>> {
    this.#gatherPackets();
    return this.#client.query<Row>({ name: statementName(sql), text: sql, values: [...values] });
  }

  /** What is sent without waiting in between leaves in one packet, and wakes the server once. */
  #gatherPackets(): void {
    const { stream } = this.#client.connection;
    if (stream.writableCorked > 0) return;
    stream.cork();
    process.nextTick(() => stream.uncork());
  }
}

function statementName(sql: string): string {
  let name = statementNames.get(sql);
  if (name === undefined) {
    name = `palimpsest_${statementNames.size + 1}`;
    statementNames.set(sql, name);
  }
  return name;
}
