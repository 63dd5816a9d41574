/**
 * Erases messages on request. Rows become tombstones, and the chain still verifies. An erasure includes the host's own notes
 * that repeat a message, and the same host entry in all other conversations. All stored text is searched for
 * other copies: they are listed, and removed only with `also`. A certificate records what was removed and searched.
 */
import type { z } from "zod";
import { PalimpsestError } from "../../errors.ts";
import { everyRow } from "../../store/every-row.ts";
import type { MemoryStore } from "../../store/memory-store.ts";
import type { ScopedStore, StoredConversation } from "../../store/store.ts";
import { toHex } from "../../text/bytes.ts";
import { CopyFinder, type CopyKind, type Likeness } from "../../text/copies/copy-finder.ts";
import { messageId } from "../../text/identifiers.ts";
import { isoTime } from "../../text/timestamps.ts";
import type { Clock, RandomBytes } from "../../types.ts";
import type { eraseInput } from "../inputs.ts";
import { noMessageAt } from "../read/not-found.ts";
import { requireConversation, requireRange } from "../read/read-messages.ts";
import { type ErasedRange, gatherErased, isSameEntry } from "./erased-words.ts";
import { ErasurePlan } from "./erasure-plan.ts";
import { findRetold } from "./find-retold.ts";
import { forecastErasure } from "./forecast-erasure.ts";
import { type Place, type Searched, searchCopies } from "./search-copies.ts";

export type EraseInput = z.input<typeof eraseInput>;

interface EraseDependencies {
  readonly store: ScopedStore;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Null if this engine has no memories. */
  readonly memories: MemoryStore | null;
}

/** Another text that repeats erased text. */
interface ErasedCopy {
  /** Id of the message, summary or memory; of the conversation for a title or a transcript line. */
  readonly id: string;
  readonly type: Place["type"];
  /** For a line: the version of the transcript, and the line number in it, from 1. Otherwise null. */
  readonly transcript: number | null;
  readonly line: number | null;
  readonly kind: CopyKind;
  /** The share of an erased text that it contains, from 0 to 1. */
  readonly share: number;
  /** Whether it was removed as well. */
  readonly removed: boolean;
}

/** The entry of an erasure in the audit log, chained to the previous certificate. */
interface ErasureCertificate {
  /** SHA-256 of the record, which identifies it in the audit log. */
  readonly hash: string;
  readonly at: string;
  /** How many texts were searched for copies. */
  readonly searched: Searched;
}

export interface EraseReport {
  readonly conversation: string;
  /** All conversations that lost something: this one, and others with the same host entries or with removed copies. */
  readonly conversations: readonly string[];
  /** The requested messages, the same host entries in other conversations, and copies with `also`. */
  readonly messages: number;
  /** Summaries derived from them, which lost their text. */
  readonly summaries: number;
  /** Memories derived from them, and copies with `also`, which lost their text. */
  readonly memories: number;
  /** Ids of memories that are active again, because the memory they were merged into lost its text. */
  readonly restored: readonly string[];
  readonly transcriptLines: number;
  /** Files outside the store that contained the text when they were imported. */
  readonly transcriptFiles: readonly string[];
  /** Other messages that still repeat the erased text, in any conversation. */
  readonly alsoIn: readonly string[];
  /** Every copy that was found. */
  readonly copies: readonly ErasedCopy[];
  /** Null in a dry run. */
  readonly certificate: ErasureCertificate | null;
  /** Whether the text is also gone from the store's own files. If not, `store.compactFiles()` removes it. */
  readonly filesCleaned: boolean;
}

const SALT_BYTES = 16;

export async function eraseMessages(use: EraseDependencies, input: EraseInput): Promise<EraseReport> {
  const { store } = use;
  const conversation = await requireConversation(store, input.conversation);
  const { id } = conversation;
  const range = rangeOf(input, conversation);
  const erased = await gatherErased(store, conversation, range);
  if (erased.seqs.size === 0)
    throw new PalimpsestError("not-found", `messages ${range.from} to ${range.to} contain nothing to erase`);
  const finder = new CopyFinder<Place>(erased.texts);
  requireQuietReason(input, finder);
  const plan = new ErasurePlan();
  for (const seq of erased.seqs) plan.add({ type: "message", conversation: id, seq });
  const searched = await searchCopies({
    ...use,
    finder,
    isErased: (other, seq) => plan.erases(other, seq),
    goesWithErased: (other, first, last) => plan.erasesAmong(other, first, last),
    takes: (other, message) => {
      if (!isSameEntry(erased, id, other.id, message)) return false;
      plan.add({ type: "message", conversation: other.id, seq: message.seq });
      return true;
    },
  });
  if (range.isWhole) await addEveryLine(store, id, plan);
  else for (const seq of await findRetold(store, id, erased.texts)) plan.of(id).retold.add(seq);
  const copies = settleCopies(finder, plan, { own: id, isWhole: range.isWhole, also: input.also === true });
  const outcome =
    input.dryRun === true
      ? { ...NOTHING_DONE, ...(await forecastErasure(use, plan)) }
      : await carryOut(use, plan, { id, range, input, searched, copies });
  const transcripts = (await Promise.all(plan.conversations.map((one) => store.transcripts(one)))).flat();
  return {
    conversation: id,
    conversations: plan.conversations,
    messages: plan.messages,
    transcriptLines: plan.lines,
    ...outcome,
    transcriptFiles: [...new Set(transcripts.map((transcript) => transcript.path))],
    alsoIn: copies.filter(({ type, removed }) => type === "message" && !removed).map((copy) => copy.id),
    copies,
  };
}

