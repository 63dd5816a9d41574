/**
 * Searches all text of a tenant and agent for copies of erased text: messages with their payloads,
 * transcript lines that are not messages, attached files and file descriptions, summaries, titles, and memories. The word
 * index is not sufficient: it contains searchable text, but not text that a host repeats beside it. So all texts are
 * read, one page at a time.
 */
import type { MemorySource } from "../../memory-types.ts";
import { everyRow } from "../../store/every-row.ts";
import { MOST_FILE_BYTES, type StoredFile } from "../../store/file-store.ts";
import type { MemoryStore } from "../../store/memory-store.ts";
import type { ScopedStore, StoredConversation, StoredMessage, StoredSummary } from "../../store/store.ts";
import type { CopyFinder } from "../../text/copies/copy-finder.ts";
import { decodeLeniently } from "../../text/utf8.ts";
import { detectEncoding } from "../files/explore/detect-encoding.ts";

/** The place of a text. */
export type Place =
  | { readonly type: "message"; readonly conversation: string; readonly seq: number }
  | {
      readonly type: "line";
      readonly conversation: string;
      readonly transcript: number;
      readonly line: number;
    }
  | {
      readonly type: "summary";
      readonly conversation: string;
      readonly id: string;
      readonly firstSeq: number;
    }
  | { readonly type: "title"; readonly conversation: string }
  | { readonly type: "memory"; readonly id: string };

/** Number of texts of each kind that were searched. */
export interface Searched {
  readonly conversations: number;
  readonly messages: number;
  readonly lines: number;
  readonly files: number;
  readonly summaries: number;
  readonly memories: number;
}

interface SearchOptions {
  readonly store: ScopedStore;
  /** Null if this engine has no memories. */
  readonly memories: MemoryStore | null;
  readonly finder: CopyFinder<Place>;
  /** Messages that are erased in any case, together with everything derived from them. */
  readonly isErased: (conversation: string, seq: number) => boolean;
  readonly goesWithErased: (conversation: string, firstSeq: number, lastSeq: number) => boolean;
  /** Called with every other message. True if that message is erased too and is therefore not a copy. */
  readonly takes: (conversation: StoredConversation, message: StoredMessage) => boolean;
}

export async function searchCopies(options: SearchOptions): Promise<Searched> {
  const searched = { conversations: 0, messages: 0, lines: 0, files: 0, summaries: 0, memories: 0 };
  for await (const conversation of everyRow((from) =>
    options.store.conversations({ archived: true, from }),
  )) {
    searched.conversations++;
    const { id, title } = conversation;
    if (title !== null && !conversation.titleIsAutomatic)
      options.finder.look({ type: "title", conversation: id }, title);
    searched.messages += await lookThroughMessages(options, conversation);
    searched.lines += await lookThroughLines(options, id);
    searched.summaries += await lookThroughSummaries(options, id);
    searched.files += await lookThroughFiles(options, id);
  }
  return { ...searched, memories: await lookThroughMemories(options) };
}

async function lookThroughMessages(
  { store, finder, isErased, takes }: SearchOptions,
  conversation: StoredConversation,
): Promise<number> {
  const { id } = conversation;
  let messages = 0;
  for await (const message of everyRow((from) => store.messages(id, { from, payloads: "sound" }), 1)) {
    messages++;
    const { seq, content } = message;
    if (content === null || isErased(id, seq) || takes(conversation, message)) continue;
    finder.look({ type: "message", conversation: id, seq }, asText(content));
  }
  return messages;
}

async function lookThroughLines({ store, finder }: SearchOptions, id: string): Promise<number> {
  let lines = 0;
  const kinds = ["event", "unreadable", "torn"] as const;
  for (const { number: transcript } of await store.transcripts(id))
    for await (const { line, content } of everyRow((from) =>
      store.transcriptLines(id, { transcript, from, kinds }),
    )) {
      lines++;
      if (content !== null)
        finder.look({ type: "line", conversation: id, transcript, line }, asText(content));
    }
  return lines;
}

async function lookThroughSummaries(
  { store, finder, goesWithErased }: SearchOptions,
  conversation: string,
): Promise<number> {
  let summaries = 0;
  for await (const summary of everyRow((from) => store.summaries(conversation, { from }))) {
    summaries++;
    const { id, firstSeq, lastSeq, content } = summary;
    if (content !== null && !goesWithErased(conversation, firstSeq, lastSeq))
      finder.look({ type: "summary", conversation, id, firstSeq: firstSourceOf(summary) }, content);
  }
  return summaries;
}

/** A message that the summary covers. */
function firstSourceOf({ sources, firstSeq }: StoredSummary): number {
  return sources.type === "messages" ? (sources.seqs[0] ?? firstSeq) : firstSeq;
}

/** Searches file descriptions, and contents that are not part of any message. */
async function lookThroughFiles(
  { store, finder, isErased }: SearchOptions,
  conversation: string,
): Promise<number> {
  let files = 0;
  // Positions are in descending order; the first page starts at the end.
  for (let from: number | null | undefined; from !== null; ) {
    const page = await store.files({ conversation, ...(from === undefined ? {} : { from }) });
    for (const file of page.rows) {
      files++;
      const { seq, name, description, described } = file;
      if (isErased(conversation, seq)) continue;
      const place = { type: "message", conversation, seq } as const;
      finder.look(place, [name, description, described?.text].filter(Boolean).join("\n"));
      if (file.places.length > 0) continue;
      const look = finder.open(place);
      for await (const text of textOfFile(store, file)) look.add(text);
      look.end();
    }
    from = page.next;
  }
  return files;
}

/** The text of a file in pieces that end at word boundaries. */
export async function* textOfFile(store: ScopedStore, { id, bytes }: StoredFile): AsyncIterable<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let rest = "";
  for (let start = 0; start < bytes; start += MOST_FILE_BYTES) {
    const piece = (await store.fileBytes(id, start, start + MOST_FILE_BYTES)) ?? new Uint8Array();
    decoder ??= new TextDecoder(detectEncoding(piece) ?? "utf-8");
    const text = rest + decoder.decode(piece, { stream: true });
    const end = text.lastIndexOf(" ") + 1;
    yield text.slice(0, end);
    rest = text.slice(end);
  }
  yield rest + (decoder?.decode() ?? "");
}

const STATES = ["active", "superseded", "archived"] as const;

async function lookThroughMemories({ memories, finder, goesWithErased }: SearchOptions): Promise<number> {
  let looked = 0;
  const goes = ({ kind, conversation, firstSeq, lastSeq }: MemorySource) =>
    kind === "origin" && goesWithErased(conversation, firstSeq, lastSeq);
  for (let cursor: string | null | undefined; memories !== null && cursor !== null; ) {
    const page = await memories.memories({
      states: STATES,
      limit: 500,
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const memory of page.rows) {
      looked++;
      const { id, abstract, overview, content, tags, factKey, speaker, archivedReason } = memory;
      const words = [abstract, overview, content, ...tags, factKey, speaker, archivedReason].filter(Boolean);
      if (!memory.sources.some(goes)) finder.look({ type: "memory", id }, words.join("\n"));
    }
    cursor = page.next;
  }
  return looked;
}

export function asText(content: string | Uint8Array): string {
  return typeof content === "string" ? content : decodeLeniently(content);
}
