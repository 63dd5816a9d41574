/**
 * Times describing a summary or a message, and opening a summary three levels down, in conversations of ten thousand to a
 * million messages under a graph of summaries. The stores are those of `assemble.ts`, kept in the system's temporary
 * folder.
 *
 *   node bench/describe.ts [--messages 10000,100000,1000000] [--calls 200] [--workload <file>]
 */
import { parseArgs } from "node:util";
import { type Engine, open } from "../src/engine.ts";
import { foldedStore } from "./folded-store.ts";
import { checkLimit, figure, finish, printTable, quantile } from "./measure.ts";
import { StandardWorkload, WORKLOAD_FILE } from "./standard-workload.ts";

const DESCRIBE_MS = { atMost: 2 };
const EXPAND_MS = { atMost: 10 };
const WARM_UP_CALLS = 20;
const LEVELS = 3;

const { values: options } = parseArgs({
  options: {
    messages: { type: "string", default: "10000,100000,1000000" },
    calls: { type: "string", default: "200" },
    workload: { type: "string", default: WORKLOAD_FILE },
  },
});

async function timesOf(call: (index: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let index = -WARM_UP_CALLS; index < Number(options.calls); index++) {
    const start = performance.now();
    await call(Math.abs(index));
    if (index >= 0) times.push(performance.now() - start);
  }
  return times;
}

async function rowsOf(engine: Engine, messages: number): Promise<string[][]> {
  const { conversations } = await engine.context.conversations.list();
  const { summaries } = await engine.context.conversations.summaries(conversations[0]?.id ?? "");
  const leaves = summaries.filter(({ depth }) => depth === 0);
  const deepest = Math.max(...summaries.map(({ depth }) => depth));
  const tops = summaries.filter(({ depth }) => depth === deepest);
  const anyOf = (of: typeof summaries, index: number) => of[(index * 31) % of.length]?.id ?? "";
  const message = (index: number) =>
    `msg_${conversations[0]?.id.slice("conv_".length)}_${((index * 7_919) % messages) + 1}`;
  const rows = {
    "describe a message": {
      call: (i: number) => engine.context.describe({ id: message(i) }),
      limit: DESCRIBE_MS,
    },
    "describe a leaf": {
      call: (i: number) => engine.context.describe({ id: anyOf(leaves, i) }),
      limit: DESCRIBE_MS,
    },
    [`describe a summary of depth ${deepest}`]: {
      call: (i: number) => engine.context.describe({ id: anyOf(tops, i) }),
      limit: DESCRIBE_MS,
    },
    [`expand it ${LEVELS} levels down`]: {
      call: (i: number) => engine.context.expand({ summary: anyOf(tops, i), levels: LEVELS }),
      limit: EXPAND_MS,
    },
  };
  const table: string[][] = [];
  for (const [name, { call, limit }] of Object.entries(rows)) {
    const times = await timesOf(call);
    const median = quantile(times, 0.5);
    table.push([
      figure(messages),
      name,
      figure(median),
      figure(quantile(times, 0.95)),
      checkLimit(median, limit),
    ]);
  }
  return table;
}

const workload = await StandardWorkload.load(options.workload);
const table: string[][] = [];
for (const messages of options.messages.split(",").map(Number)) {
  const engine = await open({ store: await foldedStore(messages, workload), background: "off" });
  table.push(...(await rowsOf(engine, messages)));
  await engine.close();
}
printTable(["messages", "call", "p50 ms", "p95 ms", "limit"], table);
finish();
