/**
 * Stores entries from hosts that keep their sessions in a database instead of a file, with ids and parents as in a
 * transcript. The entries become lines of a transcript in pi's form, so that branches, edits, erasure and
 * export work as they do for files. Stored entries are skipped: reading again from the start is harmless.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { z } from "zod";
import { isPalimpsestError, PalimpsestError } from "../../errors.ts";
import { fitOf, refuseLoss } from "../../message/check-json.ts";
import { pi } from "../../message/hosts/pi.ts";
import type { Address, StoredConversation, Transcript } from "../../store/store.ts";
import { sha256 } from "../../text/bytes.ts";
import { normaliseTimestamp } from "../../text/timestamps.ts";
import { storableName } from "../../text/utf8.ts";
import type { entriesInput } from "../inputs.ts";
import { toAddress } from "../read/address.ts";
import { InOrder } from "./in-order.ts";
import { IncomingCalls } from "./incoming-calls.ts";
import type { IngestDependencies } from "./ingest-dependencies.ts";
import type { HostMessage } from "./prepare-turn.ts";
import { type SkipReason, skipReason } from "./skip-reason.ts";
import { BatchWriter, emptyTally } from "./transcripts/batch-writer.ts";
import { FRESH, type Start } from "./transcripts/choose-start.ts";
import { eraseRepeats } from "./transcripts/erase-repeats.ts";
import { LineImporter } from "./transcripts/import-lines.ts";
import { recallLines } from "./transcripts/recall-lines.ts";

export interface HostTranscriptEntry {
  /** The host's id of the entry. */
  readonly id: string;
  /** The preceding entry; null for the first one. Default: the previous entry. */
  readonly parentId?: string | null;
  readonly message: HostMessage;
  /** Default: the message's own time, else now. */
  readonly createdAt?: string | number | Date;
}

/** A host's record that is not a message. Another event with the same id is its next version. */
export interface HostTranscriptEvent {
  readonly id: string;
  /** Any JSON value. */
  readonly event: unknown;
}

export interface EntriesInput extends Readonly<z.input<typeof entriesInput>> {
  readonly entries: readonly (HostTranscriptEntry | HostTranscriptEvent)[];
  /** The position at which the host continues after these entries: any JSON value. It is stored with them. */
  readonly cursor?: unknown;
}

export interface EntriesReport {
  readonly status: "imported" | "unchanged" | "skipped";
  readonly reason: SkipReason | null;
  readonly conversation: string | null;
  readonly imported: number;
  /** Entries that were already stored, without events. */
  readonly alreadyThere: number;
  /** New events. */
  readonly events: number;
}

const ATTEMPTS = 10;
const FIRST_PAUSE_MS = 20;
/** Most sources whose lines are kept in memory. */
const MOST_SOURCES = 16;
const CURSOR = "palimpsest.cursor";
const EVENT = "palimpsest.event";

/** A stored entry, by its newest line. */
interface KnownEntry {
  readonly parentId: string | null;
  /** Null once it was erased. */
  readonly hash: string | null;
}

/** The state of a source between two calls. */
interface OpenSource {
  readonly importer: LineImporter;
  readonly writer: BatchWriter;
  readonly conversation: StoredConversation | undefined;
  readonly entries: Map<string, KnownEntry>;
  lastId: string | null;
  /** The last cursor, as JSON text. */
  cursor: string | null;
}

export class EntryImporter {
  readonly #use: IngestDependencies;
  readonly #inOrder = new InOrder();
  readonly #open = new Map<string, OpenSource>();

  constructor(use: IngestDependencies) {
    this.#use = use;
  }

