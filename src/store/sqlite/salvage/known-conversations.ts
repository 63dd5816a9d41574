/** Conversations known from indexes, which are on other pages than the rows and identify one whose row is lost. */
import type { FoundRows } from "./find-rows.ts";
import { isText, type RecordValue } from "./read-record.ts";

interface KnownConversation {
  readonly uid?: string;
  readonly tenant?: string;
  readonly agent?: string;
  /** Its session key, or else its session id. */
  readonly session?: string;
}

/** The columns of each index, as in `schema.sql`; the last value of a record is the id of the row. */
const INDEXES: Readonly<Record<string, readonly (keyof KnownConversation | null)[]>> = {
  sqlite_autoindex_conversations_1: ["uid"],
  conversations_recent_idx: ["tenant", "agent", null, "uid"],
  conversations_session_idx: ["tenant", "agent", "session"],
};

export class KnownConversations {
  readonly #byRow = new Map<number, KnownConversation>();

  meet({ table: { name }, records }: FoundRows): void {
    const columns = INDEXES[name];
    if (columns === undefined) return;
    for (const { values } of records) {
      const row = values.at(-1);
      const texts = columns.map((column, place) => [column, textOf(values[place])] as const);
      if (typeof row !== "number" || texts.some(([, text]) => text === null)) continue;
      const named = texts.filter(([column]) => column !== null);
      this.#byRow.set(row, { ...Object.fromEntries(named), ...this.#byRow.get(row) });
    }
  }

  at(row: number): KnownConversation {
    return this.#byRow.get(row) ?? {};
  }
}

/** Null for bytes that are not UTF-8, because names always are. */
function textOf(value: RecordValue | undefined): string | null {
  if (value === undefined || value === null || !isText(value)) return null;
  const text = value.text.toString();
  return Buffer.from(text).equals(value.text) ? text : null;
}
