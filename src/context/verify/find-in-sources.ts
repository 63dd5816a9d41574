/**
 * Messages that are damaged or missing here and still in the transcript that they were imported from. The hash of the line
 * decides whether the file still holds what was read, wherever the line is in it by now.
 */
import { isPalimpsestError } from "../../errors.ts";
import { everyRow } from "../../store/every-row.ts";
import { versionKey } from "../../store/seal.ts";
import type { ScopedStore, StoredConversation } from "../../store/store.ts";
import type { CountTokens } from "../../text/estimate-tokens.ts";
import { sha256 } from "../../text/hash.ts";
import { decodeExactly } from "../../text/utf8.ts";
import { contentKey } from "../ingest/transcripts/import-lines.ts";
import { readLines } from "../ingest/transcripts/read-lines.ts";
import { BrokenMessages } from "./broken-messages.ts";
import { checkChain } from "./check-chain.ts";
import { checkTranscripts } from "./check-transcripts.ts";
import type { Problem, RepairAction } from "./integrity.ts";
import { rowReader } from "./row-of-line.ts";

interface Searched {
  readonly scoped: ScopedStore;
  readonly conversation: StoredConversation;
  readonly countTokens: CountTokens;
}

/** Problems with messages, with the way to mend them where there is one. */
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

/** A row is proven by the message before it: behind one that stays lost, none can be written. */
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
  // Of a message that is damaged, its files and its line are not what they were either.
  const isBroken = broken.problemWith(seq) !== undefined;
  const own = isBroken ? repairs.get(seq) : check === checkChain.name ? repairs.get(seq - 1) : undefined;
  return [{ ...problem, repair: own ?? null }];
}

/** What of a gap can be filled, message by message, and what is left of it. */
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
      // The transcript is gone, or closed to this user: what is damaged stays reported.
      if (!isPalimpsestError(error)) throw error;
    }
  }
  return repairs;
}

interface WantedLine {
  readonly seq: number;
  /** Not only the content. */
  readonly isRowLost: boolean;
  /** Keys that the message may have had. */
  readonly keys: () => string[];
}

/** The lines that broken messages came in, by their hashes. */
async function wantedLines(
  { scoped, conversation: { id } }: Searched,
  broken: BrokenMessages,
): Promise<ReadonlyMap<string, readonly WantedLine[]>> {
  const lines = new Map<string, WantedLine[]>();
  /** Messages that have an id or a content in common, and are told apart by the ends of their keys. */
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
