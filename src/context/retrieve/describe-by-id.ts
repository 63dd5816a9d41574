/**
 * Describes what an id refers to, without reading everything: the sources of a summary and the summaries derived
 * from it, how much is below it, and where a message is now. "Above" is always towards the newer, coarser summaries.
 */
import type { z } from "zod";
import { PalimpsestError } from "../../errors.ts";
import { textOfParts } from "../../message/read-parts.ts";
import type { StoredFile } from "../../store/file-store.ts";
import type { AboveSummary, LineageSources, SummaryLevel } from "../../store/lineage.ts";
import type { ScopedStore, StoredSummary } from "../../store/store.ts";
import { clip } from "../../text/cut-text.ts";
import { isSummaryId, kindOfId, messageId, parseMessageId } from "../../text/identifiers.ts";
import type { Message, Role } from "../../types.ts";
import { type DescribeFileInput, describeFile, type FileDescription } from "../files/describe-file.ts";
import { fileIdIn } from "../files/require-file.ts";
import type { describeInput } from "../inputs.ts";
import { noSummary } from "../read/not-found.ts";
import { requireMessage, toMessage } from "../read/read-messages.ts";
import { refuseOtherKinds } from "../read/wrong-kind.ts";

export type DescribeInput = z.input<typeof describeInput>;

export type Description = SummaryDescription | MessageDescription | FileDescription;

export interface SummaryDescription {
  readonly type: "summary";
  readonly summary: StoredSummary;
  /** Whether it is in the context now. */
  readonly inContext: boolean;
  /** Its sources, in order. */
  readonly madeFrom: readonly Source[];
  /** The summaries derived from it, at any depth, nearest first. */
  readonly above: readonly AboveSummary[];
  /** The summaries below it by depth, highest first. */
  readonly below: readonly SummaryLevel[];
  /** Tokens of the summary, all summaries below it and all their messages. */
  readonly wholeTokens: number;
  /** Whether all of that fits into `tokenCap`; null if none was given. */
  readonly fits: boolean | null;
}

/** A source of a summary. */
interface Source {
  readonly id: string;
  readonly type: "summary" | "message";
  /** Null for a summary. */
  readonly role: Role | null;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly tokens: number;
  /** Including everything below it. */
  readonly wholeTokens: number;
  readonly fits: boolean | null;
}

export interface MessageDescription {
  readonly type: "message";
  readonly message: Message;
  /** The summaries that cover it, at every depth, nearest first. */
  readonly above: readonly AboveSummary[];
  /** How the context contains it: the message itself, this summary, or not at all. */
  readonly inContext: "itself" | "summary" | null;
  readonly before: Neighbour | null;
  readonly after: Neighbour | null;
  /** Files and long tool results of the message, stored separately. */
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

export async function describeById(store: ScopedStore, input: DescribeInput): Promise<Description> {
  const { tokenCap, ...file } = input;
  const id = typeof input.id === "string" ? fileIdIn(input.id) : input.id;
  const kind = typeof id === "string" ? kindOfId(id) : null;
  if (kind === "file") return describeFile(store, file);
  if (kind === "memory") refuseOtherKinds(id, "message");
  refuseRange(id, file);
  if (kind === "summary") return describeSummary(store, id, tokenCap ?? null);
  if (kind === "message") return describeMessage(store, id);
  throw new PalimpsestError("invalid-input", `${String(id)} is not the id of a message, summary or file`, {
    advice:
      kind === "conversation"
        ? `It is the id of a conversation. Read it with: lcm read ${id}`
        : "Ids look like msg_0123456789abcdef_42, sum_0123456789abcdef and file_0123456789abcdef.",
  });
}

/** Rejects options that apply only to files. */
function refuseRange(id: string, { id: _, ...range }: DescribeFileInput): void {
  const [given] = Object.entries(range).find(([, value]) => value !== undefined) ?? [];
  if (given === undefined) return;
  throw new PalimpsestError("invalid-input", `${given} applies only to files, and ${id} is not a file`, {
    advice: "Omit it, or give a file id: file_…",
  });
}

async function describeSummary(
  store: ScopedStore,
  id: string,
  tokenCap: number | null,
): Promise<SummaryDescription> {
  const found = isSummaryId(id) ? await store.describeSummary(id) : undefined;
  if (found === undefined) throw await noSummary(store, id);
  const { summary, inContext, above, madeFrom, below } = found;
  const { conversation } = summary;
  const fits = (tokens: number) => (tokenCap === null ? null : tokens <= tokenCap);
  const sources = sourcesOf(conversation, madeFrom);
  const wholeTokens = summary.tokenCount + summary.descendantTokenCount + summary.sourceTokenCount;
  return {
    ...{ type: "summary", summary, inContext, above, below, wholeTokens, fits: fits(wholeTokens) },
    madeFrom: sources.map((source) => ({ ...source, fits: fits(source.wholeTokens) })),
  };
}

function sourcesOf(
  conversation: string,
  { messages, summaries }: LineageSources,
): readonly Omit<Source, "fits">[] {
  return [
    ...messages.map(({ seq, role, tokenCount: tokens }) => ({
      ...{ id: messageId(conversation, seq), type: "message" as const, role },
      ...{ firstSeq: seq, lastSeq: seq, tokens, wholeTokens: tokens },
    })),
    ...summaries.map(({ id, firstSeq, lastSeq, tokenCount: tokens, wholeTokenCount: wholeTokens }) => ({
      ...{ id, type: "summary" as const, role: null, firstSeq, lastSeq, tokens, wholeTokens },
    })),
  ];
}

async function describeMessage(store: ScopedStore, id: string): Promise<MessageDescription> {
  const { conversation, seq } = parseMessageId(id);
  const [message, { inContext, above }, { before, after }, files] = await Promise.all([
    requireMessage(store, id),
    store.lineage(conversation, { seq }),
    neighbours(store, conversation, seq),
    filesIn(store, conversation, seq),
  ]);
  const isCovered = above.some((one) => one.inContext);
  return {
    ...{ type: "message", message, above, before, after, files },
    inContext: inContext ? "itself" : isCovered ? "summary" : null,
  };
}

async function filesIn(store: ScopedStore, conversation: string, seq: number): Promise<StoredFile[]> {
  const { rows } = await store.originals(conversation, { from: seq, to: seq, limit: 1 });
  const found = await Promise.all((rows[0]?.fileIds ?? []).map((id) => store.file(id)));
  return found.filter((file) => file !== undefined);
}

async function neighbours(
  store: ScopedStore,
  conversation: string,
  seq: number,
): Promise<Pick<MessageDescription, "before" | "after">> {
  const query = { from: seq - 1, to: seq + 1, limit: 3, payloads: "context" } as const;
  const { rows } = await store.messages(conversation, query);
  const at = (wanted: number) => {
    const row = rows.find((one) => one.seq === wanted);
    return row === undefined ? null : toNeighbour(toMessage(conversation, row));
  };
  return { before: at(seq - 1), after: at(seq + 1) };
}

function toNeighbour({ id, role, tokenCount: tokens, parts }: Message): Neighbour {
  return { id, role, tokens, opening: clip(textOfParts(parts), OPENING_LENGTH) };
}
