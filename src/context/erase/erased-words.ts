/** The text to be erased, and the marks by which copies and equal entries elsewhere are recognised. */
import { textOfParts } from "../../message/read-parts.ts";
import { partsOf } from "../../message/stored-value.ts";
import { everyRow } from "../../store/every-row.ts";
import { identitiesOf } from "../../store/rules/entry-identity.ts";
import { CONTENT_KEY_PREFIX, unversionedKey } from "../../store/seal.ts";
import type { ScopedStore, StoredConversation, StoredMessage } from "../../store/store.ts";
import { sha256 } from "../../text/bytes.ts";
import { asText, textOfFile } from "./search-copies.ts";

export interface ErasedRange {
  readonly from: number;
  readonly to: number;
  readonly isWhole: boolean;
}

interface ErasedWords {
  readonly seqs: ReadonlySet<number>;
  /** The text of each message, and the text that its host stored beside it. */
  readonly texts: readonly string[];
  /** Entries of the host, each with a hash of its text. */
  readonly entries: ReadonlySet<string>;
}

export async function gatherErased(
  store: ScopedStore,
  { id }: StoredConversation,
  { from, to }: ErasedRange,
): Promise<ErasedWords> {
  const seqs = new Set<number>();
  const texts: string[] = [];
  const entries = new Set<string>();
  for await (const message of everyRow(
    (next) => store.messages(id, { from: next, to, payloads: "sound" }),
    from,
  )) {
    if (message.content === null) continue;
    seqs.add(message.seq);
    const text = textOf(message);
    // Text counted twice would make a full copy look like a partial one.
    const beside = longStringsIn(message).filter((value) => !text.includes(value));
    texts.push([text, ...new Set(beside)].join("\n"));
    for (const entry of entriesOf(message, id, text)) entries.add(entry);
  }
  return { seqs, texts: [...texts, ...(await attachedTexts(store, id, seqs))], entries };
}

/** Whether a message elsewhere is an erased entry: by the host's id and the text. */
export function isSameEntry(
  { entries }: ErasedWords,
  erasedIn: string,
  conversation: string,
  message: StoredMessage,
): boolean {
  if (entries.size === 0 || message.content === null) return false;
  const own = entriesOf(message, conversation, textOf(message));
  // A key alone counts only in its own conversation.
  return (conversation === erasedIn ? own : own.slice(1)).some((entry) => entries.has(entry));
}

/** The entry with its conversation's own key, and with keys that others may share. */
function entriesOf(message: StoredMessage, conversation: string, text: string): string[] {
  if (message.key.startsWith(CONTENT_KEY_PREFIX)) return [];
  const says = sha256(text);
  const keys = [`key\n${unversionedKey(message.key)}`, ...identitiesOf(message, conversation)];
  return keys.map((key) => `${key} ${says}`);
}

function textOf({ format, content }: StoredMessage): string {
  return content === null ? "" : textOfParts(partsOf(format, content));
}

/** Shorter strings are ids, times, paths and names, which occur in other lines as well. */
const LONG = 64;

/** Text that a host stores beside a message, such as a file read by a tool: the search index does not contain it. */
function longStringsIn({ content }: StoredMessage): string[] {
  const found: string[] = [];
  if (content === null) return found;
  try {
    // Iterative instead of recursive (a reviver is recursive too): a line may be nested deeper than the stack allows.
    const ahead: unknown[] = [JSON.parse(asText(content))];
    for (let value = ahead.pop(); value !== undefined; value = ahead.pop())
      if (typeof value === "object" && value !== null)
        for (const child of Object.values(value)) ahead.push(child);
      else if (typeof value === "string" && value.length >= LONG && /\s/.test(value)) found.push(value);
  } catch (error) {
    // Content that is not JSON has already been read as text.
    if (!(error instanceof SyntaxError)) throw error;
  }
  return found;
}

/** Contents of attached files, which are not part of any message. */
async function attachedTexts(store: ScopedStore, id: string, seqs: ReadonlySet<number>): Promise<string[]> {
  const texts: string[] = [];
  for (let from: number | null | undefined; from !== null; ) {
    const page = await store.files({ conversation: id, ...(from === undefined ? {} : { from }) });
    for (const file of page.rows) {
      if (file.places.length > 0 || !seqs.has(file.seq)) continue;
      const pieces: string[] = [];
      for await (const piece of textOfFile(store, file)) pieces.push(piece);
      texts.push(pieces.join(""));
    }
    from = page.next;
  }
  return texts;
}
