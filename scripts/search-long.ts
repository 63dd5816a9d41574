/**
 * The long form of the test that compares searches with a full scan: a large random store on each engine.
 *
 *   node scripts/with-node.mjs scripts/search-long.ts [messages=200000] [questions=40] [sqlite|postgres|both] [seed]
 *
 * The seed is printed; with the same seed, messages and questions are the same.
 */
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import type { GrepInput } from "../src/context/retrieve/grep-messages.ts";
import { type Engine, open } from "../src/index.ts";
import { wordsOf } from "../src/text/language/words.ts";
import { type LinearDocument, readDocuments, searchLinearly } from "../test/properties/linear-search.ts";
import { message, pattern, question } from "../test/properties/search-material.ts";
import { startPostgres } from "../test/start-postgres.ts";

const CONVERSATIONS = 40;
const TURN = 250;
/** Random messages, which are repeated. */
const SAYINGS = 20_000;
const PAGE = 200;
const MOST_PAGES = 3;
const STORES = { sqlite: ["sqlite"], postgres: ["postgres"], both: ["sqlite", "postgres"] };

async function main([messages = "200000", questions = "40", store = "both", given]: string[]): Promise<void> {
  const engines = new Map(Object.entries(STORES)).get(store);
  if (engines === undefined || !/^[1-9]\d*$/.test(messages) || !/^[1-9]\d*$/.test(questions))
    throw new Error("usage: search-long.ts [messages=200000] [questions=40] [sqlite|postgres|both] [seed]");
  const seed = given === undefined ? randomInt(2 ** 31) : Number(given);
  console.log(`seed ${seed}`);
  for (const name of engines)
    await on(name, (place) => run(name, place, Number(messages), Number(questions), seed));
}

async function on(name: string, use: (place: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "palimpsest-search-"));
  const server = name === "postgres" ? await startPostgres() : undefined;
  try {
    await use(server?.url ?? folder);
  } finally {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function run(
  name: string,
  store: string,
  messages: number,
  questions: number,
  seed: number,
): Promise<void> {
  let now = Date.parse("2026-03-01T10:00:00.000Z");
  const engine = await open({ store, background: "off", clock: () => (now += 100) });
  try {
    await fill(engine, messages, seed);
    const documents = await readDocuments(engine);
    const { id } = await engine.context.conversations.get("s1");
    console.log(`${name}: ${documents.length} documents`);
    const asked = [
      ...fc.sample(question, { numRuns: questions, seed }),
      ...fc.sample(pattern, { numRuns: questions, seed }),
    ].filter(({ pattern: text, ...rest }) => "mode" in rest || wordsOf(text).length > 0);
    for (const [index, query] of asked.entries()) {
      const found = await compare(engine, documents, query, id);
      console.log(`${name} ${index + 1}/${asked.length} ${JSON.stringify(query)}: ${found} found`);
    }
    console.log(`${name}: every answer is what reading everything gives`);
  } finally {
    await engine.close();
  }
}

/** Adds turns with occasional indexing, compactions and erasures. */
async function fill(engine: Engine, messages: number, seed: number): Promise<void> {
  const sayings = fc.sample(message, { numRuns: SAYINGS, seed });
  for (let turn = 0; turn * TURN < messages; turn++) {
    const conversation = `s${turn % CONVERSATIONS}`;
    const said = Array.from(
      { length: Math.min(TURN, messages - turn * TURN) },
      (_, i) => sayings[(turn * 7919 + i * (turn + 1)) % SAYINGS] ?? { role: "user", content: "" },
    );
    await engine.context.commitTurn({ conversation, key: `t${turn}`, messages: said });
    if (turn % 40 === 39) await engine.context.index.build();
    if (turn % 200 === 150) await engine.context.compact({ conversation, budget: 20_000 });
    if (turn % 100 === 70) await engine.context.erase({ conversation, from: turn, to: turn + 2 });
  }
}

/** Compares the first pages and the total number of hits. */
async function compare(
  engine: Engine,
  documents: readonly LinearDocument[],
  { inOne, ...query }: GrepInput & { readonly inOne?: boolean },
  conversation: string,
): Promise<number> {
  const expected = searchLinearly(documents, { ...query, ...(inOne === true ? { conversation } : {}) });
  const ids: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES && (page === 0 || cursor !== undefined); page++) {
    const input = { ...query, ...(inOne === true ? { conversations: [conversation] } : {}), limit: PAGE };
    const answer = await engine.context.grep({ ...input, ...(cursor === undefined ? {} : { cursor }) });
    ids.push(...answer.hits.map((hit) => hit.id));
    cursor = answer.next ?? undefined;
    if (answer.total !== null && answer.total !== expected.length)
      throw new Error(`${JSON.stringify(query)}: ${answer.total} counted, ${expected.length} are there`);
  }
  const wrong = ids.findIndex((found, i) => found !== expected[i]);
  if (wrong >= 0 || (cursor === undefined && ids.length !== expected.length))
    throw new Error(
      `${JSON.stringify(query)}: place ${wrong} is ${ids[wrong]}, should be ${expected[wrong]}`,
    );
  return expected.length;
}

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
await main(process.argv.slice(2));
