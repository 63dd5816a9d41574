/**
 * Reads a transcript line by line into batches for the store, and tracks the kinds of the lines and which of
 * them are on the active path. Keeps one batch and the shape of the file in memory, never its content.
 */
import type { Entry, TranscriptFormat, TranscriptSession } from "../../../message/hosts/transcript-format.ts";
import { CONTENT_KEY_PREFIX } from "../../../store/seal.ts";
import type {
  AppendWrite,
  NewMessage,
  NewTranscriptLine,
  StoredTranscriptLine,
  TranscriptLane,
} from "../../../store/store.ts";
import { toHex } from "../../../text/bytes.ts";
import { isoTime } from "../../../text/timestamps.ts";
import type { ExternaliseOptions } from "../../files/externalise-payloads.ts";
import { externaliseMessage } from "../externalise-turn.ts";
import type { IncomingCalls } from "../incoming-calls.ts";
import { newMessage, type PrepareOptions, SALT_BYTES } from "../prepare-turn.ts";
import { type EntryLine, readEntryLine } from "./read-entry-line.ts";
import { createBranchTracker } from "./track-branches.ts";

/** Most messages and bytes of content in a batch. Larger batches survive more garbage collections. */
const BATCH_LINES = 250;
const BATCH_BYTES = 4 * 1024 * 1024;

/**
 * Digits of a line's hash that are kept while the file is read: enough to distinguish a repeat from an edit. Engines
 * copy such a short slice, but a longer slice would keep the whole hash in memory.
 */
const KEPT_HASH = 12;

interface Batch {
  readonly messages: readonly NewMessage[];
  readonly lines: readonly NewTranscriptLine[];
  readonly leaveContext: AppendWrite["leaveContext"];
  readonly enterContext: AppendWrite["enterContext"];
}

/** A line with the kind and the hash under which it is stored. */
export type TakenLine = Omit<EntryLine, "kind" | "hash"> & Pick<NewTranscriptLine, "kind" | "hash">;

interface Pending {
  readonly line: number;
  readonly read: TakenLine;
  readonly knownSeq: number | null;
  readonly message: NewMessage | null;
  response: string | null;
  onPath: boolean;
}

/** Ids of the calls made and of the calls answered in a message. */
export interface ToolIds {
  readonly toolCalls: readonly string[];
  readonly toolResults: readonly string[];
}

export interface LineImporterOptions
  extends PrepareOptions,
    Pick<ExternaliseOptions, "settings" | "explorer"> {
  /** The calls that results in the lines may belong to. */
  readonly calls: IncomingCalls;
}

export class LineImporter {
  readonly #format: TranscriptFormat;
  readonly #startedAt: string | null;
  readonly #use: LineImporterOptions;
  readonly #erasedEvents: ReadonlySet<string>;
  readonly #tracker: ReturnType<typeof createBranchTracker> | null;
  readonly #occurrences = new Map<string, number>();
  /** The seq of each line's message: the only part of a stored line that is kept. */
  readonly #placed: (number | null)[] = [];
  #pending: Pending[] = [];
  #pendingBytes = 0;
  #leaving = new Set<number>();
  #entering = new Set<number>();
  #lastKey: string | null = null;

  /** `erasedEvents`: ids of entries that are not part of the conversation and were erased. */
  constructor(
    format: TranscriptFormat,
    { startedAt = null }: Pick<TranscriptSession, "startedAt">,
    use: LineImporterOptions,
    erasedEvents: ReadonlySet<string> = new Set(),
  ) {
    this.#format = format;
    this.#startedAt = startedAt;
    this.#use = use;
    this.#erasedEvents = erasedEvents;
    this.#tracker = format.tree ? createBranchTracker() : null;
  }

