/**
 * Messages for a reader with limited room: as many whole ones as fit, or a piece of one that is too long. Continuing from
 * `next` and `nextOffset` until both are null returns all text exactly once.
 */
import { PalimpsestError } from "../../errors.ts";
import { counted } from "../../text/counted.ts";
import { estimateTokens, lengthWithin } from "../../text/estimate-tokens.ts";
import type { Conversation, Message } from "../../types.ts";
import type { ReadInput, ReadResult } from "../read/read-messages.ts";
import { lengthOf, type PartText, sliceTexts, type TextSlice, textsOfMessage } from "./message-text.ts";

interface ReadPageInput extends ReadInput {
  /** Start position in the first message, in characters. */
  readonly offset?: number;
  /** Most characters of the first message. Default: as many as `maxTokens` allows. */
  readonly length?: number;
  /** Most tokens of text in the result. Default: no limit. */
  readonly maxTokens?: number;
  /** Count and cut the exact originals instead of the text. Default false. */
  readonly raw?: boolean;
}

/** A part of an item that is read alone. */
interface Piece extends TextSlice {
  /** Characters of the whole item. */
  readonly length: number;
}

export interface MessagePiece extends Piece {
  readonly message: Message;
}

interface ReadPage {
  readonly conversation: Conversation;
  /** Whole messages; empty if a piece of one is given. */
  readonly messages: readonly Message[];
  readonly piece: MessagePiece | null;
  readonly next: number | null;
  /** Where to continue in the message `next`; null for its beginning. */
  readonly nextOffset: number | null;
}

const MOST_MESSAGES = 1_000;
/** Messages processed together. */
const SLICE_MESSAGES = 50;

export async function readPage(
  read: (input: ReadInput) => Promise<ReadResult>,
  input: ReadPageInput,
): Promise<ReadPage> {
  const { offset = 0, length, maxTokens = Infinity, raw = false, limit = MOST_MESSAGES, ...range } = input;
  let answer = await read({ ...range, limit: Math.min(limit, SLICE_MESSAGES) });
  const { conversation } = answer;
  const [first] = answer.messages;
  if (first !== undefined && (offset > 0 || length !== undefined || tokensOf(first, raw) > maxTokens)) {
    const texts = textsOfMessage(first, raw);
    const piece = { message: first, ...pieceOf(first.id, texts, { offset, length, maxTokens }) };
    const isLast = answer.messages.length === 1 && answer.next === null;
    const following = isLast ? null : (answer.messages[1]?.seq ?? answer.next);
    return { conversation, messages: [], piece, ...wayOn(piece, first.seq, following) };
  }
  const messages: Message[] = [];
  for (let left = maxTokens; ; ) {
    for (const message of answer.messages) {
      left -= tokensOf(message, raw);
      if (left < 0) return { conversation, messages, piece: null, next: message.seq, nextOffset: null };
      messages.push(message);
    }
    if (answer.next === null || messages.length >= limit)
      return { conversation, messages, piece: null, next: answer.next, nextOffset: null };
    answer = await read({
      ...range,
      from: answer.next,
      limit: Math.min(limit - messages.length, SLICE_MESSAGES),
    });
  }
}

function wayOn(piece: MessagePiece, seq: number, following: number | null) {
  return piece.end < piece.length
    ? { next: seq, nextOffset: piece.end }
    : { next: following, nextOffset: null };
}

/** As much of the texts from `offset` on as `length` characters and `maxTokens` allow. */
export function pieceOf(
  id: string,
  texts: readonly PartText[],
  {
    offset = 0,
    length = Infinity,
    maxTokens = Infinity,
  }: { offset?: number | undefined; length?: number | undefined; maxTokens?: number | undefined },
): Piece {
  const total = lengthOf(texts);
  if (offset > 0 && offset >= total)
    throw new PalimpsestError("invalid-input", `${id} has ${counted(total, "character")}`, {
      advice: "offset counts its characters from 0.",
    });
  const room = Math.min(length, charactersWithin(texts, offset, maxTokens));
  return { length: total, ...sliceTexts(texts, offset, room) };
}

function charactersWithin(texts: readonly PartText[], offset: number, maxTokens: number): number {
  if (maxTokens === Infinity) return Infinity;
  const { texts: rest } = sliceTexts(texts, offset, Math.max(1, 4 * maxTokens));
  return lengthWithin(rest.map(({ text }) => text).join(""), maxTokens);
}

function tokensOf(message: Message, raw: boolean): number {
  return textsOfMessage(message, raw).reduce((sum, { text }) => sum + estimateTokens(text), 0);
}
