/**
 * One transaction on one connection. `send` does not wait for an answer: inserts and the COMMIT are sent together, and a
 * failure of any of them fails the commit, which the server then turns into a rollback.
 */
import type pg from "pg";
import type { Scope } from "../../types.ts";
import type { Columns, Insert, RowFor } from "../insert.ts";
import type { Contents, Derived, MemoryExtras, Owner, Port } from "../port.ts";
import { shownText } from "../shown-text.ts";
import { startWriting } from "./content-writer.ts";
import { POSTGRES } from "./dialect.ts";
import { dropUnreferenced } from "./drop-contents.ts";
import { putContents, renewContents } from "./file-contents.ts";
import { insertions } from "./insertions.ts";
import { memoryExtras } from "./memory/memory-extras.ts";
import { readMessagesAt } from "./messages.ts";
import { isAftermath, isConnectionLoss } from "./postgres-errors.ts";
import { Session, type Sql } from "./session.ts";
import { dropMessageVectors, dropVectorsOf } from "./vectors/embed-messages.ts";

export class Transaction implements Port {
  readonly dialect = POSTGRES;
  readonly contents: Contents = {
    put: (scope, contents, given) => putContents(this, scope, contents, given),
    renew: (scope, contents) => renewContents(this, scope, contents),
    original: async ({ scope }, conversation, seq) => {
      const [message] = await readMessagesAt(this, scope, conversation, [seq]);
      return message?.content ?? null;
    },
    startWriting: (scope) => startWriting(this, scope),
    dropUnreferenced: (scope, hashes) => dropUnreferenced(this, scope, hashes),
  };
  readonly derived: Derived = {
    dropVectors: ({ scope, id }, seqs) => dropMessageVectors(this, scope, id, seqs),
    dropAll: ({ scope, id }) => dropVectorsOf(this, scope, id),
    lockIndex: (scope) => lockIndex(this, scope),
  };
  readonly memories: MemoryExtras = memoryExtras(this);
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

  /** Begins with these statements, in one message to the server, and returns the rows of the last. */
  beginWith<Row extends object>(statements: string): Promise<Row[]> {
    return this.#watch(this.#session.scriptRows<Row>(`BEGIN ISOLATION LEVEL READ COMMITTED; ${statements}`));
  }

  rows<Row extends object>(sql: Sql, ...values: readonly unknown[]): Promise<Row[]> {
    return this.#watch(this.#session.rows<Row>(sql, ...values));
  }

  one<Row extends object>(sql: Sql, ...values: readonly unknown[]): Promise<Row | undefined> {
    return this.#watch(this.#session.one<Row>(sql, ...values));
  }

  run(sql: Sql, ...values: readonly unknown[]): Promise<number> {
    return this.#watch(this.#session.run(sql, ...values));
  }

  script(sql: string): Promise<string> {
    return this.#watch(this.#session.script(sql));
  }

  send(sql: Sql, ...values: readonly unknown[]): void {
    this.#watch(this.#session.run(sql, ...values));
  }

  shown(text: string): string;
  shown(text: string | null): string | null;
  shown(text: string | null): string | null {
    return shownText(text);
  }

  content(stored: string | Uint8Array | null): Uint8Array | null {
    return typeof stored === "string" ? Buffer.from(stored, "utf8") : stored;
  }

  insert<Of extends Columns>(insert: Insert<Of>, owner: Owner, rows: readonly RowFor<Of>[]): void {
    for (const { text, values } of insertions(insert, owner, rows)) this.send(text, ...values);
  }

  /** Waits until all sent statements have been answered. */
  async settle(): Promise<void> {
    await Promise.all(this.#pending.splice(0));
  }

  async commit(): Promise<void> {
    this.#commitSent = true;
    const command = this.script("COMMIT");
    await this.settle();
    if ((await command) !== "COMMIT") throw new Error("the server rolled the transaction back");
  }

  /** Ends a failed transaction, and returns its first error and whether the outcome is unknown. */
  async abort(error: unknown): Promise<{ readonly error: unknown; readonly isUncertain: boolean }> {
    if (!this.#commitSent) this.#watch(this.#session.script("ROLLBACK"));
    await Promise.allSettled(this.#pending.splice(0));
    const cause = this.#failure?.error ?? error;
    return { error: cause, isUncertain: this.#commitSent && isConnectionLoss(cause) };
  }

  /** The cause is the first failure; later statements are only ignored because of it. */
  #watch<Result>(answer: Promise<Result>): Promise<Result> {
    this.#pending.push(answer);
    answer.catch((error) => {
      if (!isAftermath(error)) this.#failure ??= { error };
    });
    return answer;
  }
}

/** One transaction at a time changes the search index of a scope. Conversations are locked before, never after. */
function lockIndex(transaction: Transaction, scope: Scope): void {
  transaction.send(
    "SELECT pg_advisory_xact_lock(hashtextextended($1, 1))",
    JSON.stringify([scope.tenant, scope.agent]),
  );
}
