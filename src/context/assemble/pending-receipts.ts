/** Receipts that wait for the turn generated from them. Lost with the process: a receipt is evidence, not truth. */
import type { Address, StoredConversation } from "../../store/store.ts";
import type { Receipt } from "../read/receipt.ts";

/** Most conversations whose last receipt is kept. */
const MOST = 1_000;

export class PendingReceipts {
  readonly #byId = new Map<string, Receipt>();
  /** Hosts may assemble by one name and commit by another. */
  readonly #idBySession = new Map<string, string>();

  put(conversation: StoredConversation, receipt: Receipt): void {
    this.#byId.delete(conversation.id);
    this.#byId.set(conversation.id, receipt);
    this.#idBySession.set(conversation.sessionKey ?? conversation.sessionId, conversation.id);
    const [oldest] = this.#byId.keys();
    if (this.#byId.size > MOST && oldest !== undefined) this.#byId.delete(oldest);
    if (this.#idBySession.size > 2 * MOST) this.#idBySession.clear();
  }

  take(address: Address): Receipt | undefined {
    const id = "id" in address ? address.id : this.#idBySession.get(address.sessionKey ?? address.sessionId);
    const receipt = id === undefined ? undefined : this.#byId.get(id);
    if (id !== undefined) this.#byId.delete(id);
    return receipt;
  }

  /** After an erasure, a hash over a window with the erased text must not be kept. */
  forget(id: string): void {
    this.#byId.delete(id);
  }
}
