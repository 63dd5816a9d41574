/** The work on one chunk: pure, and the same in every thread. */

import { toolNames } from "../../../message/names-of-calls.ts";
import { definitionOf } from "../../../message/parts/index.ts";
import { textOfParts } from "../../../message/read-parts.ts";
import { partsOf } from "../../../message/stored-value.ts";
import { cleanSummary } from "../../../text/clean-summary.ts";
import { ANNOUNCES } from "../../../text/credentials/credential-words.ts";
import { hideCredentials, holdsCredential } from "../../../text/credentials/hide-credentials.ts";
import { shownTool } from "../../../text/credentials/names-in-references.ts";
import { isShownAmongLines } from "../../../text/credentials/shown-among-lines.ts";
import { cutMiddle } from "../../../text/cut-text.ts";
import type { CountTokens } from "../../../text/estimate-tokens.ts";
import { anchorIndex, withAnchorIndex } from "../anchor-index.ts";
import type { Anchor } from "../anchors.ts";
import { type Fidelity, FidelityCheck } from "../check-fidelity.ts";
import { judgeSummary, type Refusal } from "../judge-summary.ts";
import { joinPieces, MODEL_LIMITS, NO_LIMITS, PIECE_SEPARATOR, renderPieces } from "../render-source.ts";
import { UNKNOWN_TOOL } from "../render-source-part.ts";
import type { SourceMessage, SourceSummary, SummarySource, UnreadMessage, UnreadSource } from "../source.ts";
import type { SourceAnchor } from "../source-anchors.ts";

/** The requirements for the summary of a chunk. */
export interface ChunkTerms {
  readonly timezone: string;
  readonly sourceTokens: number;
  /** Target length of the summary in tokens. */
  readonly target: number;
  /** Too short to be summarised: rendered whole. */
  readonly isShort: boolean;
}

export interface Answer {
  /** The unchanged text of the model. */
  readonly text: string;
  readonly targetTokens: number;
  /** Maximum length of a summary as a multiple of the target. */
  readonly overageFactor: number;
  /** Text that the model was given besides the source: repeating it is not an invention. */
  readonly told: string;
}

/** A summary with the index of the anchors it lost. */
export interface Worded {
  readonly text: string;
  readonly tokenCount: number;
  readonly fidelity: number;
}

export type TakenAnswer = { readonly summary: Worded } | { readonly problem: Refusal };

export interface OfflineSummary {
  readonly summary: Worded;
  readonly quality: "extractive" | "fallback";
}

/** Room for missing anchors, as a share of the target and of the text of a shorter summary, which has room for a few. */
const INDEX_SHARE = 0.1;
const INDEX_SHARE_OF_TEXT = 1 / 3;
const FEW_ANCHORS = 40;
const FALLBACK_TOKENS = 512;
/** Share of its limit that the beginning of a cut text has at least (`cutMiddle`). */
const SURELY_RENDERED = 0.4;
const FILE_ID = /\bfile_[0-9a-f]{16}\b/g;

export class ChunkWork {
  readonly text: string;
  readonly fileIds: readonly string[];
  readonly #source: SummarySource;
  readonly #terms: ChunkTerms;
  readonly #countTokens: CountTokens;
  /** The text of each message or summary. */
  readonly #pieces: readonly string[];
  /** The same without credentials, as far as it was needed. */
  readonly #repeatablePieces = new Map<number, string>();
  #check: FidelityCheck | undefined;
  #repeatableNames: ReadonlyMap<string, string> | undefined;
  /** Many anchors are in the same lines. */
  readonly #holdsCredential = remembered(holdsCredential, new Map());

