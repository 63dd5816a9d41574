/** Stores batches of lines with the position reached in the file, and counts the lines by kind. */
import type { Hash } from "node:crypto";
import { transcriptFormat } from "../../../message/hosts/formats.ts";
import type { TranscriptSession } from "../../../message/hosts/transcript-format.ts";
import { titleOf } from "../../../message/title-of.ts";
import { joinHostContext, NO_HOST } from "../../../store/rules/host-context.ts";
import { basisOf } from "../../../store/rules/transcript-basis.ts";
import { withoutErasedHashes } from "../../../store/rules/without-erased-hashes.ts";
import type { Address, AppendWrite, Transcript, TranscriptBasis } from "../../../store/store.ts";
import type { HostContext, MessageFormat } from "../../../types.ts";
import { type AppendDependencies, appendToConversation } from "../append-to-conversation.ts";
import { addLine, type FileState, type Start } from "./choose-start.ts";
import { textsOfErased } from "./erase-repeats.ts";
import type { LineImporter, TakenLine } from "./import-lines.ts";

/** Increment it when readers support more formats: unreadable lines are then tried again. */
export const READER_VERSION = 1;

interface BatchWriterOptions {
  readonly use: AppendDependencies;
  readonly session: TranscriptSession;
  readonly address: Address;
  readonly importer: LineImporter;
  readonly file: FileState;
  readonly format: MessageFormat;
  readonly start: Start;
  readonly number: number;
  /** The stored transcripts of the conversation. */
  readonly versions: readonly Transcript[];
  /** What was stored of this file so far, if the import is planned again. */
  readonly tally: Tally;
  readonly afterSeq: number | null;
  /** Context known from elsewhere. Default: the host of the format. */
  readonly hostContext?: Partial<HostContext>;
}

export interface Tally {
  lines: number;
  imported: number;
  alreadyThere: number;
  events: number;
  unreadable: { line: number; problem: string }[];
}

export function emptyTally(): Tally {
  return { lines: 0, imported: 0, alreadyThere: 0, events: 0, unreadable: [] };
}

export class BatchWriter {
  /** Texts of entries that were erased elsewhere and were stored as erased. */
  readonly erasedTexts: string[] = [];
  readonly #options: BatchWriterOptions;
  /** Counts of the lines waiting for the next flush. */
  #waiting = emptyTally();
  #conversation: string | null = null;
  #plannedFrom: TranscriptBasis;
  #state: Omit<Transcript, "conversation" | "updatedAt">;
  /** Hash of all complete lines so far; null once one of them was erased. */
  #hash: Hash | null;
  #afterSeq: number | null;
  #leaveFirst: AppendWrite["leaveContext"];
  #title: string | null;
  #hostContext: HostContext;

  constructor(options: BatchWriterOptions) {
    this.#options = options;
    this.#plannedFrom = basisOf(options.versions, options.start.base?.number ?? null);
    this.#state = startingState(options);
    this.#hash = options.start.hash;
    this.#afterSeq = options.afterSeq;
    this.#leaveFirst = droppedMessages(options);
    this.#title = options.session.title;
    const host = transcriptFormat(options.format)?.host ?? null;
    this.#hostContext = { ...NO_HOST, host, ...options.hostContext };
  }

  get conversation(): string | null {
    return this.#conversation;
  }

  get tally(): Readonly<Tally> {
    return this.#options.tally;
  }

  get bytesRead(): number {
    return this.#state.size;
  }

  /** The position reached in the file, and whether a line ends there. */
  get end(): { readonly line: number; readonly offset: number; readonly isAtLineEnd: boolean } {
    const { lineCount, offset, size } = this.#state;
    return { line: lineCount, offset, isAtLineEnd: size === offset };
  }

