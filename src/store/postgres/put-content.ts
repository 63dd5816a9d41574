/** Stores a content that does not come with a message. */
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
    // An error in the source of the pieces is not a database error: the caller gets it unchanged.
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
    // The source of the pieces may be slow.
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
