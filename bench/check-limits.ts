/** Compares figures with their limits. The last line says how many held; the process fails when one did not. */
export type Limit = { readonly atLeast: number } | { readonly atMost: number };

let passed = 0;
let failed = 0;

/** How a table shows the outcome: `≥ 0.50 ok` or `≤ 1.30 MISSED`. */
export function checkLimit(value: number, limit: Limit): string {
  const isKept = "atLeast" in limit ? value >= limit.atLeast : value <= limit.atMost;
  if (isKept) passed++;
  else failed++;
  return `${showLimit(limit)} ${isKept ? "ok" : "MISSED"}`;
}

function showLimit(limit: Limit): string {
  return "atLeast" in limit ? `≥ ${limit.atLeast}` : `≤ ${limit.atMost}`;
}

export function finish(): void {
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
