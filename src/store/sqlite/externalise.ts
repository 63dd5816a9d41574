/** Takes payloads out of messages that are on record, and puts them back. What a message says stays the same. */
import type { Scope } from "../../types.ts";
import { encodeContent } from "../content-encoding.ts";
import type { ExternaliseWrite, InternaliseWrite } from "../file-store.ts";
import { requireConversation } from "./conversations.ts";
import type { Database } from "./database.ts";
import { dropFiles } from "./large-files.ts";
import { type MessageTokens, recount, setTokens } from "./message-tokens.ts";
import { type ContentRow, originalOf, type StoredOriginal, storeOriginal } from "./original-of.ts";
import { messageRowId } from "./rows.ts";

/** Messages that have payloads apart already, or were erased, stay as they are. */
export function externalise(database: Database, scope: Scope, write: ExternaliseWrite): number {
  const { conversation_id } = requireConversation(database, scope, write.id);
  let changed = 0;
  for (const { seq, files, tokenCount, stubTokenCount } of write.messages) {
    const row = readContentRow(database, messageRowId(conversation_id, seq));
    if (row === undefined || row.large_content !== null || files.length === 0) continue;
    const original = originalOf(database, row, { payloads: "whole" });
    if (original === null) continue;
    const dated = files.map((file) => ({ ...file, createdAt: write.at }));
    const kept = storeOriginal(database, conversation_id, seq, original, dated);
    updateContent(database, conversation_id, seq, kept, { tokenCount, stubTokenCount });
    changed++;
  }
  recount(database, conversation_id);
  return changed;
}

export function internalise(database: Database, scope: Scope, write: InternaliseWrite): number {
  const { conversation_id } = requireConversation(database, scope, write.id);
  let changed = 0;
  for (const { seq, tokenCount } of write.messages) {
    const row = readContentRow(database, messageRowId(conversation_id, seq));
    if (row === undefined || row.large_content === null) continue;
    const original = originalOf(database, row, { payloads: "whole" });
    if (original === null) continue;
    const whole = { ...encodeContent(original), largeContent: null };
    updateContent(database, conversation_id, seq, whole, { tokenCount, stubTokenCount: null });
    dropFiles(database, conversation_id, seq, seq);
    changed++;
  }
  recount(database, conversation_id);
  return changed;
}

function readContentRow(database: Database, id: number): ContentRow | undefined {
  return database.one<{
    message_id: number;
    encoding: string;
    content: Uint8Array | null;
    large_content: string | null;
  }>(
    "SELECT message_id, encoding, CAST(content AS BLOB) AS content, large_content FROM messages WHERE message_id = ?",
    id,
  );
}

function updateContent(
  database: Database,
  conversationId: number,
  seq: number,
  kept: StoredOriginal,
  tokens: MessageTokens,
): void {
  database.run(
    "UPDATE messages SET encoding = ?, content = ?, large_content = ? WHERE message_id = ?",
    kept.encoding,
    kept.stored,
    kept.largeContent,
    messageRowId(conversationId, seq),
  );
  setTokens(database, conversationId, seq, tokens);
}
