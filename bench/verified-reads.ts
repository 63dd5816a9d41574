/**
 * The cost of comparing a message with its digest when it is read by id or in a range: the time of the
 * digests alone, as a share of the whole read. Contents that the digests are made of were read before.
 *
 *   node bench/verified-reads.ts [--messages 10000] [--reads 4000] [--rounds 5] [--workload <file>]
 */
import { parseArgs } from "node:util";
import { requireMessage } from "../src/context/read/read-messages.ts";
import { internalsOf, open } from "../src/engine.ts";
import { matchesDigest } from "../src/store/seal.ts";
import type { StoredMessage } from "../src/store/store.ts";
import { messageId } from "../src/text/identifiers.ts";
import { builtStore } from "./built-store.ts";
import { checkLimit, figure, finish, median, printTable } from "./measure.ts";
import { StandardWorkload, WORKLOAD_FILE } from "./standard-workload.ts";

const LIMIT = { atMost: 5 };
const RANGE = 100;

const { values: options } = parseArgs({
  options: {
    messages: { type: "string", default: "10000" },
    reads: { type: "string", default: "4000" },
    rounds: { type: "string", default: "5" },
    workload: { type: "string", default: WORKLOAD_FILE },
  },
});
const messages = Number(options.messages);
const reads = Number(options.reads);

const engine = await open({
  store: await builtStore(messages, await StandardWorkload.load(options.workload)),
});
const [conversation] = (await engine.context.conversations.list()).conversations;
if (conversation === undefined) throw new Error("the store that was built is empty");
const { id } = conversation;
const store = internalsOf(engine).conversations;

async function timed(run: () => Promise<void> | void): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

async function round(): Promise<{ byId: number; inRange: number }> {
  const seqs = Array.from({ length: reads }, () => 1 + Math.floor(Math.random() * (messages - RANGE)));
  const rows: StoredMessage[] = [];
  for (const seq of seqs) rows.push(...(await store.messages(id, { from: seq, to: seq })).rows);
  const digests = await timed(() => {
    for (const row of rows) if (!matchesDigest(row)) throw new Error("a message is damaged");
  });
  const one = await timed(async () => {
    for (const seq of seqs) await requireMessage(store, messageId(id, seq));
  });
  const ranges = seqs.slice(0, reads / RANGE);
  const inRanges: StoredMessage[] = [];
  for (const from of ranges) inRanges.push(...(await store.messages(id, { from, limit: RANGE })).rows);
  const rangeDigests = await timed(() => {
    for (const row of inRanges) if (!matchesDigest(row)) throw new Error("a message is damaged");
  });
  const many = await timed(async () => {
    for (const from of ranges) await engine.context.read({ conversation: id, from, limit: RANGE });
  });
  return { byId: digests / one, inRange: rangeDigests / many };
}

await round();
const shares: { byId: number; inRange: number }[] = [];
for (let count = 0; count < Number(options.rounds); count++) shares.push(await round());
await engine.close();
const byId = median(shares.map((share) => share.byId));
const inRange = median(shares.map((share) => share.inRange));
printTable(
  ["messages read", "digests, % of the time", "limit"],
  [
    ["by id", figure(byId * 100), checkLimit(byId * 100, LIMIT)],
    [`${RANGE} in a range`, figure(inRange * 100), ""],
  ],
);
finish();
