/**
 * Pairs results with calls. Ids are paired in the order in which they occur, because hosts reuse them;
 * calls without an id are paired by the name of their tool. A result may be logged before its call within one
 * turn, and any time after it. When an id is reused in a later turn, the earlier pending calls with it count as
 * abandoned.
 */
import type { CallPiece, Piece, ResultPiece } from "./piece.ts";

export interface Spoken {
  readonly pieces: readonly Piece[];
  /** True for a message of a person, which begins a new turn. */
  readonly startsTurn: boolean;
}

export interface ToolPairs {
  readonly resultOf: ReadonlyMap<CallPiece, ResultPiece>;
  readonly callOf: ReadonlyMap<ResultPiece, CallPiece>;
}

interface Waiting<Piece> {
  readonly turn: number;
  readonly pieces: Piece[];
}

export function pairTools(messages: readonly Spoken[]): ToolPairs {
  const resultOf = new Map<CallPiece, ResultPiece>();
  const callOf = new Map<ResultPiece, CallPiece>();
  const pair = (call: CallPiece, result: ResultPiece) => {
    resultOf.set(call, result);
    callOf.set(result, call);
  };
  pairForward(messages, pair);
  pairBackward(messages, { resultOf, callOf }, pair);
  return { resultOf, callOf };
}

type Pair = (call: CallPiece, result: ResultPiece) => void;

/** Each result is paired with the oldest pending call. */
function pairForward(messages: readonly Spoken[], pair: Pair): void {
  const open = new Map<string, Waiting<CallPiece>>();
  eachTool(messages, (piece, turn) => {
    if (piece.kind === "call") return wait(open, piece, turn);
    const call = open.get(keyOf(piece))?.pieces.shift();
    if (call !== undefined) pair(call, piece);
  });
}

/** Each remaining call is paired with the oldest result that was logged before it in its turn. */
function pairBackward(messages: readonly Spoken[], known: ToolPairs, pair: Pair): void {
  const early = new Map<string, Waiting<ResultPiece>>();
  eachTool(messages, (piece, turn) => {
    if (piece.kind === "result") {
      if (!known.callOf.has(piece)) wait(early, piece, turn);
    } else if (!known.resultOf.has(piece)) {
      const waiting = early.get(keyOf(piece));
      const result = waiting?.turn === turn ? waiting.pieces.shift() : undefined;
      if (result !== undefined) pair(piece, result);
    }
  });
}

function eachTool(
  messages: readonly Spoken[],
  visit: (piece: CallPiece | ResultPiece, turn: number) => void,
): void {
  let turn = 0;
  for (const message of messages) {
    if (message.startsTurn) turn += 1;
    for (const piece of message.pieces)
      if (piece.kind === "call" || piece.kind === "result") visit(piece, turn);
  }
}

function wait<P extends CallPiece | ResultPiece>(waiting: Map<string, Waiting<P>>, piece: P, turn: number) {
  const key = keyOf(piece);
  const known = waiting.get(key);
  if (known?.turn === turn) known.pieces.push(piece);
  else waiting.set(key, { turn, pieces: [piece] });
}

function keyOf({ id, name }: CallPiece | ResultPiece): string {
  return id === null ? `name ${name ?? ""}` : `id ${id}`;
}
