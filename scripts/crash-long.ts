/**
 * The long form of the crash test: kills a writing process some thousand times and checks the store each time.
 *
 *   node scripts/with-node.mjs scripts/crash-long.ts [rounds=2000] [sqlite|postgres|both=both] [seed] [conversations|memory]
 *
 * The seed is printed; with the same seed, operations and kill times are the same.
 */
import { randomBytes } from "node:crypto";
import { type CrashReport, runCrashRounds } from "../test/crash/run-crash-rounds.ts";
import { type MemoryCrashReport, runMemoryCrashRounds } from "../test/crash/run-memory-crash-rounds.ts";
import { type StoreKind, storeKinds } from "../test/crash/store-kinds.ts";
import { startPostgres } from "../test/start-postgres.ts";

type Report = CrashReport | MemoryCrashReport;
interface CrashOptions {
  readonly kind: StoreKind;
  readonly rounds: number;
  readonly seed: string;
  readonly onRound: (report: Report) => void;
}
type RunRounds = (options: CrashOptions) => Promise<Report>;

const SUBJECTS = { conversations: runCrashRounds, memory: runMemoryCrashRounds };
const STORES = { sqlite: ["SQLite"], postgres: ["PostgreSQL"], both: ["SQLite", "PostgreSQL"] };
const PROGRESS_EVERY = 25;

async function main([
  rounds = "2000",
  store = "both",
  seed = randomBytes(4).toString("hex"),
  what = "conversations",
]: string[]) {
  const names = new Map(Object.entries(STORES)).get(store);
  const runRounds = new Map<string, RunRounds>(Object.entries(SUBJECTS)).get(what);
  if (names === undefined || runRounds === undefined || !/^[1-9]\d*$/.test(rounds))
    throw new Error(
      "usage: crash-long.ts [rounds=2000] [sqlite|postgres|both] [seed] [conversations|memory]",
    );
  console.log(`seed ${seed}`);
  const server = names.includes("PostgreSQL") ? await startPostgres() : undefined;
  try {
    for (const kind of storeKinds(server?.url ?? ""))
      if (names.includes(kind.name)) await run(runRounds, { kind, rounds: Number(rounds), seed });
  } finally {
    await server?.stop();
  }
}

async function run(runRounds: RunRounds, options: Omit<CrashOptions, "onRound">): Promise<void> {
  const { kind, rounds } = options;
  const started = Date.now();
  const onRound = (report: Report) => {
    if (report.rounds % PROGRESS_EVERY !== 0 && report.rounds !== rounds) return;
    const seconds = Math.round((Date.now() - started) / 1000);
    const { acknowledged, inFlight, happened } = report;
    console.log(
      `${kind.name} ${report.rounds}/${rounds} kills in ${seconds} s: ${acknowledged} operations acknowledged, ` +
        `${inFlight} interrupted (${happened} of them had happened), ${heldIn(report)}`,
    );
  };
  await runRounds({ ...options, onRound });
  console.log(`${kind.name}: nothing was lost, halved or doubled`);
}

function heldIn(report: Report): string {
  return "messages" in report
    ? `${report.messages} messages in ${report.conversations} conversations`
    : `${report.memories} memories`;
}

// A regular exit stops the server; the writing processes end when their pipe closes.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
await main(process.argv.slice(2));