function rangeOf(input: EraseInput, conversation: StoredConversation): ErasedRange {
  const from = input.from ?? 1;
  const to = input.to ?? input.from ?? conversation.messageCount;
  for (const position of [from, to])
    if (!Number.isSafeInteger(position) || position < 1)
      throw new PalimpsestError("invalid-input", "from and to must be whole numbers from 1");
  requireRange(from, to);
  if (from > conversation.messageCount) throw noMessageAt(conversation, from);
  return { from, to, isWhole: from === 1 && to >= conversation.messageCount };
}

function requireQuietReason({ reason }: EraseInput, finder: CopyFinder<Place>): void {
  if (reason === undefined || !finder.repeats(reason)) return;
  throw new PalimpsestError("invalid-input", "the reason contains text that is to be erased", {
    advice: "The reason stays in the audit log: rephrase it without that text. Nothing was erased.",
  });
}

/** The host's own notes are erased with the conversation. */
async function addEveryLine(store: ScopedStore, conversation: string, plan: ErasurePlan): Promise<void> {
  const kinds = ["event", "unreadable", "torn"] as const;
  for (const { number: transcript } of await store.transcripts(conversation))
    for await (const { line } of everyRow((from) =>
      store.transcriptLines(conversation, { transcript, from, kinds, withoutContent: true }),
    ))
      plan.add({ type: "line", conversation, transcript, line });
}

/**
 * Decides about each copy. A host's notes that repeat its own messages are always removed, and so are summaries
 * of the conversation that repeat the text; they no longer count as copies.
 */
function settleCopies(
  finder: CopyFinder<Place>,
  plan: ErasurePlan,
  { own, isWhole, also }: { readonly own: string; readonly isWhole: boolean; readonly also: boolean },
): ErasedCopy[] {
  const best = new Map<string, { readonly place: Place; readonly likeness: Likeness }>();
  for (const found of finder.copies()) {
    const { place, likeness } = found;
    const name = JSON.stringify(place);
    if ((best.get(name)?.likeness.share ?? -1) < likeness.share) best.set(name, found);
  }
  return [...best.values()].flatMap(({ place, likeness }) => {
    if (place.type === "line" && place.conversation === own) {
      if (!isWhole) plan.add(place);
      return [];
    }
    if (place.type === "summary" && plan.of(place.conversation).retold.has(place.firstSeq)) return [];
    if (also) plan.add(place);
    return [{ ...shownPlace(place), ...likeness, removed: also }];
  });
}

function shownPlace(place: Place): Pick<ErasedCopy, "id" | "type" | "transcript" | "line"> {
  const nowhere = { type: place.type, transcript: null, line: null };
  if (place.type === "memory" || place.type === "summary") return { id: place.id, ...nowhere };
  if (place.type === "message") return { id: messageId(place.conversation, place.seq), ...nowhere };
  if (place.type === "title") return { id: place.conversation, ...nowhere };
  const { conversation, transcript, line } = place;
  return { id: conversation, type: "line", transcript, line: line + 1 };
}

type Outcome = Pick<EraseReport, "summaries" | "memories" | "restored" | "certificate" | "filesCleaned">;

const NOTHING_DONE: Pick<Outcome, "restored" | "certificate" | "filesCleaned"> = {
  restored: [],
  certificate: null,
  filesCleaned: false,
};

interface Erasure {
  readonly id: string;
  readonly range: ErasedRange;
  readonly input: EraseInput;
  readonly searched: Searched;
  readonly copies: readonly ErasedCopy[];
}

/** All conversations in one commit. Each has its own certificate; that of the requested conversation covers everything. */
async function carryOut(use: EraseDependencies, plan: ErasurePlan, erasure: Erasure): Promise<Outcome> {
  const { id, range, input, searched, copies } = erasure;
  const at = isoTime(use.clock());
  const salt = toHex(use.random(SALT_BYTES));
  const left = copies.filter(({ removed }) => !removed).length;
  const found = { copies: { found: copies.length, removed: copies.length - left, left }, searched };
  const writes = await plan.writes(use.store, id, (conversation, { seqs, lines }) => {
    const asked = conversation === id ? { from: range.from, to: range.to } : { copiesOf: id };
    const counts = { messages: seqs.size, lines: lines.length, reason: input.reason ?? null };
    const detail = JSON.stringify({ ...asked, ...counts, ...(conversation === id ? found : {}) });
    return { at, salt, audit: { at, action: "erase", conversation, detail } };
  });
  const results = (await use.store.commit(writes)).flatMap((result) =>
    result.kind === "erase" ? [result] : [],
  );
  const erased = await eraseCopiedMemories(use, plan, id, at);
  return {
    summaries: results.reduce((sum, { summaries }) => sum + summaries, 0),
    memories: results.reduce((sum, { memories }) => sum + memories, 0) + erased.memories,
    restored: [...results.flatMap(({ restored }) => restored), ...erased.restored],
    certificate: { hash: results[0]?.certificate ?? "", at, searched },
    filesCleaned: (await use.store.uncleanedSince()) === null,
  };
}

async function eraseCopiedMemories(
  { memories: store, store: { scope } }: EraseDependencies,
  { memories }: ErasurePlan,
  copiesOf: string,
  at: string,
): Promise<{ readonly memories: number; readonly restored: readonly string[] }> {
  if (memories.size === 0 || store === null) return { memories: 0, restored: [] };
  const audit = { at, action: "erase-memory", conversation: null, detail: JSON.stringify({ copiesOf }) };
  const { agent } = scope;
  const [result] = await store.commit([{ kind: "erase-memories", ids: [...memories], at, agent, audit }]);
  if (result?.kind !== "erase-memories") return { memories: 0, restored: [] };
  return { memories: result.erased.length, restored: result.restored };
}
