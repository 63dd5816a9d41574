/**
 * Chooses the items that are shown. Pure. It takes the newest items that fit and never separates a tool call from
 * its result. The cut moves in steps of a share of the budget, not with every turn, so that the previous context
 * stays a prefix of the next.
 */
export interface Candidate {
  readonly tokens: number;
  readonly toolCalls: readonly string[];
  readonly toolResults: readonly string[];
}

/** The cut moves by this share of the budget at a time. */
export const CUT_STEP_SHARE = 1 / 8;

interface Room {
  /** Tokens of the context before the candidates: equal histories give equal cuts. */
  readonly before: number;
  readonly budget: number;
  /** Steps to take beyond the first cut that fits by estimate. Default 0. */
  readonly extraSteps?: number;
}

interface Cut {
  /** Index of the first shown item. */
  readonly index: number;
  /** Tokens, in whole steps, that a large item left free: newer items need them only after as many steps. */
  readonly spare: number;
}

/** The newest item is always shown, together with its tool pairs. */
export function chooseCut(candidates: readonly Candidate[], { before, budget, extraSteps = 0 }: Room): Cut {
  const total = before + candidates.reduce((sum, candidate) => sum + candidate.tokens, 0);
  const step = Math.max(1, Math.floor(budget * CUT_STEP_SHARE));
  const from = (Math.max(0, Math.ceil((total - budget) / step)) + extraSteps) * step;
  if (from === 0) return { index: 0, spare: 0 };
  let position = before;
  let first = 0;
  for (const { tokens } of candidates) {
    if (position >= from) break;
    position += tokens;
    first++;
  }
  const cut = wholePairs(candidates, first);
  const index = cut < candidates.length ? cut : newestUnit(candidates);
  const shown = candidates.slice(index).reduce((sum, { tokens }) => sum + tokens, 0);
  return { index, spare: Math.max(0, Math.floor((total - shown - from) / step) * step) };
}

/** Moves the cut until no tool pair is split. */
function wholePairs(candidates: readonly Candidate[], cut: number): number {
  const lastSeen = new Map<string, number>();
  candidates.forEach((candidate, index) => {
    for (const id of callsOf(candidate)) lastSeen.set(id, index);
  });
  let safe = cut;
  for (let index = 0; index < safe; index++)
    for (const id of callsOf(candidates[index])) safe = Math.max(safe, (lastSeen.get(id) ?? 0) + 1);
  return safe;
}

/** The last item and everything from the first item that shares a tool call with it. */
export function newestUnit(candidates: readonly Candidate[]): number {
  const last = Math.max(0, candidates.length - 1);
  // Most histories end with a message that neither calls a tool nor answers a call.
  if (callsOf(candidates[last]).length === 0) return last;
  const firstSeen = new Map<string, number>();
  candidates.forEach((candidate, index) => {
    for (const id of callsOf(candidate)) if (!firstSeen.has(id)) firstSeen.set(id, index);
  });
  let start = last;
  for (let index = last; index >= start; index--)
    for (const id of callsOf(candidates[index])) start = Math.min(start, firstSeen.get(id) ?? index);
  return start;
}

const NONE: readonly string[] = [];

/** The ids of the tool calls that an item makes or answers. */
function callsOf({ toolCalls, toolResults }: Candidate = { tokens: 0, toolCalls: NONE, toolResults: NONE }) {
  if (toolResults.length === 0) return toolCalls;
  return toolCalls.length === 0 ? toolResults : [...toolCalls, ...toolResults];
}