  /** Restores the state of a stored line: its place on the path, and the number of occurrences of its text. */
  recall(line: StoredTranscriptLine, tools: ToolIds): void {
    this.#placed[line.line] = line.seq;
    if (line.kind === "message" && line.entryKey === null && line.hash !== null) this.#occurrence(line.hash);
    this.#tracker?.add({
      index: line.line,
      ...this.#keysOf(line),
      response: line.response,
      ...tools,
      sidechain: line.lane === "sidechain",
      injected: line.lane === "injected",
      isMessage: line.seq !== null,
      hash: line.hash?.slice(0, KEPT_HASH) ?? null,
    });
  }

  /** Those of these messages that no recalled line has: an entry may occur twice in a file. */
  notRecalled(seqs: readonly number[]): number[] {
    if (seqs.length === 0) return [];
    const recalled = new Set(this.#placed);
    return seqs.filter((seq) => !recalled.has(seq));
  }

  /** Processes a line of the file. `known` is its stored line, if the caller knows it. */
  take(line: number, bytes: Uint8Array, terminated: boolean, known: StoredTranscriptLine | null): TakenLine {
    const entry = readEntryLine(this.#format, bytes, terminated);
    const read = this.#asOnRecord(entry, known);
    const knownSeq = known?.seq ?? null;
    const isOnRecord = knownSeq !== null || isErased(known);
    // The description of a result must not contain erased content.
    if (entry.shape?.role === "assistant" && !isErased(known)) this.#use.calls.add(entry.shape.parts);
    const pending: Pending = {
      line,
      // The parsed parts are not needed again, and would double the size of a batch.
      read: { ...read, shape: null },
      knownSeq,
      message: entry.shape === null || isOnRecord ? null : this.#messageOf(entry),
      response: read.entry.response,
      onPath: true,
    };
    this.#pending.push(pending);
    this.#pendingBytes += bytes.byteLength;
    this.#track(pending);
    return read;
  }

  /** An erased line stays erased, whatever its content is now: neither its content nor its hash is stored again. */
  #asOnRecord(read: EntryLine, known: StoredTranscriptLine | null): TakenLine {
    if (isErased(known)) {
      const { kind, entryKey, parentKey, response } = known;
      const entry = { ...read.entry, entryKey, parentKey, response };
      return { ...read, kind, entry, hash: null, shape: null, problem: null };
    }
    const { entryKey } = read.entry;
    const isErasedEvent = entryKey !== null && this.#erasedEvents.has(entryKey);
    return read.kind !== "message" && isErasedEvent
      ? { ...read, kind: "erased", hash: null, problem: null }
      : read;
  }

  get isFull(): boolean {
    return this.#pending.length >= BATCH_LINES || this.#pendingBytes >= BATCH_BYTES;
  }

  get isEmpty(): boolean {
    return this.#pending.length === 0;
  }

  /** The lines waiting to be stored. */
  async batch(): Promise<Batch> {
    const messages: NewMessage[] = [];
    for (const { message, onPath } of this.#pending) {
      if (message === null) continue;
      const apart = await this.#externalised(message);
      messages.push(onPath ? apart : { ...apart, excluded: "branch" });
    }
    return {
      messages,
      lines: this.#pending.map(toLine),
      leaveContext: [...this.#leaving].map((seq) => ({ seq, reason: "branch" as const })),
      enterContext: [...this.#entering],
    };
  }

  /** A large line is parsed again here: keeping its parsed form until now would double the size of a batch. */
  #externalised(message: NewMessage): NewMessage | Promise<NewMessage> {
    return externaliseMessage(message, this.#use.calls, this.#use);
  }

  /** The batch was stored; its messages have these seqs, in the batch's order. */
  stored(seqs: readonly number[]): void {
    let index = 0;
    for (const { line, message, knownSeq } of this.#pending)
      this.#placed[line] = message === null ? knownSeq : (seqs[index++] ?? null);
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#leaving.clear();
    this.#entering.clear();
  }

  #track(pending: Pending): void {
    if (this.#tracker === null) return;
    const { entry } = pending.read;
    const place = this.#tracker.add({
      index: pending.line,
      ...this.#keysOf(entry),
      response: entry.response,
      toolCalls: entry.toolCalls,
      toolResults: entry.toolResults,
      sidechain: entry.sidechain,
      injected: entry.injected,
      isMessage: pending.read.kind === "message",
      hash: pending.read.hash?.slice(0, KEPT_HASH) ?? null,
    });
    pending.response = place.response;
    pending.onPath = place.onPath;
    for (const line of place.left) this.#move(line, false);
    for (const line of place.entered) this.#move(line, true);
  }

  /** The parent of most entries is the previous one: sharing its key string saves memory. */
  #keysOf({ entryKey, parentKey }: Pick<Entry, "entryKey" | "parentKey">) {
    const keys = { entryKey, parentKey: parentKey === this.#lastKey ? this.#lastKey : parentKey };
    this.#lastKey = entryKey;
    return keys;
  }

  /** A line changed its place on the path: in the waiting batch, or in the store. */
  #move(line: number, onPath: boolean): void {
    const waiting = this.#pending.find((pending) => pending.line === line);
    if (waiting !== undefined) {
      waiting.onPath = onPath;
      return;
    }
    const seq = this.#placed[line];
    if (seq === null || seq === undefined) return;
    const [to, from] = onPath ? [this.#entering, this.#leaving] : [this.#leaving, this.#entering];
    from.delete(seq);
    to.add(seq);
  }

  #messageOf(read: EntryLine): NewMessage | null {
    if (read.shape === null) return null;
    const { role, parts, createdAt } = read.shape;
    return newMessage(
      {
        key: read.entry.entryKey ?? this.#contentKey(read.hash),
        role,
        parts,
        format: this.#format.name,
        content: read.content,
        createdAt: read.entry.createdAt ?? createdAt ?? this.#startedAt ?? isoTime(this.#use.clock()),
        salt: toHex(this.#use.random(SALT_BYTES)),
      },
      this.#use.countTokens,
    );
  }

  /** Lines without ids are identified by their content and the number of its occurrence. */
  #contentKey(hash: string): string {
    return contentKey(hash, this.#occurrence(hash));
  }

  #occurrence(hash: string): number {
    const count = (this.#occurrences.get(hash) ?? 0) + 1;
    this.#occurrences.set(hash, count);
    return count;
  }
}

export function contentKey(hash: string, occurrence: number): string {
  return `${CONTENT_KEY_PREFIX}${hash.slice(0, 32)}:${occurrence}`;
}

function isErased(line: StoredTranscriptLine | null): line is StoredTranscriptLine {
  return line !== null && line.hash === null;
}

function laneOf(entry: Entry): TranscriptLane {
  if (entry.sidechain) return "sidechain";
  return entry.injected ? "injected" : "main";
}

function toLine({ line, read, message, knownSeq, response }: Pending): NewTranscriptLine {
  return {
    line,
    kind: read.kind,
    content: read.kind === "message" || read.kind === "erased" ? null : read.content,
    messageKey: message?.key ?? null,
    seq: knownSeq,
    entryKey: read.entry.entryKey,
    parentKey: read.entry.parentKey,
    response,
    lane: laneOf(read.entry),
    hash: read.hash,
    problem: read.problem,
  };
}
