import { idIn, isMessageId, parseMessageId } from "../../text/identifiers.ts";

/** Parses a turn: a number or a message id is a message of the turn; anything else is its key. */
export function readTurn(text: string): string | number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  const id = idIn(text);
  return isMessageId(id) ? parseMessageId(id).seq : text;
}
