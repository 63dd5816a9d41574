/**
 * Large files: how fast they are taken out of a message and stored, and how long a part in the middle takes to read.
 * Exploring is measured apart.
 *
 *   node bench/files.ts [--megabytes 100] [--gigabytes 1] [--no-postgres]
 */
import { parseArgs } from "node:util";
import { explore } from "../src/context/files/explore/explore.ts";
import { findFileBlocks } from "../src/context/files/payloads/find-file-blocks.ts";
import { commitTurn } from "../src/context/ingest/commit-turn.ts";
import { internalsOf } from "../src/engine.ts";
import { type Engine, open } from "../src/index.ts";
import { openSqliteStore } from "../src/store/sqlite/index.ts";
import type { NewMessage, Store } from "../src/store/store.ts";
import { DEFAULT_SCOPE } from "../src/types.ts";
import { checkLimit, DISK, figure, finish, printTable, quantile, temporaryFolder } from "./measure.ts";
import { openPostgres } from "./open-postgres.ts";

const { values: options } = parseArgs({
  options: {
    megabytes: { type: "string", default: "100" },
    gigabytes: { type: "string", default: "1" },
    "no-postgres": { type: "boolean", default: false },
  },
});
const MEGABYTE = 1_000_000;
const PIECE = 4 * MEGABYTE;
const ROUNDS = 5;
const READS = 200;
const LEAST_SPEED = 100;
const SLOWEST_READ_MS = 20;

const rows: string[][] = [];
await measureStore("SQLite", await openSqliteStore({ dataDir: temporaryFolder(DISK) }));
if (!options["no-postgres"]) {
  const postgres = await openPostgres({ background: "off" });
  if ("missing" in postgres) console.log(`PostgreSQL is not measured: ${postgres.missing}`);
  else {
    await measureStore("PostgreSQL", postgres.engine.store);
    await postgres.close();
  }
}
printTable(["what", "figure", "unit", "limit"], rows);
finish();

async function measureStore(name: string, store: Store): Promise<void> {
  const engine = await open({ store, background: "off" });
  const bytes = Number(options.megabytes) * MEGABYTE;
  await takeOut(name, store, engine, bytes);
  await readMiddle(name, engine, Number(options.gigabytes) * 1_000 * MEGABYTE);
  await engine.close();
}

/** Lines of a log, none like another. */
function* logLines(bytes: number): Generator<string> {
  for (let written = 0, i = 0; written < bytes; i++) {
    const level = i % 97 === 0 ? "WARN" : "INFO";
    const line = `2026-03-01T10:${String(i % 60).padStart(2, "0")}:00Z ${level} worker-${i % 13} took ${(i * 7919) % 10_007} ms for request ${i.toString(36)} of tenant ${i % 311}\n`;
    written += line.length;
    yield line;
  }
}

/** Finding a file in a text and storing it; and all that committing its message takes, but for describing the file. */
async function takeOut(name: string, store: Store, engine: Engine, bytes: number): Promise<void> {
  const size = `${options.megabytes} MB of text`;
  const wrapped = (round: string) =>
    `See <file name="app.log" mime="text/plain">${round}\n${[...logLines(bytes)].join("")}</file>`;
  const stored = await speedOf(bytes, wrapped, (text) => findAndStore(store, text));
  rows.push([
    ...[`${name}: found and stored, ${size}`, figure(stored), "MB/s"],
    checkLimit(stored, { atLeast: LEAST_SPEED }),
  ]);
  const committed = await speedOf(bytes, wrapped, (content, round) =>
    commit(store, engine, `${name}-${round}`, { role: "user", content }),
  );
  rows.push([`${name}: committed in a message, ${size}`, figure(committed), "MB/s", ""]);
  if (name === "SQLite") await exploreLog(bytes, size);
}

/** Megabytes in a second, of several texts that differ. */
async function speedOf(
  bytes: number,
  make: (round: string) => string,
  run: (text: string, round: string) => Promise<unknown>,
): Promise<number> {
  const speeds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const name = `${run.length}-${round}`;
    const text = make(name);
    const started = performance.now();
    await run(text, name);
    speeds.push(bytes / MEGABYTE / ((performance.now() - started) / 1000));
  }
  return quantile(speeds, 0.5);
}

