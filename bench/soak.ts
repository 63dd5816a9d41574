/**
 * Whether memory stays flat while an engine works for long: conversations that grow, compaction, assembly, searches and
 * memories, at a steady pace. The most memory used later is compared with the memory after the first sixth of the time: ten
 * minutes of an hour.
 *
 *   node bench/soak.ts [--minutes 60] [--conversations 64] [--turns 20]
 *
 * `--turns` is the number of turns a second. Prints a line a minute that says where the memory is: private memory and mapped
 * files of the process (on Linux), and of the private memory the heap and the buffers of the main thread. The rest of it
 * belongs to the threads of the store and of compaction.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { open } from "../src/engine.ts";
import { checkLimit, DISK, figure, finish, printTable, temporaryFolder } from "./measure.ts";
import { StandardWorkload, type Turn, WORKLOAD_FILE } from "./standard-workload.ts";

const GROWTH = { atMost: 1.1 };
const MEGABYTE = 1024 * 1024;

const { values: options } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    conversations: { type: "string", default: "64" },
    turns: { type: "string", default: "20" },
    workload: { type: "string", default: WORKLOAD_FILE },
  },
});
const minutes = Number(options.minutes);
const conversations = Number(options.conversations);
const pace = Number(options.turns);

interface Sample {
  readonly at: number;
  readonly resident: number;
  /** The part that is mapped from files, and can be read again from them. */
  readonly mapped: number;
  readonly heap: number;
  readonly buffers: number;
}

function sample(started: number): Sample {
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  const at = (performance.now() - started) / 60_000;
  return {
    at,
    resident: rss / MEGABYTE,
    mapped: mappedMegabytes(),
    heap: heapUsed / MEGABYTE,
    buffers: arrayBuffers / MEGABYTE,
  };
}

const PROCESS_STATUS = "/proc/self/status";

function mappedMegabytes(): number {
  if (!existsSync(PROCESS_STATUS)) return 0;
  const kilobytes = /^RssFile:\s+(\d+)/mu.exec(readFileSync(PROCESS_STATUS, "utf8"))?.[1];
  return Number(kilobytes ?? 0) / 1024;
}

const folder = temporaryFolder(DISK);
const engine = await open({ store: folder, config: { contextBudget: 16_000, logLevel: "silent" } });
const workload = await StandardWorkload.load(options.workload);
/** Said again and again under new keys, so that the material itself takes the same memory all the time. */
const material: readonly Turn[] = [...workload.turns({ messages: 4_000, convs: 1 })];
const words = workload.queries({ messages: 4_000, convs: 1 });
const samples: Sample[] = [];
const started = performance.now();
let turns = 0;

async function oneTurn(): Promise<void> {
  const number = turns++;
  const conversation = `soak-${number % conversations}`;
  const { messages } = material[number % material.length] ?? { messages: [] };
  await engine.context.commitTurn({ conversation, key: `turn-${number}`, messages });
  if (number % 4 === 0)
    await engine.context.assemble({ conversation, prompt: "What was decided about the cache?" });
  if (number % 5 === 0)
    await engine.context.grep({ pattern: words.common[number % words.common.length] ?? "error" });
  if (number % 50 === 0)
    await engine.memory.store({ text: `Service ${number} listens on port ${number + 1_000}` });
  if (number % 25 === 0) await engine.memory.recall({ query: `Which port has service ${number - 50}?` });
}

for (let minute = 0; minute < minutes; ) {
  const due = started + (turns / pace) * 1_000 - performance.now();
  if (due > 1) await delay(due);
  await oneTurn();
  if (performance.now() - started < (minute + 1) * 60_000) continue;
  minute++;
  samples.push(sample(started));
  const last = samples.at(-1);
  if (last !== undefined)
    console.log(
      `${minute} min: ${turns} turns, ${figure(last.resident)} MB resident, ${figure(last.mapped)} of it mapped files, heap ${figure(last.heap)}, buffers ${figure(last.buffers)}`,
    );
}
await engine.close();
rmSync(folder, { recursive: true, force: true });

const warm = samples[Math.max(0, Math.ceil(samples.length / 6) - 1)]?.resident ?? 0;
const most = Math.max(...samples.map(({ resident }) => resident));
printTable(
  ["memory", "", "limit"],
  [
    ["after warming up, MB", figure(warm), ""],
    ["most, MB", figure(most), ""],
    ["growth", figure(most / warm), checkLimit(most / warm, GROWTH)],
  ],
);
finish();
