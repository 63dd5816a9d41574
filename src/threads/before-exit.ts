/** What is done when the process ends. One listener stands for all: Node takes many for a leak, and says so. */
const waiting = new Set<() => void>();

export function beforeExit(run: () => void): void {
  if (waiting.size === 0) process.once("exit", runAll);
  waiting.add(run);
}

export function notBeforeExit(run: () => void): void {
  waiting.delete(run);
  if (waiting.size === 0) process.removeListener("exit", runAll);
}

function runAll(): void {
  for (const run of waiting) run();
}
