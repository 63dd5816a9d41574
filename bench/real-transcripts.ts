/**
 * Real transcripts of real hosts, on both engines: each imports, comes out again byte for byte, verifies, and
 * moves to another store that is then identical; every needle is found by reading. A figure is the share of
 * files or needles for which that held.
 *
 *   node bench/real-transcripts.ts [folder with transcripts and needles.jsonl] [--no-postgres]
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { checkIntegrity } from "../src/context/verify/check-integrity.ts";
import { type Engine, open, textOfParts } from "../src/index.ts";
import { readArchive, writeArchive } from "../src/store/archive.ts";
import { checkLimit, DISK, figure, finish, printTable, temporaryFolder } from "./measure.ts";
import { openPostgres } from "./open-postgres.ts";
import { importSession, messagesOf, SESSIONS_FOLDER, sessionsIn } from "./real-sessions.ts";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { "no-postgres": { type: "boolean", default: false } },
});
const sessions = sessionsIn(positionals[0] ?? SESSIONS_FOLDER);

async function comesBack(engine: Engine, conversation: string, file: string): Promise<boolean> {
  const hash = createHash("sha256");
  for await (const chunk of engine.context.conversations.transcript({ conversation })) hash.update(chunk);
  return hash.digest("hex") === createHash("sha256").update(readFileSync(file)).digest("hex");
}

async function importAll(engine: Engine) {
  const tally = { imported: 0, identical: 0, unchanged: 0, found: 0, sought: 0, refused: [] as string[] };
  for (const session of sessions) {
    const report = await importSession(engine, session);
    if (report === undefined) tally.refused.push(session.name);
    else tally.imported++;
    const conversation = report?.conversation ?? null;
    if (conversation === null) continue;
    if (await comesBack(engine, conversation, session.file)) tally.identical++;
    if ((await importSession(engine, session))?.status === "unchanged") tally.unchanged++;
    const messages = await messagesOf(engine, conversation);
    const text = messages.map(({ parts }) => textOfParts(parts)).join("\n");
    tally.sought += session.needles.length;
    tally.found += session.needles.filter((needle) => text.includes(needle)).length;
  }
  return tally;
}

const share = (part: number, whole: number) => (whole === 0 ? 1 : part / whole);

async function run(name: string, engine: Engine): Promise<string[][]> {
  const tally = await importAll(engine);
  const report = await checkIntegrity(engine.store);
  const [first, second] = ["first", "second"].map((part) =>
    path.join(temporaryFolder(DISK), `${part}.jsonl`),
  ) as [string, string];
  const written = await writeArchive(engine.store, first);
  const copy = await open({ store: temporaryFolder(DISK) });
  await copy.store.load(readArchive(first), { replace: false });
  const again = await writeArchive(copy.store, second);
  await copy.close();
  const figures: [string, number][] = [
    ["files that come out byte for byte", share(tally.identical, tally.imported)],
    ["files that are unchanged when imported again", share(tally.unchanged, tally.imported)],
    ["needles found by reading", share(tally.found, tally.sought)],
    ["messages that verify", share(report.ok ? report.messages : 0, report.messages)],
    ["stores identical after export and import", written.sha256 === again.sha256 ? 1 : 0],
  ];
  console.log(
    `${name}: ${tally.imported} files imported, refused by name: ${tally.refused.join(", ") || "none"}`,
  );
  return figures.map(([what, value]) => [name, what, figure(value), checkLimit(value, { atLeast: 1 })]);
}

const sqlite = await open({ store: temporaryFolder(DISK) });
const rows = await run("sqlite", sqlite);
await sqlite.close();
if (!options["no-postgres"]) {
  const postgres = await openPostgres();
  if ("missing" in postgres) console.log(`postgres left out: ${postgres.missing}`);
  else {
    rows.push(...(await run("postgres", postgres.engine)));
    await postgres.close();
  }
}
console.log();
printTable(["store", "what", "share", "limit"], rows);
finish();
