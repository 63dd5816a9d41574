/** The command: reads the arguments, runs one command, gives the exit code. Translates and nothing else. */
import { packageVersion } from "../operations/version.ts";

/** The launcher and the terminal may both pass the same Ctrl-C on; this much later it is another one. */
const SAME_SIGNAL_MS = 250;

export async function main(argv: readonly string[]): Promise<number> {
  // Asked often and by scripts: answered without loading anything.
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
    process.stdout.write(`${packageVersion()}\n`);
    return 0;
  }
  const stop = new AbortController();
  const forget = stopOnSignals(stop);
  try {
    const { runProgram } = await import("./program.ts");
    return await runProgram(argv, stop.signal);
  } finally {
    forget();
  }
}

/** The first Ctrl-C lets the running batch finish; the second ends the process. */
function stopOnSignals(stop: AbortController): () => void {
  let stoppedAt = 0;
  const onSignal = () => {
    if (stop.signal.aborted && Date.now() - stoppedAt > SAME_SIGNAL_MS) process.exit(130);
    stoppedAt ||= Date.now();
    stop.abort();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, onSignal);
  return () => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, onSignal);
  };
}
