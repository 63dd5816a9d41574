/**
 * No edit goes unnoticed, and one damaged part does not block the rest. Faults are injected into images of a small
 * database: bytes that flip, pages that turn into noise, files that are cut off. Each is harmless, or reported, and takes
 * no message with it that it has not hit.
 */
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runOperation } from "../../src/operations/run-operation.ts";
import { setUp } from "../../src/operations/setup.ts";
import { verify } from "../../src/operations/store/verify.ts";
import { DATABASE_NAME } from "../../src/store/sqlite/index.ts";
import { type SeededRandom, seededRandom } from "../crash/seeded-random.ts";
import { recordFaults } from "../fault-table.ts";
import { REPEATED, times } from "../run-length.ts";
import { temporaryFolder } from "../temporary-store.ts";
import { damagedCopy, fillStore } from "./damaged-store.ts";
import { type Examined, examineImage } from "./examine-image.ts";
import { type MessagePages, messagePages } from "./message-pages.ts";

const PAGE = 4096;
const TURNS = 6;

const folder = temporaryFolder();
const sound = path.join(folder, "sound");
let image: Buffer;
let before: Examined;
let pages: MessagePages;

beforeAll(async () => {
  await fillStore(sound, path.join(folder, "transcripts"), TURNS);
  image = readFileSync(path.join(sound, DATABASE_NAME));
  pages = messagePages(path.join(sound, DATABASE_NAME));
  before = await examine(image);
  expect(before.problems).toEqual([]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function examine(bytes: Uint8Array): Promise<Examined> {
  return examineImage(bytes, path.join(sound, "examined.db"));
}

interface Fault {
  readonly label: string;
  readonly bytes: Buffer;
  /** Whether it has hit something on this page. */
  readonly hits: (page: number) => boolean;
  /** How many messages it may take with it. */
  readonly most: number;
}

function flip(random: SeededRandom): Fault {
  const at = random.below(image.length);
  const page = Math.floor(at / PAGE) + 1;
  const bytes = Buffer.from(image);
  bytes[at] = (bytes[at] ?? 0) ^ (1 + random.below(255));
  return { label: `byte ${at} on page ${page} is ${bytes[at]}`, bytes, hits: (hit) => hit === page, most: 1 };
}

function noise(random: SeededRandom): Fault {
  const page = 1 + random.below(image.length / PAGE);
  const bytes = Buffer.from(image);
  for (let at = (page - 1) * PAGE; at < page * PAGE; at++) bytes[at] = random.below(256);
  return { label: `page ${page}`, bytes, hits: (hit) => hit === page, most: Number.POSITIVE_INFINITY };
}

function cut(random: SeededRandom): Fault {
  const length = PAGE + random.below(image.length - PAGE);
  const bytes = image.subarray(0, length);
  return {
    label: `cut at ${length}`,
    bytes,
    hits: (hit) => hit * PAGE > length,
    most: Number.POSITIVE_INFINITY,
  };
}

/** Messages that are gone or changed, though the fault has not hit them. */
function lostBy({ hits, most }: Fault, after: Examined): string[] {
  const gone = [...before.messages].filter(([digest, content]) => after.messages.get(digest) !== content);
  const unharmed = gone.filter(([digest]) => ![...(pages.get(digest) ?? [])].some(hits));
  return (unharmed.length === 0 && gone.length > most ? gone : unharmed).map(([digest]) => digest);
}

async function isUnnoticed({ bytes }: Fault, after: Examined): Promise<boolean> {
  if (after.problems.length > 0) return false;
  const isSame = before.rows.size === after.rows.size && [...before.rows].every((row) => after.rows.has(row));
  return !isSame && (await passesVerify(bytes));
}

/** Some checks need an engine: how contexts and summaries fit their messages, for example. */
async function passesVerify(bytes: Buffer): Promise<boolean> {
  const dataDir = path.join(folder, "verified");
  damagedCopy(sound, dataDir, DATABASE_NAME, () => bytes);
  try {
    const place = setUp({ options: { dataDir, logLevel: "silent" } });
    return (await runOperation(verify, place, {})).ok;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** In parts, so that a run that is ended early has told something. */
const parts = Array.from({ length: times({ short: 1, long: 20 }) }, (_, index) => index + 1);

describe.each(parts)("a database with a fault, part %i", (part) => {
  // promise: evident
  it.each([
    ["a byte that is flipped", flip, { short: 60, long: 470 }],
    ["a page of noise", noise, { short: 10, long: 20 }],
    ["a file that is cut off", cut, { short: 10, long: 20 }],
  ] as const)("survives %s", REPEATED, async (kind, make, counts) => {
    const random = seededRandom(`${kind} ${part}`);
    const lost: string[] = [];
    const unnoticed: string[] = [];
    const injected = times(counts);
    for (let round = 0; round < injected; round++) {
      const fault = make(random);
      const after = await examine(fault.bytes).catch((error: unknown) => {
        throw new Error(fault.label, { cause: error });
      });
      if (lostBy(fault, after).length > 0) lost.push(`${fault.label}: ${after.problems[0]}`);
      else if (await isUnnoticed(fault, after)) unnoticed.push(`${fault.label}: ${changedIn(after)}`);
    }
    const survived = injected - lost.length - unnoticed.length;
    recordFaults(kind, { injected, survived, lost: lost.length, unnoticed: unnoticed.length });
    expect({ lost, unnoticed }).toEqual({ lost: [], unnoticed: [] });
  });
});

function changedIn(after: Examined): string {
  const [row = "a row is new"] = [...before.rows].filter((known) => !after.rows.has(known));
  const [now = ""] = [...after.rows].filter((known) => !before.rows.has(known));
  const start = [...row].findIndex((sign, place) => sign !== now[place]);
  return `${row.slice(0, 60)} … ${row.slice(Math.max(0, start - 40), start + 40)} → ${now.slice(Math.max(0, start - 10), start + 30)}`;
}
