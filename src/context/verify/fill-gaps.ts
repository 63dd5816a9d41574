/**
 * Plans how uncovered messages return to the context: through summaries that cover only a part of a
 * gap, highest first, and raw where there is none.
 */
import { isDeepStrictEqual } from "node:util";
import { everyRow } from "../../store/every-row.ts";
import type { ScopedStore } from "../../store/store.ts";
import { seqsUnder } from "../read/seqs-under.ts";
import type { ReportProblem } from "./integrity.ts";

interface Candidate {
  readonly id: string;
  readonly seqs: readonly number[];
}

export async function fillGaps(
  scoped: ScopedStore,
  conversation: string,
  gaps: readonly (readonly number[])[],
  unfit: ReadonlySet<string>,
  report: ReportProblem,
): Promise<void> {
  if (gaps.length === 0) return;
  const open = new Set(gaps.flat());
  const candidates = await findCandidates(scoped, conversation, gaps, unfit);
  // Candidates are ordered by depth and age: of several for one place, the last is the highest and newest.
  for (const { id, seqs } of candidates.toReversed()) {
    const first = seqs[0];
    if (first === undefined || !seqs.every((seq) => open.has(seq))) continue;
    for (const seq of seqs) open.delete(seq);
    report({
      seq: first,
      message: `the context does not contain ${id}, as it should, for messages ${first} to ${seqs.at(-1)}`,
      repair: { kind: "add-context-summary", summary: id },
    });
  }
  for (const seq of open)
    report({
      seq,
      message: "the context does not contain it as it should, and no exclusion is on record",
      repair: { kind: "add-context-item", seq },
    });
}

/** Intact summaries with text, whose messages are consecutive within one of the gaps. */
async function findCandidates(
  scoped: ScopedStore,
  conversation: string,
  gaps: readonly (readonly number[])[],
  unfit: ReadonlySet<string>,
): Promise<Candidate[]> {
  const places = new Map(gaps.flatMap((gap) => gap.map((seq, index) => [seq, { gap, index }] as const)));
  const candidates: Candidate[] = [];
  for await (const summary of everyRow((from) => scoped.summaries(conversation, { from }))) {
    if (unfit.has(summary.id)) continue;
    const [first, last] = [places.get(summary.firstSeq), places.get(summary.lastSeq)];
    if (first === undefined || last?.gap !== first.gap || summary.content === null) continue;
    const seqs = await seqsUnder(scoped, summary);
    if (isDeepStrictEqual(first.gap.slice(first.index, last.index + 1), seqs))
      candidates.push({ id: summary.id, seqs });
  }
  return candidates;
}
