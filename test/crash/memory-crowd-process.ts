/**
 * One of several processes that work on the same memories at the same time: all say what holds of one fact, all change
 * the newest version of another, and all set aside what says the same twice. Any error but "look again" ends it.
 */
import { createInterface } from "node:readline";
import { type Engine, isPalimpsestError } from "../../src/index.ts";
import { rareWord, sayingOf } from "../properties/memory-words.ts";
import { openInRound } from "./memory-writer-process.ts";

export interface MemoryCrowdOrders {
  readonly store: string;
  readonly writer: number;
  readonly rounds: number;
}

/** What was acknowledged. */
export interface RememberedInCrowd {
  readonly id: string;
  readonly factKey: string | null;
  readonly text: string;
}

export const STORED_KEY = "preferences:colour";
export const UPDATED_KEY = "preferences:shape";

async function work({ store, writer, rounds }: MemoryCrowdOrders): Promise<void> {
  const engine = await openInRound(store, 1, "auto");
  const done: RememberedInCrowd[] = [];
  for (let round = 0; round < rounds; round++) {
    const word = rareWord(`${writer} ${round}`);
    const [, ...remembered] = await Promise.all([
      weighAndConsolidate(engine, writer, round),
      storeFact(engine, sayingOf("colour", word)),
      updateFact(engine, sayingOf("shape", word)),
    ]);
    done.push(...remembered);
  }
  await engine.close();
  console.log(JSON.stringify(done));
}

function storeFact({ memory }: Engine, text: string): Promise<RememberedInCrowd> {
  return untilFirst(async () => {
    const stored = await memory.store({
      text,
      scope: "global",
      category: "preferences",
      factKey: STORED_KEY,
    });
    return { id: stored.memory.id, factKey: stored.memory.factKey, text };
  });
}

function updateFact({ memory }: Engine, text: string): Promise<RememberedInCrowd> {
  return untilFirst(async () => {
    const { rows } = await memory.list({ factKey: UPDATED_KEY });
    const { memory: version } = await memory.update({ id: rows[0]?.id ?? "", text });
    return { id: version.id, factKey: version.factKey, text };
  });
}

/** Each thinks most of another one, and so they differ about which one stays. */
async function weighAndConsolidate({ memory }: Engine, writer: number, round: number): Promise<void> {
  const { rows } = await memory.list({ categories: ["events"] });
  const favourite = rows[(writer + round) % rows.length];
  if (favourite !== undefined)
    await memory.update({ id: favourite.id, importance: 1 }).catch((error: unknown) => {
      if (!isToLookAgain(error)) throw error;
    });
  await memory.maintenance.consolidate();
}

async function untilFirst<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (;;)
    try {
      return await attempt();
    } catch (error) {
      if (!isToLookAgain(error)) throw error;
    }
}

function isToLookAgain(error: unknown): boolean {
  return isPalimpsestError(error, "busy") || isPalimpsestError(error, "conflict");
}

if (process.argv[1] === import.meta.filename) {
  console.log("loaded");
  for await (const line of createInterface({ input: process.stdin })) await work(JSON.parse(line));
}
