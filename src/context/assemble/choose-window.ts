/**
 * Which items are shown. Pure. The newest that fit, cut where no tool pair lies on both sides. The cut moves in
 * steps of a share of the budget and not with every turn, so that what was sent before stays a prefix of what is
 * sent next.
 */
export interface Candidate {
  readonly tokens: number;
  readonly toolCalls: readonly string[];
  readonly toolResults: readonly string[];
}

/** The cut moves by this share of the budget at a time. */
const STEP_SHARE = 1 / 8;

/**
 * Index of the first item that is shown. `before` are the tokens of the context that stand before the
 * candidates: positions count from the start of the context, so that equal histories give equal cuts.
 */
export function chooseCut(candidates: readonly Candidate[], before: number, budget: number): number {
  const total = before + candidates.reduce((sum, candidate) => sum + candidate.tokens, 0);
  if (total <= budget) return 0;
  const step = Math.max(1, Math.floor(budget * STEP_SHARE));
  const from = Math.ceil((total - budget) / step) * step;
  let position = before;
  let index = 0;
  while (index < candidates.length - 1 && position < from) position += candidates[index++]?.tokens ?? 0;
  return wholePairs(candidates, index);
}

/** Moves on until no shown item answers or is answered by one that is not shown. */
function wholePairs(candidates: readonly Candidate[], cut: number): number {
  const lastSeen = new Map<string, number>();
  candidates.forEach((candidate, index) => {
    for (const id of idsOf(candidate)) lastSeen.set(id, index);
  });
  let safe = cut;
  for (let index = 0; index < safe; index++)
    for (const id of idsOf(candidates[index])) safe = Math.max(safe, (lastSeen.get(id) ?? 0) + 1);
  return safe;
}

function idsOf(candidate: Candidate | undefined): string[] {
  return candidate === undefined ? [] : [...candidate.toolCalls, ...candidate.toolResults];
}
