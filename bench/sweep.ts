/**
 * A full sweep over the standard workload: plan, read, summarise, check, publish, until nothing is left to compact.
 * With an immediate model only our own work counts, the fidelity check included; the offline summariser
 * is shown next to it. Each sweep runs in a process of its own, on a copy of the same store, so that memory is its
 * own; the summarisers take turns.
 *
 *   node bench/sweep.ts [--messages 10000] [--rounds 3] [--workload <file>] [--built]
 *
 * `--messages 10000,100000` also says how the rate changes with the size. `--built` measures `dist/`, which is what
 * users run: from sources, starting the thread that compacts takes several times as long.
 */
import { execFileSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { open } from "../src/engine.ts";
import {
  checkLimit,
  DISK,
  figure,
  finish,
  inFlight,
  median,
  printTable,
  temporaryFolder,
} from "./measure.ts";
import { StandardWorkload, WORKLOAD_FILE } from "./standard-workload.ts";
import type { SummariserName, SweepReport } from "./sweep-in-child.ts";

/** Messages a second. */
const LIMIT = 5_000;
const IN_FLIGHT = 256;
const SOURCES = new URL("../src/index.ts", import.meta.url).href;
const BUILT = new URL("../dist/index.js", import.meta.url).href;
const CHILD = fileURLToPath(new URL("./sweep-in-child.ts", import.meta.url));
const SUMMARISERS: readonly SummariserName[] = ["instant model", "offline"];

const { values: options } = parseArgs({
  options: {
    messages: { type: "string", default: "10000" },
    rounds: { type: "string", default: "3" },
    workload: { type: "string", default: WORKLOAD_FILE },
    built: { type: "boolean", default: false },
  },
});

async function committedStore(workload: StandardWorkload, messages: number): Promise<string> {
  const folder = temporaryFolder(DISK);
  const engine = await open({ store: folder, background: "off" });
  await inFlight(workload.turns({ messages }), IN_FLIGHT, ({ key, messages: turn }) =>
    engine.context.commitTurn({ conversation: "sweep", key, messages: turn }),
  );
  await engine.close();
  return folder;
}

function sweepCopy(store: string, summariser: SummariserName): SweepReport {
  const copy = path.join(temporaryFolder(DISK), "store");
  cpSync(store, copy, { recursive: true });
  const program = options.built ? BUILT : SOURCES;
  const output = execFileSync(process.execPath, [CHILD, copy, summariser, program], { encoding: "utf8" });
  rmSync(copy, { recursive: true, force: true });
  return JSON.parse(output);
}

interface Measured {
  readonly messages: number;
  readonly summariser: SummariserName;
  readonly rounds: SweepReport[];
}

const middle = (rounds: readonly SweepReport[], read: (report: SweepReport) => number) =>
  median(rounds.map(read));
const rateOf = ({ messages, wallMs }: SweepReport) => messages / (wallMs / 1000);

function row({ messages, summariser, rounds }: Measured): string[] {
  const rate = middle(rounds, rateOf);
  const rates = rounds.map(rateOf);
  return [
    figure(messages),
    summariser,
    figure(middle(rounds, ({ passes }) => passes)),
    figure(middle(rounds, ({ accepted, passes }) => accepted / passes)),
    figure(middle(rounds, ({ tokensBefore, tokensAfter }) => tokensAfter / tokensBefore)),
    figure(middle(rounds, ({ cpuMs, messages: done }) => (cpuMs * 1000) / done)),
    figure(middle(rounds, ({ modelMs, wallMs }) => modelMs / wallMs)),
    figure(middle(rounds, ({ peakMb }) => peakMb)),
    figure(middle(rounds, ({ peakMb, beforeMb }) => peakMb - beforeMb)),
    figure(rate),
    `${figure(Math.min(...rates))}–${figure(Math.max(...rates))}`,
    figure(rate / LIMIT),
    summariser === "offline" ? "reported" : `${figure(LIMIT)}/s ${checkLimit(rate / LIMIT, { atLeast: 1 })}`,
  ];
}

/** How the rate changes with the size: 1 when each message costs the same. */
function growthRow(all: readonly Measured[], summariser: SummariserName): string[] {
  const own = all.filter((measured) => measured.summariser === summariser);
  const [small, large] = [own[0], own.at(-1)];
  if (small === undefined || large === undefined || small === large) return [];
  const ratio = (read: (report: SweepReport) => number) =>
    figure(middle(large.rounds, read) / middle(small.rounds, read));
  const sizes = `${figure(large.messages)} / ${figure(small.messages)}`;
  return [
    summariser,
    sizes,
    ratio(rateOf),
    ratio(({ cpuMs, messages }) => cpuMs / messages),
    ratio(({ peakMb }) => peakMb),
  ];
}

const workload = await StandardWorkload.load(options.workload);
const all: Measured[] = [];
for (const messages of options.messages.split(",").map(Number)) {
  const store = await committedStore(workload, messages);
  const own = SUMMARISERS.map((summariser): Measured => ({ messages, summariser, rounds: [] }));
  for (let round = 0; round < Number(options.rounds); round++)
    for (const { summariser, rounds } of own) rounds.push(sweepCopy(store, summariser));
  rmSync(store, { recursive: true, force: true });
  all.push(...own);
}
printTable(
  [
    "messages",
    "summaries by",
    "passes",
    "first answers taken",
    "tokens left",
    "CPU µs a message",
    "model's share",
    "peak RSS MB",
    "growth MB",
    "messages/s",
    "spread",
    "/ limit",
    "limit",
  ],
  all.map(row),
);
const growth = SUMMARISERS.map((summariser) => growthRow(all, summariser)).filter(
  (cells) => cells.length > 0,
);
if (growth.length > 0) {
  console.log();
  printTable(["summaries by", "messages", "rate ratio", "CPU a message", "peak RSS"], growth);
}
finish();
