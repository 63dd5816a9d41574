/** The reads of a dump that are specific to SQLite, from the snapshot of the open transaction. */
import type { DumpSource } from "../reads/dump.ts";
import type { StoredMessage, StoredTranscriptLine } from "../store.ts";
import { contentPieces } from "./contents/file-contents.ts";
import { readFilesOf } from "./contents/original-of.ts";
import { conversationIdOf } from "./conversations.ts";
import type { Database } from "./database.ts";
import { readMessages } from "./messages.ts";
import { unpack } from "./packed-page.ts";
import { portOf } from "./sqlite-port.ts";
import { readLinesOf } from "./transcript-lines.ts";

export function dumpSource(database: Database): DumpSource {
  const port = portOf(database);
  return {
    dialect: port.dialect,
    rows: (statement, ...values) => port.rows(statement, ...values),
    one: (statement, ...values) => port.one(statement, ...values),
    messagesWithFiles: async (scope, conversation, query) => {
      const id = conversationIdOf(database, scope, conversation);
      const page = readMessages(database, id, query);
      const rows = [...unpack<StoredMessage>(page)].map((message) => ({
        message,
        files: readFilesOf(database, id, message.seq),
      }));
      return { rows, next: page.next };
    },
    contentPieces: async function* (_, { content, bytes }) {
      yield* contentPieces(database, content, bytes);
    },
    transcriptLines: async (scope, conversation, query) => {
      const page = readLinesOf(database, conversationIdOf(database, scope, conversation), query);
      return { rows: [...unpack<StoredTranscriptLine>(page)], next: page.next };
    },
  };
}
