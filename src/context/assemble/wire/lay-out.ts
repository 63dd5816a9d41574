/**
 * The order that every provider requires: the text of one response with all its calls, then the results of
 * those calls, then other messages. Hosts log the blocks of a response separately, with results in between and
 * messages that arrived meanwhile; this joins them again. No text is lost, and none is repeated.
 */

import { isBlock, textOf } from "../../../message/block.ts";
import type { Role } from "../../../types.ts";
import { quoteResult } from "./describe-in-words.ts";
import { pairTools, type Spoken, type ToolPairs } from "./pair-tools.ts";
import {
  type CallPiece,
  type ContentPiece,
  hasWords,
  type Piece,
  plainContent,
  type ResultPiece,
  textPiece,
} from "./piece.ts";
import { readPieces } from "./read-pieces.ts";
import type { WireItem } from "./wire.ts";

export type ResponsePiece = Exclude<Piece, ResultPiece>;
export type Segment =
  | { readonly kind: "system"; readonly pieces: ContentPiece[] }
  | { readonly kind: "user"; readonly pieces: ContentPiece[] }
  | { readonly kind: "response"; readonly pieces: ResponsePiece[] };

export interface Layout {
  readonly segments: readonly Segment[];
  readonly resultOf: ReadonlyMap<CallPiece, ResultPiece>;
}

interface Message extends Spoken {
  readonly role: Role;
  /** The id shared by the lines of one model response; null if the host does not record it. */
  readonly response: string | null;
}

/** The response that is being put together. */
interface OpenResponse {
  readonly pieces: ResponsePiece[];
  readonly calls: Set<CallPiece>;
  response: string | null;
  /** True once one of its calls has been answered: later model text belongs to another response. */
  answered: boolean;
}

export function layOut(items: readonly WireItem[]): Layout {
  const messages = items.map(readItem);
  const pairs = pairTools(messages);
  const builder = new LayoutBuilder(pairs);
  for (const message of messages) builder.add(message);
  return { segments: builder.segments, resultOf: pairs.resultOf };
}

function readItem(item: WireItem): Message {
  if (item.type === "text") {
    const pieces = hasWords(item.text) ? [textPiece(item.text)] : [];
    return { role: item.role, response: null, pieces, startsTurn: true };
  }
  const pieces = readPieces(item.role, item.value, item.parts);
  const startsTurn = item.role === "user" && pieces.length > 0;
  return { role: item.role, response: responseOf(item.value), pieces, startsTurn };
}

function responseOf(value: unknown): string | null {
  return isBlock(value) && value.type === "message" ? textOf(value.id) : null;
}

class LayoutBuilder {
  readonly segments: Segment[] = [];
  readonly #pairs: ToolPairs;
  readonly #early = new Set<ResultPiece>();
  #open: OpenResponse | null = null;

  constructor(pairs: ToolPairs) {
    this.#pairs = pairs;
  }

  add(message: Message): void {
    this.#goOn(message.response);
    const said: ContentPiece[] = [];
    for (const piece of message.pieces) {
      if (piece.kind === "result") said.push(...this.#addResult(piece, message));
      else if (message.role === "assistant" || !isContent(piece)) this.#addToResponse(piece, message);
      else said.push(piece);
    }
    if (said.length === 0) return;
    this.segments.push({ kind: message.role === "system" ? "system" : "user", pieces: said });
    this.#open = null;
  }

  /** Another line of the same response: results logged in between do not end it. */
  #goOn(response: string | null): void {
    if (this.#open !== null && response !== null && response === this.#open.response)
      this.#open.answered = false;
  }

  #addToResponse(piece: ResponsePiece, { response }: Message): void {
    if (this.#open === null || this.#open.answered) this.#open = this.#newResponse(response);
    this.#open.pieces.push(piece);
    this.#open.response = response;
    if (piece.kind !== "call") return;
    this.#open.calls.add(piece);
    const result = this.#pairs.resultOf.get(piece);
    if (result !== undefined && this.#early.has(result)) this.#open.answered = true;
  }

  #newResponse(response: string | null): OpenResponse {
    const pieces: ResponsePiece[] = [];
    this.segments.push({ kind: "response", pieces });
    return { pieces, calls: new Set(), response, answered: false };
  }

  /** A result is placed after its call. A result without a call is quoted as reported text. */
  #addResult(result: ResultPiece, { role }: Message): readonly ContentPiece[] {
    const call = this.#pairs.callOf.get(result);
    if (call === undefined) return orphaned(result);
    this.#early.add(result);
    if (this.#open?.calls.has(call) !== true) return [];
    this.#open.answered = true;
    // A result within the message itself: the rest of the message came after it.
    if (role === "assistant") this.#open.response = null;
    return [];
  }
}

function orphaned(result: ResultPiece): readonly ContentPiece[] {
  const media = plainContent(result.content).filter((piece) => piece.kind === "media");
  return [textPiece(quoteResult(result)), ...media];
}

function isContent(piece: ResponsePiece): piece is ContentPiece {
  return piece.kind === "text" || piece.kind === "media" || piece.kind === "native";
}
