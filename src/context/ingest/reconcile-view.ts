/**
 * Makes the active path of a conversation equal to a host's view in one commit: new messages are added, messages no longer
 * shown leave the path but stay stored, and messages shown again return. A message is identified by the host's id and
 * its normal form, or by its normal form and the number of its occurrence.
 */
import type { z } from "zod";
import { PalimpsestError } from "../../errors.ts";
import { fitOf, refuseLoss } from "../../message/check-json.ts";
import { normalHashes } from "../../message/normal-form.ts";
import { titleOf } from "../../message/title-of.ts";
import type { Complete } from "../../model/complete.ts";
import { everyRow } from "../../store/every-row.ts";
import { viewKey } from "../../store/rules/view-key.ts";
import type { Address, AppendWrite, PlacedMessage, StoredConversation } from "../../store/store.ts";
import { messageId } from "../../text/identifiers.ts";
import type { reconcileInput } from "../inputs.ts";
import { toAddress } from "../read/address.ts";
import { appendTurn } from "./append-to-conversation.ts";
import { externaliseTurn } from "./externalise-turn.ts";
import { InOrder } from "./in-order.ts";
import type { IngestDependencies } from "./ingest-dependencies.ts";
import { type PreparedMessage, prepareTurn, type TurnMessage } from "./prepare-turn.ts";
import { type SkipReason, skipReason } from "./skip-reason.ts";
import type { TurnOrder } from "./turn-order.ts";

export interface ReconcileInput extends Readonly<z.input<typeof reconcileInput>> {
  /** All messages of the conversation in the host's view, oldest first. `key` is the host's id of a message. */
  readonly view: readonly TurnMessage[];
  /** Writes summaries of this conversation from now on, instead of the engine's model. */
  readonly complete?: Complete;
}

export type ReconcileResult =
  | {
      readonly status: "reconciled";
      readonly conversation: string;
      /** Messages of the view that were already stored, and new ones. */
      readonly shared: number;
      readonly appended: number;
      /** Messages that left the active path. */
      readonly left: number;
      /** Ids of the view's messages, in order. */
      readonly messages: readonly string[];
    }
  | { readonly status: "skipped"; readonly reason: SkipReason };

interface Reconciled {
  readonly result: ReconcileResult;
  /** Its current state; null if nothing was stored. */
  readonly conversation: StoredConversation | null;
}

/** A message of a view. Text added by the host or by us is stored, but is not part of the path. */
interface ViewMessage extends PlacedMessage {
  readonly isOnPath: boolean;
}

/** The last view of a session, and the stored position of its messages. */
interface KnownView {
  /** Names of its messages, in order. */
  readonly names: readonly string[];
  readonly placed: readonly ViewMessage[];
  /** Number of messages at that time: a different number means that another writer added some. */
  readonly messageCount: number;
  /** Time of the last change: another writer may have moved messages since. */
  readonly updatedAt: string;
}

/** The beginning of a view that is unchanged since the last time. */
interface KnownPrefix {
  readonly placed: readonly ViewMessage[];
  /** Its messages that another writer has taken off the path. */
  readonly taken: readonly number[];
}

const NOTHING_KNOWN: KnownPrefix = { placed: [], taken: [] };

/** Most sessions whose last view is kept. */
const MOST = 100;

export class Reconciler {
  readonly #use: IngestDependencies;
  readonly #order: TurnOrder;
  readonly #views = new Map<string, KnownView>();
  readonly #inOrder = new InOrder();

  constructor(use: IngestDependencies, order: TurnOrder) {
    this.#use = use;
    this.#order = order;
  }