  import(input: EntriesInput): Promise<EntriesReport> {
    const address = toAddress(input.conversation);
    const reason = skipReason(this.#use.settings, address);
    const nothing = { reason: reason ?? null, conversation: null, imported: 0, alreadyThere: 0, events: 0 };
    if (reason !== undefined) return Promise.resolve({ ...nothing, status: "skipped" });
    requireEntries(input.entries);
    const name = nameOf(address, input.source);
    return this.#inOrder.run(name, () => this.#import(name, address, input));
  }

  /**
   * The cursor of the last entries of a source; null if there is none. After a session's conversation was
   * archived, its next conversation continues from that cursor.
   */
  async cursor(reference: EntriesInput["conversation"], source: string): Promise<unknown> {
    const address = toAddress(reference);
    const conversation = (await this.#use.store.conversation(address)) ?? (await this.#archived(address));
    const base = conversation && (await this.#versions(conversation)).findLast(isFrom(source));
    const text = base === undefined ? null : await this.#lastCursor(base);
    return text === null ? null : JSON.parse(text);
  }

  /** The most recently used conversation of a session. */
  async #archived(address: Address): Promise<StoredConversation | undefined> {
    if ("id" in address) return undefined;
    const session = address.sessionKey ?? address.sessionId;
    const [last] = (await this.#use.store.conversations({ archived: true, session, limit: 1 })).rows;
    return last;
  }

  async #import(name: string, address: Address, input: EntriesInput): Promise<EntriesReport> {
    for (let attempt = 1; ; attempt++) {
      const known = this.#open.get(name);
      // A partly processed source is read again.
      this.#open.delete(name);
      const source = known ?? (await this.#start(address, input));
      try {
        const report = await this.#take(source, input);
        this.#keep(name, source);
        return report;
      } catch (error) {
        if (attempt === ATTEMPTS || !isPalimpsestError(error, "busy")) throw error;
      }
      // Another writer has changed the conversation, or has read the same source first.
      if (known === undefined) await delay(FIRST_PAUSE_MS * 2 ** attempt);
    }
  }

  #keep(name: string, source: OpenSource): void {
    this.#open.set(name, source);
    const [oldest] = this.#open.keys();
    if (this.#open.size > MOST_SOURCES && oldest !== undefined) this.#open.delete(oldest);
  }

  async #start(address: Address, input: EntriesInput): Promise<OpenSource> {
    const use = this.#use;
    const { source, title = null, titleIsAutomatic = false, hostContext } = input;
    const conversation = await use.store.conversation(address);
    const versions = conversation === undefined ? [] : await this.#versions(conversation);
    const base = versions.findLast(isFrom(source)) ?? null;
    const start = startAfter(base);
    const session = { sessionId: "", title, titleIsAutomatic, startedAt: null };
    const calls = new IncomingCalls(use.store, address, use.log);
    const importer = new LineImporter(pi, session, { ...use, calls });
    const entries = new Map<string, KnownEntry>();
    let lastId: string | null = null;
    await recallLines(importer, use.store, versions, start, conversation, true, (line) => {
      if (line.entryKey === null) return;
      if (line.seq !== null && !entries.has(line.entryKey)) lastId = line.entryKey;
      entries.set(line.entryKey, { parentId: line.parentKey, hash: line.hash });
    });
    const number = base?.number ?? Math.max(0, ...versions.map((version) => version.number)) + 1;
    const file = { path: pathOf(source), size: start.offset, modifiedAtMs: 0 };
    const place = { file, format: pi.name, start, number, versions, afterSeq: null };
    const writer = new BatchWriter({
      ...place,
      ...{ use, session, address, importer, tally: emptyTally() },
      ...(hostContext === undefined ? {} : { hostContext }),
    });
    const cursor = base === null ? null : await this.#lastCursor(base);
    return { importer, writer, conversation, entries, lastId, cursor };
  }

  async #take(source: OpenSource, { entries, cursor }: EntriesInput): Promise<EntriesReport> {
    const { writer } = source;
    const before = writer.tally.imported;
    let alreadyThere = 0;
    let events = 0;
    let added = 0;
    for (const entry of entries) {
      const isNew = await this.#takeEntry(source, entry);
      if (isNew) added++;
      if ("event" in entry) events += isNew ? 1 : 0;
      else alreadyThere += isNew ? 0 : 1;
    }
    const next = cursor === undefined ? source.cursor : JSON.stringify(cursor);
    // The cursor is read from the last line, so it is written again after entries without a cursor.
    if (next !== source.cursor || (next !== null && added > 0))
      await this.#add(source, `{"type":"custom","customType":"${CURSOR}","data":${next}}`);
    source.cursor = next;
    const isChanged = !source.importer.isEmpty || writer.tally.imported > before;
    if (!source.importer.isEmpty) await writer.flush();
    const conversation = writer.conversation ?? source.conversation?.id ?? null;
    if (conversation !== null) await eraseRepeats(this.#use, conversation, writer.erasedTexts.splice(0));
    return {
      status: isChanged ? "imported" : "unchanged",
      reason: null,
      conversation,
      imported: writer.tally.imported - before,
      alreadyThere,
      events,
    };
  }

  /** False if it is already stored. */
  async #takeEntry(source: OpenSource, entry: EntriesInput["entries"][number]): Promise<boolean> {
    const id = storableName(entry.id);
    const known = source.entries.get(id);
    const parentId = parentOf(entry, known ?? { parentId: source.lastId });
    const line = "event" in entry ? eventLine(entry) : lineOf(entry, parentId);
    const hash = sha256(line);
    if (known !== undefined && (known.hash === null || known.hash === hash)) return false;
    await this.#add(source, line);
    source.entries.set(id, { parentId, hash });
    if (known === undefined && !("event" in entry)) source.lastId = id;
    return true;
  }

  async #add({ importer, writer }: OpenSource, text: string): Promise<void> {
    const bytes = Buffer.from(text, "utf8");
    const { line, offset } = writer.end;
    const read = importer.take(line, bytes, true, null);
    writer.took(line, { bytes, offset, terminated: true }, read, false);
    if (importer.isFull) await writer.flush();
  }

