/**
 * The process that is killed while it works on long-term memory. It loads everything, waits for its orders on standard
 * input, opens the store and works until it is ended. `about` is written before an operation starts, `done` once it is
 * acknowledged.
 */
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { createInterface } from "node:readline";
import { type Engine, open } from "../../src/index.ts";
import { stateOf } from "../../src/memory-types.ts";
import { readMemories } from "../properties/compare-memories.ts";
import { TOPIC_EMBEDDER } from "../properties/memory-words.ts";
import { type KnownMemory, MemoryChooser } from "./memory-chooser.ts";
import { perform } from "./memory-operation.ts";
import { seededRandom } from "./seeded-random.ts";

export interface MemoryWriterOrders {
  readonly store: string;
  readonly seed: string;
  readonly round: number;
}

const DAY = 24 * 3_600_000;

/** Each process lives more than a week after the one before, so that what that one left is old enough. */
export function openInRound(store: string, round: number, background: "auto" | "off"): Promise<Engine> {
  const clock = () => Date.now() + round * 8 * DAY;
  const config = { agent: "main", logLevel: "silent" } as const;
  return open({ store, config, background, clock, embedder: TOPIC_EMBEDDER });
}

async function work({ store, seed, round }: MemoryWriterOrders): Promise<void> {
  const engine = await openInRound(store, round, "auto");
  const known = await readKnown(engine);
  const chooser = new MemoryChooser(seededRandom(`${seed}:${round}`), `r${round}`, known);
  for (let number = 0; ; )
    await Promise.all(
      chooser.nextWave().map(async (operation) => {
        const id = number++;
        say("about", id, operation);
        const answer = await perform(engine, operation);
        say("done", id, answer);
        chooser.learn(operation, answer);
      }),
    );
}

/** At once and whole: what is written here before a kill is read after it. */
function say(what: "about" | "done", id: number, value: object): void {
  writeSync(1, `${what} ${id} ${JSON.stringify(value)}\n`);
}

async function readKnown({ memory }: Engine): Promise<KnownMemory[]> {
  const rows = [...(await readMemories(memory)).values()];
  return rows.flatMap((row) => {
    const state = stateOf(row);
    const { id, scope, factKey, abstract: text } = row;
    return state === "active" || state === "archived" ? [{ id, scope, factKey, text, state }] : [];
  });
}

if (process.argv[1] === import.meta.filename) {
  // A killed process would not leave its compiled code to the next one.
  flushCompileCache();
  for await (const line of createInterface({ input: process.stdin })) {
    const orders: MemoryWriterOrders = JSON.parse(line);
    await work(orders);
  }
}
