/** Receipts that wait for the turn that was made from them. Lost with the process: a receipt is evidence, not truth. */
import type { Address, StoredConversation } from "../../store/store.ts";
import type { Receipt } from "../read/receipt.ts";

/** Conversations whose last receipt is remembered. */
const MOST = 1_000;

export class PendingReceipts {
  readonly #byId = new Map<string, Receipt>();
  /** Hosts assemble by one name and commit by another. */
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

  /** Words were erased: a hash over a window that held them must not be kept. */
  forget(id: string): void {
    this.#byId.delete(id);
  }
}