  #versions({ id }: StoredConversation): Promise<readonly Transcript[]> {
    return this.#use.store.transcripts(id);
  }

  /** A cursor is the last line of the entries it was passed with. */
  async #lastCursor({ conversation, number, lineCount }: Transcript): Promise<string | null> {
    const query = { transcript: number, from: Math.max(0, lineCount - 1) };
    const [last] = (await this.#use.store.transcriptLines(conversation, query)).rows;
    if (last?.kind !== "event" || typeof last.content !== "string") return null;
    const { customType, data } = Object(JSON.parse(last.content));
    return customType === CURSOR ? JSON.stringify(data) : null;
  }
}

/** An event has no parent, so that it changes no path. */
function parentOf(entry: EntriesInput["entries"][number], last: Pick<KnownEntry, "parentId">): string | null {
  if ("event" in entry) return null;
  return entry.parentId === undefined ? last.parentId : entry.parentId;
}

function eventLine({ id, event }: HostTranscriptEvent): string {
  return JSON.stringify({ type: "custom", customType: EVENT, id, parentId: null, data: event });
}

function lineOf({ id, message, createdAt }: HostTranscriptEntry, parentId: string | null): string {
  const timestamp = createdAt === undefined ? undefined : normaliseTimestamp(createdAt);
  if (createdAt !== undefined && timestamp === undefined)
    throw new PalimpsestError("invalid-input", `createdAt "${String(createdAt)}" of ${id} is not a time`);
  return JSON.stringify({ type: "message", id, parentId, timestamp, message });
}

function startAfter(base: Transcript | null): Start {
  if (base === null) return { ...FRESH, hash: null };
  const { lineCount: line, offset, lastLineBytes } = base;
  return { ...FRESH, kind: "continue", base, line, offset, lastLineBytes, hash: null };
}

/** No file path begins like this. */
export function pathOf(source: string): string {
  return `entries:${source}`;
}

function isFrom(source: string): (transcript: Transcript) => boolean {
  return ({ path }) => path === pathOf(source);
}

function nameOf(address: Address, source: string): string {
  return JSON.stringify([address, source]);
}

function requireEntries(entries: EntriesInput["entries"]): void {
  if (!Array.isArray(entries) || !entries.every(isEntry))
    throw new PalimpsestError("invalid-input", "entries must be a list of { id, message }, oldest first", {
      advice:
        "Pass each entry with the host's id, as { id, parentId?, message, createdAt? } or { id, event }.",
    });
  for (const [index, entry] of entries.entries()) {
    const [name, value] = "event" in entry ? ["event", entry.event] : ["message", entry.message];
    if (fitOf(value) === "lossy") refuseLoss(value, `entries[${index}].${name}`);
  }
}

function isEntry(entry: (Partial<HostTranscriptEntry> & Partial<HostTranscriptEvent>) | null): boolean {
  if (typeof entry?.id !== "string" || entry.id === "") return false;
  return entry.event !== undefined || (typeof entry.message === "object" && entry.message !== null);
}
