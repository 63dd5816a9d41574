/**
 * Finds damaged or missing messages in the transcript that they were imported from. The hash of the line
 * proves that the file still contains the original, wherever the line is now.
 */
import { isPalimpsestError } from "../../errors.ts";
import { transcriptFormat } from "../../message/hosts/formats.ts";
import { countPartTokens, indexParts } from "../../message/read-parts.ts";
import { everyRow } from "../../store/every-row.ts";
import type { StoredFile } from "../../store/file-store.ts";
import { cutPayloads } from "../../store/payloads.ts";
import { chainHash, matchesDigest, versionKey } from "../../store/seal.ts";
import type { RestoredRow, ScopedStore, StoredConversation } from "../../store/store.ts";
import { sha256 } from "../../text/bytes.ts";
import type { CountTokens } from "../../text/estimate-tokens.ts";
import { referenceOf } from "../../text/file-reference.ts";
import { decodeExactly } from "../../text/utf8.ts";
import type { MessageFormat } from "../../types.ts";
import { tokensWithFiles } from "../files/tokens-with-files.ts";
import { contentKey } from "../ingest/transcripts/import-lines.ts";
import { readEntryLine } from "../ingest/transcripts/read-entry-line.ts";
import { readLines } from "../ingest/transcripts/read-lines.ts";
import { checkChain } from "./check-chain.ts";
import { checkTranscripts } from "./check-transcripts.ts";
import type { Problem, RepairAction } from "./integrity.ts";
import { readableMessages } from "./read-damaged.ts";

interface Searched {
  readonly scoped: ScopedStore;
  readonly conversation: StoredConversation;
  readonly countTokens: CountTokens;
}

/** Problems with messages, with a repair where there is one. */
export async function withSources(
  problems: readonly Problem[],
  searched: Searched,
): Promise<readonly Problem[]> {
  const unlikeLines = problems.flatMap(({ check, seq }) =>
    check === checkTranscripts.name && seq !== null ? [seq] : [],
  );
  const broken = await BrokenMessages.find(searched.scoped, searched.conversation, new Set(unlikeLines));
  const repairs = inOrder(await findRepairs(searched, broken), broken);
  return problems.flatMap((problem) => withRepairs(problem, repairs, broken));
}

type Repair = Extract<RepairAction, { kind: "restore-message" }>;
type Repairs = ReadonlyMap<number, Repair>;

/** The previous message verifies a row: after one that stays lost, none can be written. */
function inOrder(found: Repairs, broken: BrokenMessages): Repairs {
  const repairs = new Map<number, Repair>();
  for (const [seq, repair] of [...found].toSorted(([a], [b]) => a - b))
    if (repair.row === null || broken.problemWith(seq - 1) === undefined || repairs.has(seq - 1))
      repairs.set(seq, repair);
  return repairs;
}

function withRepairs(problem: Problem, repairs: Repairs, broken: BrokenMessages): Problem[] {
  const { check, seq, last, repair } = problem;
  if (seq === null || repair !== null) return [problem];
  if (last !== undefined) return splitGap(problem, seq, last, repairs);
  // The files and the line of a damaged message are damaged as well.
  const isBroken = broken.problemWith(seq) !== undefined;
  const own = isBroken ? repairs.get(seq) : check === checkChain.name ? repairs.get(seq - 1) : undefined;
  return [{ ...problem, repair: own ?? null }];
}

/** The part of a gap that can be filled, message by message, and the rest. */
function splitGap(problem: Problem, first: number, last: number, repairs: Repairs): Problem[] {
  const found = [...repairs.keys()].filter((seq) => seq >= first && seq <= last);
  const filled = found.map((seq) => gap(problem, seq, seq, repairs.get(seq) ?? null));
  const ends = [...found, last + 1];
  const left = ends.flatMap((end, place) => {
    const start = (found[place - 1] ?? first - 1) + 1;
    return start < end ? [gap(problem, start, end - 1, null)] : [];
  });
  return [...filled, ...left];
}

function gap(problem: Problem, first: number, last: number, repair: Repair | null): Problem {
  const missing = first === last ? `message ${first} is` : `messages ${first} to ${last} are`;
  return { ...problem, seq: first, last, message: `${missing} missing`, repair };
}

async function findRepairs(searched: Searched, broken: BrokenMessages): Promise<Repairs> {
  const repairs = new Map<number, Repair>();
  const { conversation, countTokens } = searched;
  const lines = await wantedLines(searched, broken);
  if (lines.size === 0) return repairs;
  const transcripts = await searched.scoped.transcripts(conversation.id);
  for (const [from, transcript] of new Map(transcripts.map((one) => [one.path, one]))) {
    const toRow = await rowReader(searched.scoped, conversation.id, transcript.format, countTokens);
    try {
      for await (const { bytes } of readLines(from))
        for (const { seq, isRowLost, keys } of lines.get(sha256(bytes)) ?? []) {
          const content = decodeExactly(bytes) ?? bytes.slice();
          const row = isRowLost ? toRow(seq, bytes, keys()) : null;
          if (!isRowLost || row !== null)
            repairs.set(seq, { kind: "restore-message", seq, content, row, from });
        }
    } catch (error) {
      // The transcript is missing or not readable by this user: the damage stays reported.
      if (!isPalimpsestError(error)) throw error;
    }
  }
  return repairs;
}

interface WantedLine {
  readonly seq: number;
  /** The row is lost, not only the content. */
  readonly isRowLost: boolean;
  /** Possible keys of the message. */
  readonly keys: () => string[];
}

