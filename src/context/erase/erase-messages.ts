/**
 * Removes what a person wants gone. Rows become tombstones, the chain still verifies; transcript events that
 * repeat the erased words go with them, and so does the same entry where an edited file put it on record again. What
 * else still holds them is named in the answer, never touched.
 */
import type { z } from "zod";
import { PalimpsestError } from "../../errors.ts";
import { textOfParts } from "../../message/read-parts.ts";
import { partsOf } from "../../message/stored-value.ts";
import { stringsInside } from "../../message/strings-inside.ts";
import { titleOf } from "../../message/title-of.ts";
import { everyRow } from "../../store/every-row.ts";
import { CONTENT_KEY_PREFIX, unversionedKey } from "../../store/seal.ts";
import type { ScopedStore, StoredConversation, StoredMessage, Transcript } from "../../store/store.ts";
import { isReferenceHeading } from "../../text/file-reference.ts";
import { sha256 } from "../../text/hash.ts";
import { messageId } from "../../text/identifiers.ts";
import { isoTime } from "../../text/timestamps.ts";
import { decodeLeniently } from "../../text/utf8.ts";
import type { Clock } from "../../types.ts";
import type { eraseInput } from "../inputs.ts";
import { requireConversation, requireRange } from "../read/read-messages.ts";
import { findRetold } from "./find-retold.ts";

export type EraseInput = z.input<typeof eraseInput>;

export interface EraseReport {
  readonly conversation: string;
  /** Those that were asked for, and the same entries of a host where an edited file put them on record again. */
  readonly messages: number;
  /** Summaries that were made from them and lost their text. */
  readonly summaries: number;
  /** Memories that were made from them and lost their words. */
  readonly memories: number;
  /** Ids of memories that are in force again, since what they were merged into lost its words. */
  readonly restored: readonly string[];
  readonly transcriptLines: number;
  /** Files outside the store that held the words when they were imported. */
  readonly transcriptFiles: readonly string[];
  /** Other messages of this conversation that repeat the erased words. */
  readonly alsoIn: readonly string[];
}

interface Range {
  readonly from: number;
  readonly to: number;
  readonly isWhole: boolean;
}

/** Shorter pieces occur everywhere; finding them again says nothing. */
const SHORTEST_TRACE = 12;

export async function eraseMessages(
  store: ScopedStore,
  clock: Clock,
  input: EraseInput,
): Promise<EraseReport> {
  const conversation = await requireConversation(store, input.conversation);
  const range = rangeOf(input, conversation);
  const transcripts = await store.transcripts(conversation.id);
  const found = await gather(store, conversation.id, range, transcripts.length > 0);
  const { words, texts } = found;
  if (found.seqs.length === 0)
    throw new PalimpsestError("not-found", `messages ${range.from} to ${range.to} hold nothing to erase`);
  const rest = await lookThroughRest(store, conversation, range, found);
  const seqs = [...found.seqs, ...rest.copies];
  // What other messages say as well, such as a host's usual notes, does not tell what was erased.
  const telling = new Set([...words].filter((word) => !rest.words.has(word)));
  const lines = await linesToErase(store, conversation.id, transcripts, telling, range.isWhole);
  const retold = range.isWhole ? [] : await findRetold(store, conversation.id, texts, words);
  const at = isoTime(clock());
  const detail = {
    from: range.from,
    to: range.to,
    messages: seqs.length,
    lines: lines.length,
    reason: input.reason ?? null,
  };
  const [result] = await store.commit([
    {
      kind: "erase",
      id: conversation.id,
      seqs,
      retold,
      lines,
      title: conversation.titleIsAutomatic ? rest.title : conversation.title,
      at,
      audit: { at, action: "erase", conversation: conversation.id, detail: JSON.stringify(detail) },
    },
  ]);
  return {
    conversation: conversation.id,
    messages: seqs.length,
    summaries: result?.kind === "erase" ? result.summaries : 0,
    memories: result?.kind === "erase" ? result.memories : 0,
    restored: result?.kind === "erase" ? result.restored : [],
    transcriptLines: lines.length,
    transcriptFiles: [...new Set(transcripts.map((transcript) => transcript.path))],
    alsoIn: rest.alsoIn,
  };
}

