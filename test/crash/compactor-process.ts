/**
 * A process that compacts. It loads everything, opens the store when it is told where, says that it is ready, and
 * begins with the next line. Told to `go on`, it commits turns and compacts until it is killed; told to `finish`, it
 * compacts until nothing is left. `about` is written before a turn is committed, `done` once it is acknowledged,
 * `pass` for each summary, `busy` when another process was at it.
 */
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { type Engine, isPalimpsestError, open } from "../../src/index.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { sayTurn, TURN_SHAPES } from "../properties/sayings.ts";
import { seededRandom } from "./seeded-random.ts";

export interface CompactorOrders {
  readonly store: string;
  readonly conversation: string;
  /** Names the turns of this process. */
  readonly round: string;
  readonly work: "go on" | "finish";
}

/** Many small summaries, in three levels. */
export const COMPACTOR_SETTINGS = {
  leafChunkTokens: 500,
  freshTailCount: 2,
  leafMinFanout: 2,
  condensedMinFanout: 2,
  logLevel: "silent",
} as const;

/** A killed process holds its lease until it runs out; the next one should not wait for long. */
const LEASE_MS = 300;

/** The words of a turn follow from its key: whoever looks afterwards knows them. */
export function turnOf(key: string): object[] {
  return sayTurn(key, seededRandom(key).pick(TURN_SHAPES));
}

async function openFor(address: string): Promise<Engine> {
  const isFolder = !address.startsWith("postgres");
  const store = isFolder ? await openSqliteStore({ dataDir: address, leaseMs: LEASE_MS }) : address;
  return open({ store, config: COMPACTOR_SETTINGS, background: "off" });
}

async function commitAndCompact(engine: Engine, { conversation, round }: CompactorOrders): Promise<never> {
  for (let number = 0; ; number++) {
    const key = `${round}-${number}`;
    say("about", key);
    await engine.context.commitTurn({ conversation, key, messages: turnOf(key) });
    say("done", key);
    if (number % 3 === 2) await compact(engine, conversation);
  }
}

async function compactAll(engine: Engine, conversation: string): Promise<void> {
  for (;;) {
    const passes = await compact(engine, conversation);
    if (passes === 0) break;
    if (passes === null) await delay(5);
  }
  await engine.close();
}

/** How many summaries were made; null when another process was making them. */
async function compact({ context }: Engine, conversation: string): Promise<number | null> {
  try {
    const onPass = ({ summary }: { readonly summary: string | null }) => say("pass", summary ?? "");
    const { passes } = await context.compact({ conversation, budget: 2_000, untilUnder: 1, onPass });
    return passes.length;
  } catch (error) {
    if (!isPalimpsestError(error, "busy") || !error.retryable) throw error;
    say("busy", "");
    return null;
  }
}

/** At once and whole: what is written here before a kill is read after it. */
function say(what: "loaded" | "ready" | "about" | "done" | "pass" | "busy", value: string): void {
  writeSync(1, `${what} ${value}\n`);
}

if (process.argv[1] === import.meta.filename) {
  // A killed process would not leave its compiled code to the next one.
  flushCompileCache();
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  say("loaded", "");
  const orders: CompactorOrders = JSON.parse(String((await lines.next()).value));
  const engine = await openFor(orders.store);
  say("ready", "");
  await lines.next();
  if (orders.work === "go on") await commitAndCompact(engine, orders);
  else await compactAll(engine, orders.conversation);
  process.exit(0);
}
