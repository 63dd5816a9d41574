/**
 * The long form of the crash test: kills a writing process some thousand times and checks the store each time.
 *
 *   node scripts/with-node.mjs scripts/crash-long.ts [rounds=2000] [sqlite|postgres|both=both] [seed]
 *
 * The seed is printed; given again, the processes choose their operations and the moments of the kills alike.
 */
import { randomBytes } from "node:crypto";
import { type CrashReport, runCrashRounds } from "../test/crash/run-crash-rounds.ts";
import { type StoreKind, storeKinds } from "../test/crash/store-kinds.ts";
import { startPostgres } from "../test/start-postgres.ts";

const STORES = { sqlite: ["SQLite"], postgres: ["PostgreSQL"], both: ["SQLite", "PostgreSQL"] };
const PROGRESS_EVERY = 25;

async function main([rounds = "2000", store = "both", seed = randomBytes(4).toString("hex")]: string[]) {
  const names = new Map(Object.entries(STORES)).get(store);
  if (names === undefined || !/^[1-9]\d*$/.test(rounds))
    throw new Error("usage: crash-long.ts [rounds=2000] [sqlite|postgres|both] [seed]");
  console.log(`seed ${seed}`);
  const server = names.includes("PostgreSQL") ? await startPostgres() : undefined;
  try {
    for (const kind of storeKinds(server?.url ?? ""))
      if (names.includes(kind.name)) await run(kind, Number(rounds), seed);
  } finally {
    await server?.stop();
  }
}

async function run(kind: StoreKind, rounds: number, seed: string): Promise<void> {
  const started = Date.now();
  const onRound = (report: CrashReport) => {
    if (report.rounds % PROGRESS_EVERY !== 0 && report.rounds !== rounds) return;
    const seconds = Math.round((Date.now() - started) / 1000);
    console.log(
      `${kind.name} ${report.rounds}/${rounds} kills in ${seconds} s: ${report.acknowledged} operations acknowledged, ` +
        `${report.inFlight} interrupted (${report.happened} of them had happened), ` +
        `${report.messages} messages in ${report.conversations} conversations`,
    );
  };
  await runCrashRounds({ kind, rounds, seed, onRound });
  console.log(`${kind.name}: nothing was lost, halved or doubled`);
}

await main(process.argv.slice(2));
