/** A term in more than this share of the statements does not distinguish them. */
const COMMON = 0.12;
/** With fewer statements, shares are not meaningful. */
const ENOUGH = 40;

/**
 * The weight of each term of a conversation: it grows with the statements that share it and falls with its frequency,
 * which sums to the centrality of a statement among all others without comparing pairs.
 */
export function termWeights(
  statements: readonly { readonly terms: readonly string[]; readonly speaker: string }[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const spoken = statements.filter(({ speaker }) => speaker !== "tool");
  for (const { terms } of spoken) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const total = Math.max(2, spoken.length);
  const weights = new Map<string, number>();
  let highest = 0;
  for (const [term, count] of counts) {
    if (count < 2 || (total >= ENOUGH && count > total * COMMON)) continue;
    const weight = Math.sqrt(count) * Math.log(total / count);
    weights.set(term, weight);
    highest = Math.max(highest, weight);
  }
  for (const [term, weight] of weights) weights.set(term, weight / highest);
  return weights;
}
