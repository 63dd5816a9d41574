/**
 * Real sessions, searched. Every needle is searched with one exact search in all sessions of the store at once, and
 * what is found is opened by the id it came with; before any compaction and after one that leaves hardly a message in
 * the context. It counts if a hit is in the needle's own session and the message really contains it.
 *
 *   node bench/real-search.ts [folder with transcripts and needles.jsonl] [--no-postgres]
 */
import { parseArgs } from "node:util";
import { requireMessage } from "../src/context/read/read-messages.ts";
import { internalsOf } from "../src/engine.ts";
import { type Engine, open, textOfParts } from "../src/index.ts";
import { checkLimit, DISK, figure, finish, median, printTable, temporaryFolder } from "./measure.ts";
import { openPostgres } from "./open-postgres.ts";
import { importSession, SESSIONS_FOLDER, sessionsIn } from "./real-sessions.ts";

const ALL = { atLeast: 1 };
const SMALL_CONTEXT = 8_000;

const { values: options, positionals } = parseArgs({
  allowNegative: true,
  allowPositionals: true,
  options: { postgres: { type: "boolean", default: true } },
});
const sessions = sessionsIn(positionals[0] ?? SESSIONS_FOLDER);

interface Imported {
  readonly conversation: string;
  readonly needles: readonly string[];
}

async function importAll(engine: Engine): Promise<Imported[]> {
  const imported: Imported[] = [];
  for (const session of sessions) {
    const report = await importSession(engine, session);
    if (report?.conversation != null)
      imported.push({ conversation: report.conversation, needles: session.needles });
  }
  return imported;
}

async function search(engine: Engine, imported: readonly Imported[]) {
  const times: number[] = [];
  const missed: string[] = [];
  for (const { conversation, needles } of imported)
    for (const needle of needles) {
      const start = performance.now();
      const isFound = await isFoundAtOnce(engine, conversation, needle);
      times.push(performance.now() - start);
      if (!isFound) missed.push(needle);
    }
  return { times, missed };
}

async function isFoundAtOnce(engine: Engine, conversation: string, needle: string): Promise<boolean> {
  const { hits } = await engine.context.grep({
    pattern: needle,
    mode: "exact",
    kinds: ["message"],
    limit: 200,
  });
  for (const { id } of hits.filter((hit) => hit.conversation === conversation)) {
    const { parts } = await requireMessage(internalsOf(engine).conversations, id);
    if (!textOfParts(parts).includes(needle)) return false;
  }
  return hits.some((hit) => hit.conversation === conversation);
}

async function measureStore(name: string, engine: Engine): Promise<string[][]> {
  const imported = await importAll(engine);
  const row = async (when: string) => {
    const { times, missed } = await search(engine, imported);
    for (const needle of missed) console.log(`not found ${when} on ${name}: ${needle}`);
    const share = 1 - missed.length / times.length;
    return [name, when, figure(times.length), figure(median(times)), figure(share), checkLimit(share, ALL)];
  };
  const before = await row("before compaction");
  for (const { conversation } of imported)
    await engine.context.compact({ conversation, budget: SMALL_CONTEXT, untilUnder: SMALL_CONTEXT });
  return [before, await row("after compaction")];
}

const sqlite = await open({ store: temporaryFolder(DISK), background: "off" });
const rows = await measureStore("SQLite", sqlite);
await sqlite.close();
const postgres = options.postgres ? await openPostgres({ background: "off" }) : { missing: "not asked for" };
if ("missing" in postgres) console.log(`PostgreSQL: ${postgres.missing}`);
else {
  rows.push(...(await measureStore("PostgreSQL", postgres.engine)));
  await postgres.close();
}
printTable(["store", "when", "needles", "p50 ms", "share found", "limit"], rows);
finish();
