/**
 * Makes the active path of a conversation what a host shows, in one commit: what is new is added, what the host no longer
 * shows leaves the path and stays on record, what it shows again comes back. Each message is known by the host's id and
 * its normal form, or by its normal form and which occurrence of it this is.
 */
import type { z } from "zod";
import { PalimpsestError } from "../../errors.ts";
import { fitOf, refuseLoss } from "../../message/check-json.ts";
import { normalHash } from "../../message/normal-form.ts";
import { titleOf } from "../../message/title-of.ts";
import type { Complete } from "../../model/complete.ts";
import { VIEW_KEY_PREFIX } from "../../store/seal.ts";
import type { AppendWrite, PlacedMessage, StoredConversation } from "../../store/store.ts";
import { messageId } from "../../text/identifiers.ts";
import { isSaid } from "../../types.ts";
import type { reconcileInput } from "../inputs.ts";
import { toAddress } from "../read/address.ts";
import { appendTurn } from "./append-to-conversation.ts";
import { externaliseTurn } from "./externalise-turn.ts";
import type { IngestDependencies } from "./ingest-dependencies.ts";
import { type PreparedMessage, prepareTurn, type TurnMessage } from "./prepare-turn.ts";
import { type SkipReason, skipReason } from "./skip-reason.ts";
import type { TurnOrder } from "./turn-order.ts";

export interface ReconcileInput extends Readonly<z.input<typeof reconcileInput>> {
  /** Everything that the host shows of the conversation, oldest first. `key` is the host's id of a message. */
  readonly view: readonly TurnMessage[];
  /** Writes summaries of this conversation from now on, instead of the model that the engine was opened with. */
  readonly complete?: Complete;
}

export type ReconcileResult =
  | {
      readonly status: "reconciled";
      readonly conversation: string;
      /** Messages of the view that were on record, and those that are new. */
      readonly shared: number;
      readonly appended: number;
      /** Messages that left the active path. */
      readonly left: number;
      /** Ids of the view's messages, in its order. */
      readonly messages: readonly string[];
    }
  | { readonly status: "skipped"; readonly reason: SkipReason };

interface Reconciled {
  readonly result: ReconcileResult;
  /** As it is now; null when nothing was stored. */
  readonly conversation: StoredConversation | null;
}

/** A message of a view. What a host or we added to the view is on record, but not part of the path. */
interface ViewMessage extends PlacedMessage {
  readonly isOnPath: boolean;
}

/** What the last view of a session was, and where its messages are on record. */
interface KnownView {
  readonly keys: readonly string[];
  readonly placed: readonly ViewMessage[];
  /** Messages of the conversation then: another number means that somebody else wrote meanwhile. */
  readonly messageCount: number;
}

/** Sessions whose last view is remembered. */
const MOST = 100;

export class Reconciler {
  readonly #use: IngestDependencies;
  readonly #order: TurnOrder;
  readonly #views = new Map<string, KnownView>();

  constructor(use: IngestDependencies, order: TurnOrder) {
    this.#use = use;
    this.#order = order;
  }

  async reconcile({ conversation, view }: ReconcileInput): Promise<Reconciled> {
    const address = toAddress(conversation);
    const reason = skipReason(this.#use.settings, address);
    if (reason !== undefined) return { result: { status: "skipped", reason }, conversation: null };
    requireView(view);
    const keys = keysOf(view);
    const name = JSON.stringify(address);
    const before = this.#order.knownOf(name);
    const known = await this.#knownPrefix(name, conversation, keys);
    const rest = view
      .slice(known.length)
      .map((entry, i) => ({ ...entry, key: keys[known.length + i] ?? "" }));
    const prepared = this.#prepare(rest);
    const messages = await this.#order.prepared(name, () =>
      externaliseTurn(prepared, address, this.#use, before.calls),
    );
    const last = known.findLast(({ isOnPath }) => isOnPath)?.seq ?? 0;
    const write = { address, messages, ...pathAfter(view, last) };
    const appending = appendTurn(write, () => titleOf(prepared), before, this.#use);
    const { conversation: stored, messages: placed, left = 0 } = await appending;
    const isOnPath = (index: number) => isSaid(messages[index]?.excluded ?? null);
    const all = [...known, ...placed.map((one, index) => ({ ...one, isOnPath: isOnPath(index) }))];
    this.#remember(name, { keys, placed: all, messageCount: stored.messageCount });
    const appended = placed.filter(({ existed }) => !existed).length;
    const ids = all.map(({ seq }) => messageId(stored.id, seq));
    const counts = { shared: view.length - appended, appended, left };
    return {
      result: { status: "reconciled", conversation: stored.id, ...counts, messages: ids },
      conversation: stored,
    };
  }

  #prepare(rest: readonly TurnMessage[]): readonly PreparedMessage[] {
    return rest.length === 0 ? [] : prepareTurn("view", rest, { ...this.#use, reading: "lenient" });
  }

  /** The beginning of the view that is as it was the last time, as long as nobody else has written meanwhile. */
  async #knownPrefix(
    name: string,
    reference: ReconcileInput["conversation"],
    keys: readonly string[],
  ): Promise<readonly ViewMessage[]> {
    const known = this.#views.get(name);
    if (known === undefined) return [];
    const now = await this.#use.store.conversation(toAddress(reference));
    if (now?.messageCount !== known.messageCount) return [];
    const differs = keys.findIndex((key, i) => known.keys[i] !== key);
    return known.placed.slice(0, differs < 0 ? keys.length : differs);
  }

  #remember(name: string, view: KnownView): void {
    this.#views.delete(name);
    this.#views.set(name, view);
    const [oldest] = this.#views.keys();
    if (this.#views.size > MOST && oldest !== undefined) this.#views.delete(oldest);
  }
}

/** What the host summarised itself stands before the first message that it still shows, and stays in the context. */
function pathAfter(
  view: readonly TurnMessage[],
  last: number,
): Pick<AppendWrite, "onOtherContent" | "afterSeq" | "leaveOthersAfter"> {
  const isSummarised = last === 0 && view.some(({ origin }) => origin === "host");
  return {
    onOtherContent: "same",
    afterSeq: last,
    leaveOthersAfter: isSummarised ? "first-known" : last,
  };
}

function keysOf(view: readonly TurnMessage[]): readonly string[] {
  const occurrences = new Map<string, number>();
  return view.map(({ message, key }, index) => {
    // Only what JSON keeps can be compared; the place of anything else is told.
    if (fitOf(message) === "lossy") refuseLoss(message, `view[${index}].message`);
    const hash = normalHash(message);
    if (key !== undefined) return `${VIEW_KEY_PREFIX}${hash}:${key}`;
    const count = (occurrences.get(hash) ?? 0) + 1;
    occurrences.set(hash, count);
    return `${VIEW_KEY_PREFIX}${hash}:${count}`;
  });
}

function requireView(view: readonly TurnMessage[]): void {
  const isList =
    Array.isArray(view) &&
    view.every((entry) => typeof entry?.message === "object" && entry.message !== null);
  if (isList) return;
  throw new PalimpsestError("invalid-input", "view must be a list of { message }, oldest first", {
    advice: "Give every message that the host shows, each as { message, key? }.",
  });
}
