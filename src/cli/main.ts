/** The command: reads the arguments, runs one command, returns the exit code. Contains no other behaviour. */
import { packageVersion } from "../package-version.ts";
import { type StandardStreams, Terminal } from "./terminal.ts";

/** Exit codes of shells for a program that a signal ended. */
const STOPPED_BY = { SIGINT: 130, SIGTERM: 143 } as const;
type StopSignal = keyof typeof STOPPED_BY;
const STOP_SIGNALS: readonly StopSignal[] = ["SIGINT", "SIGTERM"];

/** The launcher and the terminal may both forward one Ctrl-C; after this time it counts as another one. */
const SAME_SIGNAL_MS = 250;

export async function main(argv: readonly string[], streams: StandardStreams = process): Promise<number> {
  const terminal = new Terminal(streams);
  // Often called by scripts, so nothing is loaded.
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
    await terminal.write(`${packageVersion()}\n`);
    return unlessUnwritten(0, terminal);
  }
  const stop = new AbortController();
  const signals = stopOnSignals(stop, terminal);
  try {
    const { runProgram } = await import("./program.ts");
    const code = await runProgram(argv, terminal, stop.signal);
    const ended =
      code === STOPPED_BY.SIGINT && signals.first !== undefined ? STOPPED_BY[signals.first] : code;
    return await unlessUnwritten(ended, terminal);
  } finally {
    signals.forget();
  }
}

/** The exit code; another one, with a reason, if not all output could be written. */
async function unlessUnwritten(code: number, terminal: Terminal): Promise<number> {
  if (terminal.failure === undefined) return code;
  const { reportUnwritten } = await import("./report-error.ts");
  return reportUnwritten(terminal.failure, terminal);
}

interface Signals {
  /** The signal that stopped the command, if there was one. */
  readonly first: StopSignal | undefined;
  forget(): void;
}

/** The first Ctrl-C lets the running batch finish; the second ends the process, unless a pager receives it. */
function stopOnSignals(stop: AbortController, terminal: Terminal): Signals {
  let first: StopSignal | undefined;
  let stoppedAt = 0;
  const onSignal = (signal: StopSignal) => {
    const isAnother = first !== undefined && Date.now() - stoppedAt > SAME_SIGNAL_MS;
    // Ctrl-C belongs to the pager; other signals end the process without waiting for it.
    const isForPager = signal === "SIGINT" && terminal.isPaging;
    if (!isForPager && (isAnother || terminal.isPaging)) endNow(signal);
    if (first !== undefined) return;
    first = signal;
    stoppedAt = Date.now();
    stop.abort();
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  return {
    get first() {
      return first;
    },
    forget: () => {
      for (const signal of STOP_SIGNALS) process.off(signal, onSignal);
    },
  };
}

/** Ends by the signal itself, since a regular exit would wait for the store's threads, which may be waiting for a disk. */
function endNow(signal: StopSignal): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
