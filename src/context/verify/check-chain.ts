/** Checks that every message is present, unchanged and in order: digests, the hash chain, and the head. */
import { chainHash, matchesDigest } from "../../store/seal.ts";
import type { StoredConversation, StoredMessage } from "../../store/store.ts";
import { counted } from "../../text/counted.ts";
import type { ConversationCheck, ReportProblem, RowCheck } from "./integrity.ts";

export const checkChain: RowCheck = {
  name: "chain",
  start: (conversation, report) => new ChainCheck(conversation, report),
};

class ChainCheck implements ConversationCheck {
  readonly #conversation: StoredConversation;
  readonly #report: ReportProblem;
  #seq = 0;
  #hash = "";
  #tokens = 0;

  constructor(conversation: StoredConversation, report: ReportProblem) {
    this.#conversation = conversation;
    this.#report = report;
  }

  message(message: StoredMessage): void {
    const { seq } = message;
    if (seq !== this.#seq + 1) this.#reportGap(this.#seq + 1, seq - 1);
    if (message.content === null && message.erasedAt === null)
      this.#report({ seq, message: "its content is missing, and it was not erased" });
    if (!matchesDigest(message)) this.#report({ seq, message: "its content has changed (hash mismatch)" });
    if (chainHash(this.#hash, message, message.digest) !== message.hash)
      this.#report({ seq, message: "its hash does not follow from the message before it" });
    this.#seq = seq;
    this.#hash = message.hash;
    this.#tokens += message.tokenCount;
  }

  #reportGap(from: number, to: number): void {
    const missing = from === to ? `message ${from} is` : `messages ${from} to ${to} are`;
    this.#report({ seq: from, last: to, message: `${missing} missing` });
  }

  end(): void {
    const { messageCount, headHash, tokenCount } = this.#conversation;
    if (this.#seq < messageCount) this.#reportGap(this.#seq + 1, messageCount);
    else if (this.#seq > messageCount)
      this.#report({ message: `it should have ${counted(messageCount, "message")} and has ${this.#seq}` });
    else if (this.#hash !== headHash)
      this.#report({ message: "the newest message is not the head of its chain" });
    if (this.#tokens !== tokenCount)
      this.#report({ message: `its token count says ${tokenCount}, its messages add up to ${this.#tokens}` });
  }
}
