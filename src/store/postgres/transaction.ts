/**
 * One transaction on one connection. `send` does not wait for an answer: inserts and the COMMIT travel
 * together, and a failure of any of them fails the commit, which the server then turns into a rollback.
 */
import type pg from "pg";
import { isAftermath, isConnectionLoss } from "./postgres-errors.ts";
import { Session } from "./session.ts";

export class Transaction {
  readonly #session: Session;
  readonly #pending: Promise<unknown>[] = [];
  #failure: { readonly error: unknown } | undefined;
  #commitSent = false;

  constructor(client: pg.Client) {
    this.#session = new Session(client);
  }

  begin(mode: "READ COMMITTED" | "REPEATABLE READ, READ ONLY" = "READ COMMITTED"): void {
    this.#watch(this.#session.script(`BEGIN ISOLATION LEVEL ${mode}`));
  }

  rows<Row extends pg.QueryResultRow>(sql: string, ...values: readonly unknown[]): Promise<Row[]> {
    return this.#watch(this.#session.rows<Row>(sql, ...values));
  }

  one<Row extends pg.QueryResultRow>(sql: string, ...values: readonly unknown[]): Promise<Row | undefined> {
    return this.#watch(this.#session.one<Row>(sql, ...values));
  }

  run(sql: string, ...values: readonly unknown[]): Promise<number> {
    return this.#watch(this.#session.run(sql, ...values));
  }

  script(sql: string): Promise<string> {
    return this.#watch(this.#session.script(sql));
  }

  send(sql: string, ...values: readonly unknown[]): void {
    this.#watch(this.#session.run(sql, ...values));
  }

  /** Waits until everything that was sent has been answered. */
  async settle(): Promise<void> {
    await Promise.all(this.#pending.splice(0));
  }

  async commit(): Promise<void> {
    this.#commitSent = true;
    const command = this.script("COMMIT");
    await this.settle();
    if ((await command) !== "COMMIT") throw new Error("the server rolled the transaction back");
  }

  /** Ends a transaction that failed, and says what went wrong first and whether the outcome is known. */
  async abort(error: unknown): Promise<{ readonly error: unknown; readonly isUncertain: boolean }> {
    if (!this.#commitSent) this.#watch(this.#session.script("ROLLBACK"));
    await Promise.allSettled(this.#pending.splice(0));
    const cause = this.#failure?.error ?? error;
    return { error: cause, isUncertain: this.#commitSent && isConnectionLoss(cause) };
  }

  /** The cause is the first failure; that later statements were ignored only follows from it. */
  #watch<Result>(answer: Promise<Result>): Promise<Result> {
    this.#pending.push(answer);
    answer.catch((error) => {
      if (!isAftermath(error)) this.#failure ??= { error };
    });
    return answer;
  }
}
