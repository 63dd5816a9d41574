/** Takes in a content that no message brings. */
import type pg from "pg";
import type { Scope } from "../../types.ts";
import type { PutContent } from "../file-store.ts";
import { ContentWriter } from "./content-writer.ts";
import { Transaction } from "./transaction.ts";

export async function putContent(
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