  constructor(unread: UnreadSource, terms: ChunkTerms, countTokens: CountTokens) {
    this.#source =
      unread.kind === "leaf" ? { kind: "leaf", messages: unread.messages.map(readParts) } : unread;
    this.#terms = terms;
    this.#countTokens = countTokens;
    // A short chunk is not sent to a model: its own text is its summary.
    this.#pieces = this.#render(terms.isShort ? this.#repeatable : this.#source);
    this.text = joinPieces(this.#pieces);
    this.fileIds = unread.kind === "leaf" ? fileIdsIn(this.#source, unread.messages) : unread.fileIds;
  }

  take({ text: answer, targetTokens, overageFactor, told }: Answer): TakenAnswer {
    const text = cleanSummary(answer);
    const verdict = judgeSummary({
      text,
      source: this.text,
      sourceTokens: this.#terms.sourceTokens,
      summaryTokens: this.#countTokens(text),
      targetTokens,
      overageFactor,
      fidelity: withoutTold(this.#fidelity.check(text), told),
    });
    return verdict.ok ? { summary: this.#withIndex(hideCredentials(text)) } : { problem: verdict.reason };
  }

  /** Sentences of the source itself; a cut of them if the tokenizer makes everything else too long. */
  async offline(): Promise<OfflineSummary> {
    // A third of the code that a thread has to load, and not needed while a model responds.
    const { summariseOffline } = await import("../summarise-offline.ts");
    const { timezone, target: targetTokens, sourceTokens } = this.#terms;
    const countTokens = this.#countTokens;
    const text = summariseOffline(this.#repeatable, { targetTokens, countTokens, timezone });
    if (countTokens(text) < sourceTokens) return { summary: this.#withIndex(text), quality: "extractive" };
    const cut = cutMiddle(joinPieces(this.#render(this.#repeatable)), FALLBACK_TOKENS * 3);
    return { summary: this.#withIndex(cut), quality: "fallback" };
  }

  /** The index points to what is missing; the score counts only what the summary itself says. */
  #withIndex(draft: string): Worded {
    const { target, sourceTokens } = this.#terms;
    const { missing, score: fidelity } = this.#fidelity.coverage(draft);
    const tokens = this.#countTokens(draft);
    const most = Math.max(FEW_ANCHORS, Math.floor(tokens * INDEX_SHARE_OF_TEXT));
    const room = Math.min(Math.floor(target * INDEX_SHARE), most, sourceTokens - tokens - 1);
    const text = withAnchorIndex(draft, anchorIndex(missing, room, this.#countTokens, this.#mayShow));
    return { text, tokenCount: this.#countTokens(text), fidelity };
  }

  /** An anchor may be a credential: only its context shows it. */
  readonly #mayShow = (anchor: SourceAnchor): boolean =>
    isPlain(anchor) ||
    this.#isRepeatable(anchor, this.#pieceAt(anchor.start)) ||
    this.#pieces.some((_, at) => this.#isRepeatable(anchor, at));

  #isRepeatable({ text }: Anchor, at: number): boolean {
    if (this.#pieces[at]?.includes(text) !== true) return false;
    const isShown = this.#textsOf(at).some(([whole, limit]) =>
      isShownAmongLines(
        whole,
        text,
        whole.length > limit ? limit * SURELY_RENDERED : limit,
        this.#holdsCredential,
      ),
    );
    return isShown || this.#repeatablePiece(at).includes(text);
  }

  /** The texts of a piece that have no rule of their own for credentials, and how much of each is rendered. */
  #textsOf(at: number): readonly (readonly [text: string, limit: number])[] {
    const limits = this.#terms.isShort ? NO_LIMITS : MODEL_LIMITS;
    if (this.#source.kind === "condensed")
      return this.#source.summaries.slice(at, at + 1).map(({ text }) => [text, limits.text]);
    const parts = this.#source.messages[at]?.parts ?? [];
    return parts.flatMap((part) => {
      if (part.type === "tool") return [[part.output ?? "", limits.output] as const];
      return part.type === "text" || part.type === "reasoning"
        ? [[part.text, limits[part.type]] as const]
        : [];
    });
  }

  /** The piece at this place of the text. */
  #pieceAt(place: number): number {
    let end = 0;
    return this.#pieces.findIndex((piece) => {
      end += piece === "" ? 0 : piece.length + PIECE_SEPARATOR.length;
      return place < end;
    });
  }

  /** Searching everything for credentials would take longer than the rest of the work on a chunk. */
  #repeatablePiece(at: number): string {
    let piece = this.#repeatablePieces.get(at);
    if (piece === undefined) {
      this.#repeatableNames ??= shownNames(this.#source);
      [piece = ""] = this.#render(hideInSource(onlyPiece(this.#source, at)), this.#repeatableNames);
      this.#repeatablePieces.set(at, piece);
    }
    return piece;
  }

  #render(source: SummarySource, names?: ReadonlyMap<string, string>): string[] {
    const { timezone, isShort } = this.#terms;
    const limits = isShort ? NO_LIMITS : MODEL_LIMITS;
    return renderPieces(source, { timezone, limits, ...(names === undefined ? {} : { names }) });
  }

  /** The source without the content that a summary must not repeat. */
  get #repeatable(): SummarySource {
    return hideInSource(this.#source);
  }

  get #fidelity(): FidelityCheck {
    this.#check ??= new FidelityCheck(this.text);
    return this.#check;
  }
}

function readParts({ seq, role, createdAt, tokenCount, format, content }: UnreadMessage): SourceMessage {
  return { seq, role, createdAt, tokenCount, parts: partsOf(format, content) };
}

function fileIdsIn(source: SummarySource, unread: readonly UnreadMessage[]): readonly string[] {
  const messages = source.kind === "leaf" ? source.messages : [];
  const named = unread.flatMap((message, place) => [
    ...message.fileIds,
    ...(mayNameFile(message) ? (textOfParts(messages[place]?.parts ?? []).match(FILE_ID) ?? []) : []),
  ]);
  return [...new Set(named)];
}

/** Most messages name no file; their bytes show it, unless a letter of the name is escaped. */
function mayNameFile({ content }: UnreadMessage): boolean {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  return bytes.includes("file_") || bytes.includes("\\u00");
}

function withoutTold(fidelity: Fidelity, told: string): Fidelity {
  return { ...fidelity, invented: fidelity.invented.filter((anchor) => !told.includes(anchor.text)) };
}

/**
 * A source without its credentials, for summaries that repeat its text: such text is shown without a request and
 * stays in the context. Names of files and tools follow the same rule as in references.
 */
function hideInSource(source: SummarySource): SummarySource {
  return source.kind === "leaf"
    ? { ...source, messages: source.messages.map(hideInMessage) }
    : { ...source, summaries: source.summaries.map(hideInSummary) };
}

const hideInMessage = remembered(
  (message: SourceMessage) => ({
    ...message,
    parts: message.parts.map((part) => definitionOf(part).withoutCredentials(part)),
  }),
  new WeakMap(),
);
const hideInSummary = remembered(
  (summary: SourceSummary) => ({ ...summary, text: hideCredentials(summary.text) }),
  new WeakMap(),
);

/** The function, called once for each value as long as `made` keeps the results. */
function remembered<Value, Result>(
  make: (value: Value) => Result,
  made: { get(value: Value): Result | undefined; set(value: Value, result: Result): unknown },
): (value: Value) => Result {
  return (value) => {
    const known = made.get(value) ?? make(value);
    made.set(value, known);
    return known;
  };
}

/** Dates, and paths in folders of plain words, are not credentials, whatever stands before them. */
function isPlain({ kind, text }: Anchor): boolean {
  return kind === "date" || (kind === "path" && PLAIN_PATH.test(text) && !ANNOUNCES.test(text));
}

const PLAIN_PATH = /^(?:[a-z]{1,15}[._-])*[a-z]{1,15}\/(?:[a-z]{1,15}[/._-])*[a-z]{1,15}\.[a-z]{1,5}$/;

function onlyPiece(source: SummarySource, at: number): SummarySource {
  return source.kind === "leaf"
    ? { ...source, messages: source.messages.slice(at, at + 1) }
    : { ...source, summaries: source.summaries.slice(at, at + 1) };
}

/** Tool names by call id, as `hideInSource` shows them. */
function shownNames(source: SummarySource): ReadonlyMap<string, string> {
  const names = toolNames(source.kind === "leaf" ? source.messages : []);
  return new Map([...names].map(([call, name]) => [call, shownTool(name) ?? UNKNOWN_TOOL]));
}
