/** Takes in a content that no message brings. */
import type pg from "pg";
import type { Scope } from "../../types.ts";
import type { PutContent } from "../file-store.ts";
import type { Connections } from "./connections.ts";
import { ContentWriter } from "./content-writer.ts";
import { Transaction } from "./transaction.ts";

export async function putContent(
  connections: Connections,
  scope: Scope,
  pieces: AsyncIterable<Uint8Array>,
): Promise<PutContent> {
  const failures: unknown[] = [];
  try {
    return await connections.alone((client) => write(client, scope, watch(pieces, failures)));
  } catch (error) {
    // What goes wrong where the pieces come from is not the database's: the caller gets it as it was.
    throw failures.length > 0 ? failures[0] : error;
  }
}

async function* watch<Piece>(pieces: AsyncIterable<Piece>, failures: unknown[]): AsyncGenerator<Piece> {
  try {
    yield* pieces;
  } catch (error) {
    failures.push(error);
    throw error;
  }
}

async function write(
  client: pg.Client,
  scope: Scope,
  pieces: AsyncIterable<Uint8Array>,
): Promise<PutContent> {
  const transaction = new Transaction(client);
  try {
    transaction.begin();
    // Whoever brings the pieces may take their time.
    await transaction.script("SET LOCAL idle_in_transaction_session_timeout = 0");
    const writer = new ContentWriter(transaction, scope);
    for await (const piece of pieces) await writer.add(piece);
    const put = await writer.end();
    await transaction.commit();
    return put;
  } catch (failure) {
    throw (await transaction.abort(failure)).error;
  }
}
