const BAR_WIDTH = 20;

/** How much of it is done, as a bar. */
export function bar(done: number, total: number): string {
  const filled = total === 0 ? BAR_WIDTH : Math.min(BAR_WIDTH, Math.round((done / total) * BAR_WIDTH));
  return "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
}