/** The lines that contained the damaged messages, by hash. */
async function wantedLines(
  { scoped, conversation: { id } }: Searched,
  broken: BrokenMessages,
): Promise<ReadonlyMap<string, readonly WantedLine[]>> {
  const lines = new Map<string, WantedLine[]>();
  /** Messages with the same id or content, which differ in the ends of their keys. */
  const alike = new Map<string, Set<number>>();
  for (const transcript of await scoped.transcripts(id)) {
    const page = (from: number) => scoped.transcriptLines(id, { transcript: transcript.number, from });
    for await (const { seq, hash, entryKey, origin } of everyRow(page)) {
      if (seq === null || hash === null) continue;
      const name = entryKey ?? hash;
      const same = alike.get(name) ?? new Set<number>();
      alike.set(name, same.add(seq));
      const problem = broken.problemWith(seq);
      if (problem === undefined || (origin === null && problem !== "content")) continue;
      const toKey = (n: number) => (entryKey === null ? contentKey(hash, n) : versionKey(entryKey, n));
      const keys = () => Array.from({ length: same.size + 1 }, (_, index) => toKey(index + 1));
      lines.set(hash, [...(lines.get(hash) ?? []), { seq, isRowLost: origin !== null, keys }]);
    }
  }
  return lines;
}

/** Null for a line that is not a message. */
type ToRow = (seq: number, bytes: Uint8Array, keys: readonly string[]) => RestoredRow | null;

/** Rebuilds the row of a message as the import made it, without data stored beside the line. */
async function rowReader(
  scoped: ScopedStore,
  conversation: string,
  formatName: MessageFormat,
  countTokens: CountTokens,
): Promise<ToRow> {
  const format = transcriptFormat(formatName);
  const files = await filesBySeq(scoped, conversation);
  return (seq, bytes, keys) => {
    const shape = format === undefined ? null : readEntryLine(format, bytes, true).shape;
    if (shape === null) return null;
    const { role, parts } = shape;
    const message = { format: formatName, tokenCount: countPartTokens(parts, countTokens) };
    const tokens = withFiles(message, bytes, files.get(seq) ?? [], countTokens);
    return { role, format: formatName, parts: indexParts(parts), keys, ...tokens };
  };
}

async function filesBySeq(scoped: ScopedStore, conversation: string): Promise<Map<number, StoredFile[]>> {
  const files: StoredFile[] = [];
  const page = (from: number) => scoped.files({ conversation, ...(from === 0 ? {} : { from }) });
  for await (const file of everyRow(page)) if (file.places.length > 0) files.push(file);
  return Map.groupBy(
    files.toSorted((a, b) => a.ordinal - b.ordinal),
    ({ seq }) => seq,
  );
}

function withFiles(
  message: Parameters<typeof tokensWithFiles>[0],
  original: Uint8Array,
  files: readonly StoredFile[],
  countTokens: CountTokens,
): Pick<RestoredRow, "tokenCount" | "stubTokenCount"> {
  const shown = files.map((file) => ({ ...file, reference: referenceOf(file) }));
  try {
    return tokensWithFiles(message, cutPayloads(original, shown), shown, countTokens);
  } catch (error) {
    if (!isPalimpsestError(error)) throw error;
    // Its files are not at the positions in their rows: the message is kept whole then.
    return { tokenCount: message.tokenCount, stubTokenCount: null };
  }
}

/** The messages of a conversation that differ from what was stored, to be searched elsewhere. */
class BrokenMessages {
  /** For existing rows: whether the content does not match its digest, or the row does not match its hash. */
  readonly #rows: ReadonlyMap<number, "content" | "row">;
  readonly #missing: readonly (readonly [number, number])[];

  private constructor(
    rows: ReadonlyMap<number, "content" | "row">,
    missing: readonly (readonly [number, number])[],
  ) {
    this.#rows = rows;
    this.#missing = missing;
  }

  /** `unlikeLines`: messages whose rows differ from the lines they were imported from. */
  static async find(
    scoped: ScopedStore,
    conversation: StoredConversation,
    unlikeLines: ReadonlySet<number>,
  ): Promise<BrokenMessages> {
    const rows = new Map<number, "content" | "row">();
    const missing: [number, number][] = [];
    let before = { seq: 0, hash: "" };
    for await (const message of readableMessages(scoped, conversation, () => {})) {
      const { seq, content, erasedAt } = message;
      const isAfterGap = seq !== before.seq + 1;
      if (isAfterGap) missing.push([before.seq + 1, seq - 1]);
      const isBlank = content === null && erasedAt === null;
      if (isBlank || !matchesDigest(message)) rows.set(seq, "content");
      else if (unlikeLines.has(seq)) rows.set(seq, "row");
      // After a damaged message, the hash cannot be verified.
      else if (!isAfterGap && !rows.has(before.seq) && !follows(before.hash, message)) rows.set(seq, "row");
      before = message;
    }
    if (before.seq < conversation.messageCount) missing.push([before.seq + 1, conversation.messageCount]);
    return new BrokenMessages(rows, missing);
  }

  /** Undefined for a message without a known problem. */
  problemWith(seq: number): "content" | "row" | "missing" | undefined {
    const isMissing = this.#missing.some(([first, last]) => seq >= first && seq <= last);
    return isMissing ? "missing" : this.#rows.get(seq);
  }
}

function follows(
  before: string,
  message: Parameters<typeof chainHash>[1] & { digest: string; hash: string },
) {
  return chainHash(before, message, message.digest) === message.hash;
}