  async reconcile(input: ReconcileInput): Promise<Reconciled> {
    const address = toAddress(input.conversation);
    const reason = skipReason(this.#use.settings, address);
    if (reason !== undefined) return { result: { status: "skipped", reason }, conversation: null };
    requireView(input.view);
    const name = JSON.stringify(address);
    return this.#inOrder.run(name, () => this.#reconcile(name, address, input));
  }

  async #reconcile(
    name: string,
    address: Address,
    { view, hostContext = {} }: ReconcileInput,
  ): Promise<Reconciled> {
    const before = this.#order.knownOf(name);
    const { keys, names } = keysOf(view);
    const { placed: known, taken } = await this.#knownPrefix(name, address, view, names);
    const rest = view
      .slice(known.length)
      .map((entry, i) => ({ ...entry, key: keys[known.length + i] ?? "" }));
    const prepared = this.#prepare(rest);
    const messages = await this.#order.prepared(name, () =>
      externaliseTurn(prepared, address, this.#use, before.calls),
    );
    const last = known.findLast(({ isOnPath }) => isOnPath)?.seq ?? 0;
    const write = { address, messages, ...pathAfter(view, last), enterContext: taken, hostContext };
    const appending = appendTurn(write, () => titleOf(prepared), before, this.#use);
    const { conversation: stored, messages: placed, left = 0 } = await appending;
    const isOnPath = (index: number) => messages[index]?.excluded === null;
    const all = [...known, ...placed.map((one, index) => ({ ...one, isOnPath: isOnPath(index) }))];
    const { messageCount, updatedAt } = stored;
    this.#remember(name, { names, placed: all, messageCount, updatedAt });
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

  /** Empty if another writer has added messages meanwhile. */
  async #knownPrefix(
    name: string,
    address: Address,
    view: readonly TurnMessage[],
    names: readonly string[],
  ): Promise<KnownPrefix> {
    const known = this.#views.get(name);
    if (known === undefined) return NOTHING_KNOWN;
    const now = await this.#use.store.conversation(address);
    if (now?.messageCount !== known.messageCount) return NOTHING_KNOWN;
    const placed = slidFrom(known, view, names) ?? prefixOf(known, names);
    const isUntouched = now.updatedAt === known.updatedAt;
    return { placed, taken: isUntouched ? [] : await this.#offPath(now.id, placed) };
  }

  /** Messages of the path that are now on another branch. */
  async #offPath(id: string, placed: readonly ViewMessage[]): Promise<readonly number[]> {
    const path = placed.flatMap(({ seq, isOnPath }) => (isOnPath ? [seq] : []));
    const [[first = 0], to = 0, onPath] = [path, path.at(-1), new Set(path)];
    const read = (from: number) => this.#use.store.messages(id, { from, to, withoutContent: true });
    const taken: number[] = [];
    if (path.length > 0)
      for await (const { seq, excluded } of everyRow(read, first))
        if (excluded === "branch" && onPath.has(seq)) taken.push(seq);
    return taken;
  }

  #remember(name: string, view: KnownView): void {
    this.#views.delete(name);
    this.#views.set(name, view);
    const [oldest] = this.#views.keys();
    if (this.#views.size > MOST && oldest !== undefined) this.#views.delete(oldest);
  }
}

/** Messages that the host itself summarised precede the first message in its view, and stay in the context. */
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

function prefixOf({ names: before, placed }: KnownView, names: readonly string[]): readonly ViewMessage[] {
  const differs = names.findIndex((name, i) => before[i] !== name);
  return placed.slice(0, differs < 0 ? names.length : differs);
}

/**
 * A host that shows its own summary and the newest messages moves its window with each call. The summary covers the messages
 * no longer shown, so the rest is recognised if it is the end of the previous view. Null otherwise.
 */
function slidFrom(
  { names: before, placed }: KnownView,
  view: readonly TurnMessage[],
  names: readonly string[],
): readonly ViewMessage[] | null {
  const summaries = view.findIndex(({ origin }) => origin !== "host");
  if (summaries <= 0 || names.slice(0, summaries).some((name, i) => before[i] !== name)) return null;
  const goesOnFrom = (from: number) => before.slice(from).every((name, i) => name === names[summaries + i]);
  for (let from = summaries; from < before.length; from++)
    if (before[from] === names[summaries] && goesOnFrom(from))
      return [...placed.slice(0, summaries), ...placed.slice(from)];
  return null;
}

/** Keys for storing, and keys without occurrence numbers for comparing with the previous view. */
function keysOf(view: readonly TurnMessage[]) {
  const occurrences = new Map<string, number>();
  const names: string[] = [];
  const keys = view.map(({ message, key }, index) => {
    // Only values that JSON preserves can be compared; the error names the place of any other value.
    if (fitOf(message) === "lossy") refuseLoss(message, `view[${index}].message`);
    const hashes = normalHashes(message);
    const number = (occurrences.get(hashes.said) ?? 0) + 1;
    occurrences.set(hashes.said, number);
    names.push(viewKey({ ...hashes, number: null, id: key ?? null }));
    return viewKey({ ...hashes, number, id: key ?? null });
  });
  return { keys, names };
}

function requireView(view: readonly TurnMessage[]): void {
  const isList =
    Array.isArray(view) &&
    view.every((entry) => typeof entry?.message === "object" && entry.message !== null);
  if (isList) return;
  throw new PalimpsestError("invalid-input", "view must be a list of { message }, oldest first", {
    advice: "Pass every message that the host shows, as { message, key? }.",
  });
}
