/**
 * The connections to one server: a pool for reads and writes, and single ones for long work. Work that can safely be repeated
 * is repeated here, so that a restart of the server or a collision of two writers does not reach the caller.
 */
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { isPalimpsestError } from "../../errors.ts";
import { storeClosed } from "../store-errors.ts";
import {
  fromConnecting,
  fromPostgres,
  isCollision,
  isConnectionLoss,
  uncertainCommit,
} from "./postgres-errors.ts";
import type { PostgresTarget } from "./postgres-url.ts";
import { typeParsers } from "./rows.ts";
import { Session } from "./session.ts";
import { Transaction } from "./transaction.ts";

const MAX_CONNECTIONS = 10;
const MAX_ATTEMPTS = 6;
/** Turns of a conversation are often minutes apart, and a new connection costs more than a turn. */
const IDLE_TIMEOUT_MS = 300_000;

/**
 * Long work holds locks. If its process or the network disappears without a notice, the server checks after half a minute and
 * frees the locks after a minute, instead of after two hours as systems do by default. A connection that is idle meanwhile is
 * kept. Not every server has the settings, and not every connection is over a network.
 */
export const FOR_LONG_WORK = `SELECT count(set_config(name, CASE name WHEN 'tcp_keepalives_idle' THEN '30'
    WHEN 'tcp_keepalives_interval' THEN '10' WHEN 'tcp_keepalives_count' THEN '3' ELSE '0' END, false))
  FROM pg_settings WHERE name IN
    ('tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count', 'idle_session_timeout')`;

type Attempt<Result> = { readonly result: Result } | { readonly again: unknown };

export class Connections {
  readonly location: string;
  readonly #config: pg.ClientConfig;
  readonly #pool: pg.Pool;
  #closed = false;
  #begin: (transaction: Transaction) => Promise<void> = async (transaction) => transaction.begin();

  constructor(target: PostgresTarget) {
    this.location = target.location;
    this.#config = { ...target.config, types: typeParsers() };
    const { connectionTimeoutMillis, ...config } = this.#config;
    this.#pool = new pg.Pool({
      ...config,
      max: MAX_CONNECTIONS,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      allowExitOnIdle: true,
      // The pool's own timeout would also end calls that only wait for a free connection.
      Client: class extends pg.Client {
        constructor(given?: pg.ClientConfig) {
          super({ ...given, connectionTimeoutMillis });
        }
      },
    });
    // An idle connection that breaks is removed from the pool automatically; one in use fails through its statement. Without
    // listeners either would end the process.
    this.#pool.on("error", ignore);
    this.#pool.on("connect", (client) => client.on("error", ignore));
  }

  /** Runs statements that only read. */
  read<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.#repeat(async (client) => {
      try {
        return { result: await work(new Session(client)) };
      } catch (error) {
        if (isConnectionLoss(error)) return { again: error };
        throw error;
      }
    });
  }

  /** From now on, `begin` begins each transaction that writes, and aborts it by throwing. */
  beginWritingWith(begin: (transaction: Transaction) => Promise<void>): void {
    this.#begin = begin;
  }

  /** Runs a transaction. `work` may run several times; only its last run counts. */
  write<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.#repeat(async (client) => {
      const transaction = new Transaction(client);
      // Not awaited yet: it is sent together with the first statements of the work.
      const begun = this.#begin(transaction);
      begun.catch(ignore);
      try {
        const result = await work(transaction);
        await begun;
        await transaction.commit();
        return { result };
      } catch (failure) {
        const { error, isUncertain } = await transaction.abort(failure);
        // All other failures follow from it.
        await begun.catch(throwRefusal);
        if (isUncertain) throw uncertainCommit(error, this.location);
        if (isCollision(error) || isConnectionLoss(error)) return { again: error };
        throw error;
      }
    });
  }

  /** A connection outside the pool, for long work. Always closed at the end. */
  async alone<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const client = await this.connectAlone();
    try {
      return await work(client);
    } catch (error) {
      throw fromPostgres(error, this.location);
    } finally {
      await client.end();
    }
  }

  /** With null, the caller has to send `FOR_LONG_WORK` in a statement of its own. */
  async connectAlone(statement: string | null = FOR_LONG_WORK): Promise<pg.Client> {
    this.#refuseClosed();
    const client = new pg.Client(this.#config);
    client.on("error", ignore);
    try {
      await client.connect();
      if (statement !== null) await client.query(statement);
      return client;
    } catch (error) {
      await client.end().catch(ignore);
      throw fromConnecting(error, this.location);
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#pool.end();
  }

  async #repeat<Result>(attempt: (client: pg.PoolClient) => Promise<Attempt<Result>>): Promise<Result> {
    for (let number = 1; ; number++) {
      const outcome = await this.#withClient(attempt);
      if ("result" in outcome) return outcome.result;
      if (number === MAX_ATTEMPTS) throw fromPostgres(outcome.again, this.location);
      await delay(Math.random() * 20 * 2 ** number);
    }
  }

  async #withClient<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.#connect();
    try {
      return await work(client);
    } catch (error) {
      throw fromPostgres(error, this.location);
    } finally {
      // A transaction that could not be ended must not go back to the pool.
      client.release(client.getTransactionStatus() !== "I");
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    this.#refuseClosed();
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw fromConnecting(error, this.location);
    }
  }

  #refuseClosed(): void {
    if (this.#closed) throw storeClosed();
  }
}

function ignore(): void {}

function throwRefusal(error: unknown): void {
  if (isPalimpsestError(error)) throw error;
}
