/**
 * What an id stands for, without opening everything: where a summary came from and what came from it, how much lies
 * below it, and where a message stands now. "Above" is always towards the newer, coarser summaries.
 */
import { PalimpsestError } from "../../errors.ts";
import { everyRow } from "../../store/every-row.ts";
import type { StoredFile } from "../../store/file-store.ts";
import {
  ORDINAL_GAP,
  type ScopedStore,
  type StoredSummary,
  type SummaryLevel,
  type SummarySource,
} from "../../store/store.ts";
import { clip } from "../../text/cut-text.ts";
import { kindOfId, messageId, parseMessageId } from "../../text/identifiers.ts";
import type { Message, Role } from "../../types.ts";
import { requireSummary } from "../expand.ts";
import { type DescribeFileInput, describeFile, type FileDescription } from "../files/describe-file.ts";
import { fileIdIn } from "../files/require-file.ts";
import { textOfParts } from "../ingest/read-parts.ts";
import { requireMessage, toMessage } from "../read.ts";
import { refuseOtherKinds } from "../wrong-kind.ts";

export interface DescribeInput extends Omit<DescribeFileInput, "id"> {
  /** Of a message, a summary or a file; of a file, also the line that stands for it in a context. */
  readonly id: string;
  /** Given: what could be expanded whole within this many tokens. */
  readonly tokenCap?: number;
}

export type Description = SummaryDescription | MessageDescription | FileDescription;

export interface SummaryDescription {
  readonly type: "summary";
  readonly summary: StoredSummary;
  /** Whether it stands in the context now. */
  readonly inContext: boolean;
  /** What it was made from, in order. */
  readonly madeFrom: readonly Source[];
  /** The summaries that were made from it, at any depth, nearest first. */
  readonly above: readonly Above[];
  /** The summaries below it by depth, highest first. */
  readonly below: readonly SummaryLevel[];
  /** Tokens of the summary, all summaries below it and all their messages. */
  readonly wholeTokens: number;
  /** Whether all of that fits into `tokenCap`; null when none was given. */
  readonly fits: boolean | null;
}

/** One of the things that a summary was made from. */
export interface Source {
  readonly id: string;
  readonly type: "summary" | "message";
  /** Null for a summary. */
  readonly role: Role | null;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly tokens: number;
  /** With everything below it. */
  readonly wholeTokens: number;
  readonly fits: boolean | null;
}

export interface Above {
  readonly summary: StoredSummary;
  readonly inContext: boolean;
}

export interface MessageDescription {
  readonly type: "message";
  readonly message: Message;
  /** The summaries that cover it, at every depth, nearest first. */
  readonly above: readonly Above[];
  /** Where the context holds it: as it is, inside this summary, or not at all. */
  readonly inContext: "itself" | "summary" | null;
  readonly before: Neighbour | null;
  readonly after: Neighbour | null;
  /** Files and long results that came in it and are kept apart. */
  readonly files: readonly StoredFile[];
}

export interface Neighbour {
  readonly id: string;
  readonly role: Role;
  readonly tokens: number;
  /** Its first words. */
  readonly opening: string;
}

const OPENING_LENGTH = 120;

export async function describe(store: ScopedStore, input: DescribeInput): Promise<Description> {
  const { tokenCap, ...file } = input;
  const id = typeof input.id === "string" ? fileIdIn(input.id) : input.id;
  const kind = typeof id === "string" ? kindOfId(id) : null;
  if (kind === "file") return describeFile(store, file);
  if (kind === "memory") refuseOtherKinds(id, "message");
  refuseRange(id, file);
  if (kind === "summary") return describeSummary(store, await requireSummary(store, id), tokenCap ?? null);
  if (kind === "message") return describeMessage(store, id);
  throw new PalimpsestError("invalid-input", `${String(id)} is neither a message, a summary nor a file`, {
    advice:
      kind === "conversation"
        ? `That is a conversation. Read it with: lcm read ${id}`
        : "Ids look like msg_0123456789abcdef_42, sum_0123456789abcdef and file_0123456789abcdef.",
  });
}

/** What only a file has. */
function refuseRange(id: string, { id: _, ...range }: DescribeFileInput): void {
  const [given] = Object.entries(range).find(([, value]) => value !== undefined) ?? [];
  if (given === undefined) return;
  throw new PalimpsestError("invalid-input", `${given} is for files, and ${id} is none`, {
    advice: "Leave it out, or give the id of a file: file_…",
  });
}

async function describeSummary(
  store: ScopedStore,
  summary: StoredSummary,
  tokenCap: number | null,
): Promise<SummaryDescription> {
  const { conversation, id } = summary;
  const wholeTokens = wholeOf(summary);
  const [inContext, madeFrom, above, below] = await Promise.all([
    standsInContext(store, summary),
    sourcesOf(store, summary, tokenCap),
    everythingAbove(store, conversation, { summary: id }),
    store.summaryLevels(conversation, id),
  ]);
  return {
    type: "summary",
    summary,
    inContext,
    madeFrom,
    above,
    below,
    wholeTokens,
    fits: tokenCap === null ? null : wholeTokens <= tokenCap,
  };
}

