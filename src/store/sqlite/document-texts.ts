/** The text of many documents at once, for scanning. */
import type { MessageFormat, Scope } from "../../types.ts";
import { originalBytes } from "../content-encoding.ts";
import type { DocumentRef, StoredText } from "../search-store.ts";
import { originalOf } from "./contents/original-of.ts";
import { conversationIdOf } from "./conversations.ts";
import type { Database } from "./database.ts";
import { type PackedRows, packContents, unpack } from "./packed-page.ts";
import { messageRowId } from "./rows.ts";

/** Ready to be transferred; `place` is that of the ref. */
export interface PackedText {
  readonly place: number;
  readonly format: MessageFormat | null;
  readonly content: string | Uint8Array;
}

type TextRow = {
  place: number;
  message_id: number | null;
  format: MessageFormat | null;
  encoding: string;
  content: Uint8Array;
  large_content: string | null;
};

/** `null` in the list marks documents that the other statement reads. */
const MESSAGE_TEXTS = `
  SELECT wanted.key AS place, m.message_id, m.format, m.encoding, m.large_content, CAST(m.content AS BLOB) AS content
  FROM json_each(?) wanted CROSS JOIN messages m ON m.message_id = wanted.value WHERE m.content IS NOT NULL`;
const SUMMARY_TEXTS = `
  SELECT wanted.key AS place, NULL AS message_id, NULL AS format, s.encoding, NULL AS large_content,
    CAST(s.content AS BLOB) AS content
  FROM json_each(?) wanted CROSS JOIN summaries s
    ON s.conversation_id = wanted.value ->> 0 AND s.summary_number = wanted.value ->> 1
  WHERE s.content IS NOT NULL`;

export function readTexts(
  database: Database,
  scope: Scope,
  refs: readonly DocumentRef[],
): PackedRows<PackedText> {
  const idOf = conversationIds(database, scope);
  const messages = refs.map(({ conversation, kind, number }) => {
    const id = kind === "message" ? idOf(conversation) : undefined;
    return id === undefined ? null : messageRowId(id, number);
  });
  const summaries = refs.map(({ conversation, kind, number }) =>
    kind === "summary" ? [idOf(conversation) ?? null, number] : null,
  );
  const rows = [
    ...database.all<TextRow>(MESSAGE_TEXTS, JSON.stringify(messages)),
    ...database.all<TextRow>(SUMMARY_TEXTS, JSON.stringify(summaries)),
  ];
  const contents = rows.map((row) => textOf(database, row));
  return {
    rows: rows.map(({ place, format }) => ({ place, format })),
    ...packContents(contents),
  };
}

function textOf(database: Database, { message_id, ...row }: TextRow): Uint8Array {
  if (message_id === null) return originalBytes(row.encoding, row.content);
  return originalOf(database, { message_id, ...row }, { payloads: "search" }) ?? row.content;
}

/** Looked up once each. */
export function conversationIds(
  database: Database,
  scope: Scope,
): (conversation: string) => number | undefined {
  const ids = new Map<string, number | undefined>();
  return (conversation) => {
    if (!ids.has(conversation))
      ids.set(conversation, conversationIdOf(database, scope, conversation) || undefined);
    return ids.get(conversation);
  };
}

export function unpackTexts(packed: PackedRows<PackedText>, refs: readonly DocumentRef[]): StoredText[] {
  const texts: StoredText[] = [];
  for (const { place, format, content } of unpack(packed)) {
    const ref = refs[place];
    if (ref !== undefined) texts[place] = { ref, format, content };
  }
  return texts.filter((text) => text !== undefined);
}