function rangeOf(input: EraseInput, conversation: StoredConversation): Range {
  const from = input.from ?? 1;
  const to = input.to ?? input.from ?? conversation.messageCount;
  for (const position of [from, to])
    if (!Number.isSafeInteger(position) || position < 1)
      throw new PalimpsestError("invalid-input", "from and to must be whole numbers from 1");
  requireRange(from, to);
  return { from, to, isWhole: from === 1 && to >= conversation.messageCount };
}

/** What is to be erased, and what repetitions of it are recognised by. */
interface Found {
  readonly seqs: readonly number[];
  readonly words: ReadonlySet<string>;
  readonly texts: readonly string[];
  /** Entries of a host's transcript, each with what it said. */
  readonly entries: ReadonlySet<string>;
}

async function gather(
  store: ScopedStore,
  id: string,
  { from, to }: Range,
  isImported: boolean,
): Promise<Found> {
  const seqs: number[] = [];
  const words = new Set<string>();
  const texts: string[] = [];
  const entries = new Set<string>();
  for await (const message of everyRow(
    (next) => store.messages(id, { from: next, to, payloads: "search" }),
    from,
  )) {
    if (message.content === null) continue;
    seqs.push(message.seq);
    if (isImported && !message.key.startsWith(CONTENT_KEY_PREFIX)) entries.add(entryOf(message));
    texts.push(textOf(message));
    for (const line of (texts.at(-1) ?? "").split("\n").map((one) => one.trim()))
      if (line.length >= SHORTEST_TRACE && !isReferenceHeading(line)) words.add(line);
  }
  return { seqs, words, texts, entries };
}

/** The same for all versions of a key that have the same content. */
function entryOf({ key, content }: StoredMessage): string {
  return `${unversionedKey(key)} ${sha256(content ?? "")}`;
}

/**
 * Which messages are the same entry once more; which of those that stay repeat the words, which words these are, and
 * the title that they give.
 */
async function lookThroughRest(
  store: ScopedStore,
  { id }: StoredConversation,
  range: Range,
  { words, entries }: Found,
): Promise<{ copies: number[]; alsoIn: string[]; words: ReadonlySet<string>; title: string | null }> {
  const copies: number[] = [];
  const alsoIn: string[] = [];
  const repeated = new Set<string>();
  let title: string | null = null;
  for await (const message of everyRow((from) => store.messages(id, { from, payloads: "search" }), 1)) {
    if (message.content === null || (message.seq >= range.from && message.seq <= range.to)) continue;
    if (entries.size > 0 && entries.has(entryOf(message))) {
      copies.push(message.seq);
      continue;
    }
    const text = textOf(message);
    const held = [...words].filter((word) => text.includes(word));
    if (held.length > 0) alsoIn.push(messageId(id, message.seq));
    for (const word of held) repeated.add(word);
    title ??= titleOf([{ role: message.role, parts: partsOf(message.format, message.content) }]);
  }
  return { copies, alsoIn, words: repeated, title };
}

/** Events and unreadable lines that repeat the words; all of them when the whole conversation goes. */
async function linesToErase(
  store: ScopedStore,
  id: string,
  transcripts: readonly Transcript[],
  words: ReadonlySet<string>,
  isWhole: boolean,
): Promise<{ transcript: number; line: number }[]> {
  const found: { transcript: number; line: number }[] = [];
  const kinds = ["event", "unreadable", "torn"] as const;
  for (const { number } of transcripts)
    for await (const { line, content } of everyRow((from) =>
      store.transcriptLines(id, { transcript: number, from, kinds }),
    ))
      if (isWhole || (content !== null && holdsAny(wordsOfLine(content), words)))
        found.push({ transcript: number, line });
  return found;
}

function textOf(message: StoredMessage): string {
  return message.content === null ? "" : textOfParts(partsOf(message.format, message.content));
}

function holdsAny(text: string, words: ReadonlySet<string>): boolean {
  for (const word of words) if (text.includes(word)) return true;
  return false;
}

/** The text of a line of JSON with its escapes undone, so that quoted words are found in it. */
function wordsOfLine(content: string | Uint8Array): string {
  const text = typeof content === "string" ? content : decodeLeniently(content);
  try {
    return stringsInside(JSON.parse(text));
  } catch {
    // Not JSON: the line is compared as it stands.
    return text;
  }
}