  /** Records a line that the importer has processed. */
  took(
    number: number,
    line: { readonly bytes: Uint8Array; readonly offset: number; readonly terminated: boolean },
    read: TakenLine,
    isKnown: boolean,
  ): void {
    const size = line.bytes.byteLength;
    const end = line.offset + size + (line.terminated ? 1 : 0);
    this.#state = { ...this.#state, lineCount: number + 1, size: end };
    if (line.terminated) {
      this.#state = { ...this.#state, offset: end, lastLineBytes: size };
      this.#hash = read.hash === null ? null : addLine(this.#hash, line.bytes);
    }
    this.#title ??= titleAfter(read);
    const { context, sidechain } = read.entry;
    if (!sidechain) this.#hostContext = joinHostContext(this.#hostContext, { ...NO_HOST, ...context });
    this.#waiting.lines++;
    if (isKnown) this.#waiting.alreadyThere++;
    else if (read.kind === "event" || read.kind === "erased") this.#waiting.events++;
    else if (read.problem !== null)
      this.#waiting.unreadable.push({ line: number + 1, problem: read.problem });
  }

  async flush(): Promise<void> {
    const { use, session, address, importer } = this.#options;
    const batch = await importer.batch();
    const state = { ...this.#state, readHash: this.#hash?.copy().digest("hex") ?? null };
    const transcript = { plannedFrom: this.#plannedFrom, state, lines: batch.lines };
    const result = await appendToConversation(
      {
        address,
        create: {
          title: this.#title,
          titleIsAutomatic: session.title === null || session.titleIsAutomatic === true,
        },
        messages: batch.messages,
        onOtherContent: "branch",
        afterSeq: this.#afterSeq,
        leaveContext: [...this.#leaveFirst, ...batch.leaveContext],
        enterContext: batch.enterContext,
        transcript,
        hostContext: this.#hostContext,
      },
      use,
    );
    this.#conversation = result.conversation.id;
    this.#state = withoutErasedHashes(transcript, batch, result.messages).state;
    if (this.#state.readHash === null) this.#hash = null;
    this.#plannedFrom = basisOf([this.#state, ...this.#options.versions], this.#state.number);
    this.#leaveFirst = [];
    this.#keepOrder(batch.messages, result.messages);
    this.#count(result.messages);
    this.erasedTexts.push(...textsOfErased(batch.messages, result.messages));
    importer.stored(result.messages.map((message) => message.seq));
  }

  #count(placed: readonly { readonly existed: boolean }[]): void {
    const { tally } = this.#options;
    const { lines, alreadyThere, events, unreadable } = this.#waiting;
    const existed = placed.filter((message) => message.existed).length;
    tally.lines += lines;
    tally.imported += placed.length - existed;
    tally.alreadyThere += alreadyThere + existed;
    tally.events += events;
    tally.unreadable.push(...unreadable);
    this.#waiting = emptyTally();
  }

  /** The order within the stored batch applies to the next batch as well. */
  #keepOrder(sent: readonly { key: string }[], placed: readonly { key: string; seq: number }[]): void {
    placed.forEach(({ key, seq }, index) => {
      if (this.#afterSeq !== null || key !== sent[index]?.key)
        this.#afterSeq = Math.max(this.#afterSeq ?? 0, seq);
    });
  }
}

function startingState(options: BatchWriterOptions): Omit<Transcript, "conversation" | "updatedAt"> {
  const { file, format, start, number } = options;
  const { line, offset, lastLineBytes } = start;
  const place = { lineCount: line, offset, size: offset, lastLineBytes, modifiedAtMs: file.modifiedAtMs };
  if (start.kind === "continue" && start.base !== null)
    return { ...start.base, ...place, readerVersion: READER_VERSION };
  return {
    number,
    path: file.path,
    format,
    previous: start.sharedLines > 0 ? (start.base?.number ?? null) : null,
    sharedLines: start.sharedLines,
    readHash: null,
    readerVersion: READER_VERSION,
    ...place,
  };
}

/** Messages of lines that the file no longer contains leave the active path; a line that is read again returns. */
function droppedMessages({ start, importer }: BatchWriterOptions): AppendWrite["leaveContext"] {
  const lines = start.unfinished === null ? start.dropped : [...start.dropped, start.unfinished];
  const seqs = lines.flatMap(({ seq }) => (seq === null ? [] : [seq]));
  return importer.notRecalled(seqs).map((seq) => ({ seq, reason: "branch" }));
}

/** A possible title of the conversation after this line. */
function titleAfter({ shape, entry }: TakenLine): string | null {
  return shape === null || entry.sidechain ? null : titleOf([shape]);
}
