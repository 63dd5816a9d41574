import { PalimpsestError } from "../../errors.ts";
import type { Address } from "../../store/store.ts";
import { requireOptions } from "../../text/given.ts";
import { isConversationId } from "../../text/identifiers.ts";
import type { ConversationRef } from "../../types.ts";
import { requireName } from "./require-name.ts";

/** Converts a caller's reference to a conversation into the store's address. */
export function toAddress(reference: ConversationRef): Address {
  if (typeof reference === "string") {
    requireName("conversation", reference);
    return isConversationId(reference) ? { id: reference } : { sessionId: reference, sessionKey: null };
  }
  if (typeof reference !== "object" || reference === null)
    throw new PalimpsestError(
      "invalid-input",
      "conversation must be an id, a session id, or { sessionId, sessionKey }",
    );
  requireOptions("conversation", ["sessionId", "sessionKey"], reference);
  requireName("conversation.sessionId", reference.sessionId);
  if (reference.sessionKey === undefined) return { sessionId: reference.sessionId, sessionKey: null };
  requireName("conversation.sessionKey", reference.sessionKey);
  return { sessionId: reference.sessionId, sessionKey: reference.sessionKey };
}