async function findAndStore(store: Store, text: string): Promise<void> {
  for (const { contentStart, contentEnd } of findFileBlocks(text)) {
    const content = Buffer.from(text.slice(contentStart, contentEnd));
    async function* pieces() {
      for (let at = 0; at < content.length; at += PIECE)
        yield new Uint8Array(content.subarray(at, at + PIECE));
    }
    await store.scoped(DEFAULT_SCOPE).putContent(pieces());
  }
}

async function exploreLog(bytes: number, size: string): Promise<void> {
  const content = Buffer.from([...logLines(bytes)].join(""));
  async function* whole() {
    yield content;
  }
  const started = performance.now();
  await explore({ name: "app.log", mime: "text/plain", bytes: content.length, open: whole });
  const speed = content.length / MEGABYTE / ((performance.now() - started) / 1000);
  rows.push([`explored, ${size}`, figure(speed), "MB/s", ""]);
}

async function commit(store: Store, engine: Engine, sessionId: string, message: object): Promise<void> {
  const use = {
    store: store.scoped(DEFAULT_SCOPE),
    settings: engine.config,
    log: internalsOf(engine).log,
    clock: Date.now,
    random: (size: number) => crypto.getRandomValues(new Uint8Array(size)),
    countTokens: internalsOf(engine).countTokens,
    explorer: { describe: async () => "A log." },
  };
  await commitTurn({ conversation: sessionId, key: "t", messages: [message] }, use);
}

async function readMiddle(name: string, engine: Engine, bytes: number): Promise<void> {
  const size = `${options.gigabytes} GB`;
  async function* pieces() {
    let waiting: string[] = [];
    for (const line of logLines(bytes)) {
      if (waiting.push(line) < 10_000) continue;
      yield Buffer.from(waiting.join(""));
      waiting = [];
    }
    yield Buffer.from(waiting.join(""));
  }
  const scoped = engine.store.scoped(DEFAULT_SCOPE);
  const started = performance.now();
  const { hash, bytes: put, lines } = await scoped.putContent(pieces());
  const seconds = (performance.now() - started) / 1000;
  rows.push([
    `${name}: ${size} put in piece by piece, made on the way`,
    figure(put / MEGABYTE / seconds),
    "MB/s",
    "",
  ]);
  const id = await refer(engine, hash);
  for (const [what, rangeAt] of [
    ["byte range", (share: number) => ({ startByte: Math.floor(put * share) })],
    ["line range", (share: number) => ({ startLine: Math.floor(lines * share) + 1 })],
  ] as const) {
    const times: number[] = [];
    for (let i = 0; i < READS; i++) {
      const range = rangeAt(0.25 + (0.5 * ((i * 7919) % 1_000)) / 1_000);
      const before = performance.now();
      await engine.context.files.read({ id, ...range });
      times.push(performance.now() - before);
    }
    const slow = quantile(times, 0.95);
    rows.push([
      ...[`${name}: ${what} of 32 kB in the middle of ${size}, p95`, figure(slow), "ms"],
      checkLimit(slow, { atMost: SLOWEST_READ_MS }),
    ]);
  }
}

/** A message that refers to the content. */
async function refer(engine: Engine, content: string): Promise<string> {
  const id = "file_00000000000000aa";
  const at = new Date().toISOString();
  const file = { id, kind: "file", name: "big.log", mime: null, tool: null, description: "A log." } as const;
  const message: NewMessage = {
    key: "a",
    role: "user",
    format: "message",
    content: '{"role":"user","content":"big.log"}',
    tokenCount: 3,
    stubTokenCount: null,
    createdAt: at,
    salt: "00".repeat(16),
    parts: [],
    excluded: null,
    files: [{ ...file, origin: "ingest", writing: "json", places: [], content }],
  };
  await engine.store.scoped(DEFAULT_SCOPE).commit([
    {
      kind: "append",
      address: { sessionId: "big", sessionKey: null },
      create: { id: "conv_00000000000000bb", title: null, createdAt: at },
      turnKey: null,
      messages: [message],
      onOtherContent: "refuse",
      afterSeq: null,
      leaveOthersAfter: null,
      leaveContext: [],
      enterContext: [],
      transcript: null,
      receipt: null,
      at,
    },
  ]);
  return id;
}