/** What `expand` counts when it goes all the way down. */
function wholeOf({ tokenCount, descendantTokenCount, sourceTokenCount }: StoredSummary): number {
  return tokenCount + descendantTokenCount + sourceTokenCount;
}

async function sourcesOf(
  store: ScopedStore,
  { conversation, sources }: StoredSummary,
  tokenCap: number | null,
): Promise<Source[]> {
  const found =
    sources.type === "messages"
      ? await messageSources(store, conversation, sources.seqs)
      : (await Promise.all(sources.ids.map((id) => requireSummary(store, id)))).map(summarySource);
  return found.map((source) => ({
    ...source,
    fits: tokenCap === null ? null : source.wholeTokens <= tokenCap,
  }));
}

function summarySource(summary: StoredSummary): Omit<Source, "fits"> {
  const { id, firstSeq, lastSeq, tokenCount: tokens } = summary;
  return { id, type: "summary", role: null, firstSeq, lastSeq, tokens, wholeTokens: wholeOf(summary) };
}

async function messageSources(
  store: ScopedStore,
  conversation: string,
  seqs: readonly number[],
): Promise<Omit<Source, "fits">[]> {
  const wanted = new Set(seqs);
  const to = Math.max(...seqs);
  const rows = everyRow(
    (from) => store.messages(conversation, { from, to, withoutContent: true }),
    Math.min(...seqs),
  );
  const found: Omit<Source, "fits">[] = [];
  for await (const { seq, role, tokenCount: tokens } of rows)
    if (wanted.has(seq))
      found.push({
        ...{ id: messageId(conversation, seq), type: "message", role },
        ...{ firstSeq: seq, lastSeq: seq, tokens, wholeTokens: tokens },
      });
  return found;
}

/** Level by level, each summary once. */
async function everythingAbove(
  store: ScopedStore,
  conversation: string,
  source: SummarySource,
): Promise<Above[]> {
  const above = new Map<string, Above>();
  let level: readonly SummarySource[] = [source];
  while (level.length > 0) {
    const made = await Promise.all(level.map((one) => store.summariesMadeFrom(conversation, one)));
    const fresh = made.flat().filter(({ id }) => !above.has(id));
    const shown = await Promise.all(fresh.map((summary) => standsInContext(store, summary)));
    for (const [index, summary] of fresh.entries())
      above.set(summary.id, { summary, inContext: shown[index] === true });
    level = fresh.map(({ id }) => ({ summary: id }));
  }
  return [...above.values()].toSorted((a, b) => a.summary.depth - b.summary.depth);
}

async function standsInContext(
  store: ScopedStore,
  { conversation, id, firstSeq }: StoredSummary,
): Promise<boolean> {
  const item = await itemAt(store, conversation, firstSeq);
  return item?.type === "summary" && item.summary === id;
}

async function itemAt(store: ScopedStore, conversation: string, seq: number) {
  const ordinal = seq * ORDINAL_GAP;
  const { rows } = await store.contextItems(conversation, { from: ordinal, to: ordinal, limit: 1 });
  return rows[0];
}

async function describeMessage(store: ScopedStore, id: string): Promise<MessageDescription> {
  const { conversation, seq } = parseMessageId(id);
  const [message, above, item, before, after, files] = await Promise.all([
    requireMessage(store, id),
    everythingAbove(store, conversation, { seq }),
    itemAt(store, conversation, seq),
    neighbour(store, conversation, seq - 1),
    neighbour(store, conversation, seq + 1),
    filesIn(store, conversation, seq),
  ]);
  const isShown = item?.type === "message" && item.seq === seq;
  const inContext = isShown ? "itself" : above.some((one) => one.inContext) ? "summary" : null;
  return { type: "message", message, above, inContext, before, after, files };
}

async function filesIn(store: ScopedStore, conversation: string, seq: number): Promise<StoredFile[]> {
  const { rows } = await store.originals(conversation, { from: seq, to: seq, limit: 1 });
  const found = await Promise.all((rows[0]?.fileIds ?? []).map((id) => store.file(id)));
  return found.filter((file) => file !== undefined);
}

async function neighbour(store: ScopedStore, conversation: string, seq: number): Promise<Neighbour | null> {
  if (seq < 1) return null;
  const query = { from: seq, to: seq, limit: 1, payloads: "context" } as const;
  const [row] = (await store.messages(conversation, query)).rows;
  if (row === undefined) return null;
  const { id, role, tokenCount: tokens, parts } = toMessage(conversation, row);
  return { id, role, tokens, opening: clip(textOfParts(parts), OPENING_LENGTH) };
}
