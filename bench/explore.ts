/**
 * Exploration summaries of real files and of large generated ones: what each is taken for, whether known facts are in the
 * text, how long it takes and what it holds in memory. `--show` prints the texts, `--files <folder>` names the real files
 * (a folder with `manifest.json`), `--megabytes <n>` the size of the generated ones.
 */
import { createReadStream, createWriteStream, existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import type { ExploreInput } from "../src/context/files/explore/exploration.ts";
import { explore } from "../src/context/files/explore/explore.ts";
import { findFileBlocks } from "../src/context/files/payloads/find-file-blocks.ts";
import { EXPLORED_FACTS } from "./explored-facts.ts";
import { GENERATED_FILES, generateFile } from "./generated-files.ts";
import { checkLimit, DISK, figure, finish, printTable, temporaryFolder } from "./measure.ts";
import { highWaterMark } from "./memory.ts";

const { values: options } = parseArgs({
  options: {
    files: { type: "string", default: path.join(import.meta.dirname, "../../shared/data/files") },
    megabytes: { type: "string", default: "200" },
    show: { type: "boolean", default: false },
  },
});
const MEGABYTE = 1_000_000;
const MOST_TOKENS = 400;
const MOST_GROWTH = 150;
/** Megabytes in a second of one processor. */
const SLOWEST = 5;
/** The same for files that are made to be hard. */
const SLOWEST_HARD = 2;
const HARD_SHARE = 0.25;

if (existsSync(path.join(options.files, "manifest.json"))) await exploreReal(options.files);
else console.log(`no real files in ${options.files}`);
await exploreGenerated(Number(options.megabytes));
findBlocks();
finish();

async function exploreReal(folder: string): Promise<void> {
  const manifest = JSON.parse(readFileSync(path.join(folder, "manifest.json"), "utf8")) as {
    file: string;
    bytes: number;
  }[];
  const rows: string[][] = [];
  for (const { file, bytes } of manifest) {
    const open = () => createReadStream(path.join(folder, file));
    const { text, tokens, kind, seconds } = await timed({
      name: path.basename(file),
      mime: null,
      bytes,
      open,
    });
    const missing = (EXPLORED_FACTS[file] ?? []).filter((fact) => !text.includes(fact));
    for (const fact of missing) console.log(`${file}: the text does not say “${fact}”`);
    const facts = `${(EXPLORED_FACTS[file]?.length ?? 0) - missing.length}/${EXPLORED_FACTS[file]?.length ?? 0}`;
    rows.push([
      file,
      kind,
      figure(bytes / MEGABYTE / seconds),
      `${tokens} ${checkLimit(tokens, { atMost: MOST_TOKENS })}`,
      `${facts} ${checkLimit(missing.length, { atMost: 0 })}`,
    ]);
    if (options.show) console.log(`\n── ${file} (${tokens} tokens)\n${text}`);
  }
  console.log();
  printTable(["file", "kind", "MB/s", "tokens", "facts in the text"], rows);
}

/** Ordinary files in full size, and some that a reader could choke on in a quarter of it. */
async function exploreGenerated(megabytes: number): Promise<void> {
  const folder = temporaryFolder(DISK);
  const rows: string[][] = [];
  for (const [name, { isOrdinary }] of Object.entries(GENERATED_FILES)) {
    const bytes = Math.round(megabytes * MEGABYTE * (isOrdinary ? 1 : HARD_SHARE));
    const file = path.join(folder, name);
    await pipeline(generateFile(name, bytes), createWriteStream(file));
    rows.push([name, ...(await exploreWatched(file, bytes, isOrdinary ? SLOWEST : SLOWEST_HARD))]);
    rmSync(file);
  }
  console.log(
    `\n${megabytes} MB, the last ${Object.values(GENERATED_FILES).filter(({ isOrdinary }) => !isOrdinary).length} ${megabytes * HARD_SHARE} MB; the process held ${figure(highWaterMark() / MEGABYTE)} MB at most`,
  );
  printTable(["generated", "kind", "MB/s", "MB / CPU second", "growth", "tokens"], rows);
}

async function exploreWatched(file: string, bytes: number, slowest: number): Promise<string[]> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  const name = path.basename(file);
  const { kind, text, tokens, seconds, cpuSeconds } = await timed({
    name,
    mime: null,
    bytes,
    open: () => createReadStream(file),
  });
  clearInterval(watch);
  const growth = (Math.max(peak, process.memoryUsage.rss()) - before) / MEGABYTE;
  if (options.show) console.log(`\n── ${name} (${tokens} tokens)\n${text}`);
  const speed = bytes / MEGABYTE / cpuSeconds;
  return [
    ...[
      kind,
      figure(bytes / MEGABYTE / seconds),
      `${figure(speed)} ${checkLimit(speed, { atLeast: slowest })}`,
    ],
    ...[`${figure(growth)} MB ${checkLimit(growth, { atMost: MOST_GROWTH })}`, String(tokens)],
  ];
}

async function timed(input: ExploreInput) {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const exploration = await explore(input);
  const { user, system } = process.cpuUsage(cpu);
  return { ...exploration, seconds: (performance.now() - start) / 1000, cpuSeconds: (user + system) / 1e6 };
}

/** Four times the text must take about four times as long for any content; sixteen times would be quadratic. */
function findBlocks(): void {
  const units = [
    "<file ",
    '<file name="a">',
    '<file name="',
    `<file a='<file b="`,
    "</file",
    '<file name="a">x</file>',
  ];
  const rows = units.map((unit) => {
    const text = unit.repeat(Math.ceil((2 * MEGABYTE) / unit.length));
    const [once, fourfold] = [text, text.repeat(4)].map((long) =>
      Math.min(...[1, 2, 3, 4, 5].map(() => time(() => findFileBlocks(long)))),
    );
    const ratio = (fourfold ?? 0) / (once ?? 1);
    return [unit, `${figure(once ?? 0)} ms`, `${figure(ratio)} ${checkLimit(ratio, { atMost: 8 })}`];
  });
  console.log("\nfinding blocks in 2 MB of");
  printTable(["unit", "once", "four times the text"], rows);
}

/** Milliseconds of the processor: others may be using the machine. */
function time(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
