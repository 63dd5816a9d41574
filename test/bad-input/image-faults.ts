/**
 * Faults in images of a small database, and what becomes of each: bytes that flip, pages that turn into noise, files
 * that are cut off. A fault is lost when a message is gone or changed that it has not hit, and unnoticed when something
 * reads otherwise than before and no check says so.
 */
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { runOperation } from "../../src/operations/run-operation.ts";
import { setUp } from "../../src/operations/setup.ts";
import { verify } from "../../src/operations/store/verify.ts";
import { DATABASE_NAME } from "../../src/store/sqlite/index.ts";
import type { SeededRandom } from "../crash/seeded-random.ts";
import { damagedCopy, fillStore } from "./damaged-store.ts";
import { type Examined, examineImage } from "./examine-image.ts";
import { type MessagePages, messagePages } from "./message-pages.ts";

const PAGE = 4096;
const TURNS = 6;

export interface Fault {
  readonly label: string;
  readonly bytes: Buffer;
  /** Whether it has hit something on this page. */
  readonly hits: (page: number) => boolean;
  /** How many messages it may take with it. */
  readonly most: number;
}

export type Outcome =
  | { readonly is: "survived" }
  | { readonly is: "lost" | "unnoticed"; readonly problem: string };

/** A sound database, of which every fault changes a copy. */
export interface SoundImage {
  readonly folder: string;
  readonly bytes: Buffer;
  readonly examined: Examined;
  readonly pages: MessagePages;
}

export async function makeSoundImage(folder: string): Promise<SoundImage> {
  const store = path.join(folder, "sound");
  await fillStore(store, path.join(folder, "transcripts"), TURNS);
  const file = path.join(store, DATABASE_NAME);
  const bytes = readFileSync(file);
  return { folder, bytes, examined: await examine(folder, bytes), pages: messagePages(file) };
}

function examine(folder: string, bytes: Uint8Array): Promise<Examined> {
  return examineImage(bytes, path.join(folder, "sound", "examined.db"));
}

type MakeFault = (image: Buffer, random: SeededRandom) => Fault;

export const FAULTS = {
  "a byte that is flipped": flip,
  "a page of noise": noise,
  "a file that is cut off": cut,
} satisfies Record<string, MakeFault>;

function flip(image: Buffer, random: SeededRandom): Fault {
  const at = random.below(image.length);
  const page = Math.floor(at / PAGE) + 1;
  const bytes = Buffer.from(image);
  bytes[at] = (bytes[at] ?? 0) ^ (1 + random.below(255));
  return { label: `byte ${at} on page ${page} is ${bytes[at]}`, bytes, hits: (hit) => hit === page, most: 1 };
}

function noise(image: Buffer, random: SeededRandom): Fault {
  const page = 1 + random.below(image.length / PAGE);
  const bytes = Buffer.from(image);
  for (let at = (page - 1) * PAGE; at < page * PAGE; at++) bytes[at] = random.below(256);
  return { label: `page ${page}`, bytes, hits: (hit) => hit === page, most: Number.POSITIVE_INFINITY };
}

function cut(image: Buffer, random: SeededRandom): Fault {
  const length = PAGE + random.below(image.length - PAGE);
  const bytes = image.subarray(0, length);
  return {
    label: `cut at ${length}`,
    bytes,
    hits: (hit) => hit * PAGE > length,
    most: Number.POSITIVE_INFINITY,
  };
}

export async function judgeFault(sound: SoundImage, fault: Fault): Promise<Outcome> {
  const after = await examine(sound.folder, fault.bytes).catch((error: unknown) => {
    throw new Error(fault.label, { cause: error });
  });
  const lost = lostBy(sound, fault, after);
  if (lost.length > 0) return { is: "lost", problem: `${fault.label}: ${lost.length}, ${after.problems[0]}` };
  if (await isUnnoticed(sound, fault, after))
    return { is: "unnoticed", problem: `${fault.label}: ${changedIn(sound.examined, after)}` };
  return { is: "survived" };
}

/** Messages that are gone or changed, though the fault has not hit them. */
function lostBy({ examined, pages }: SoundImage, { hits, most }: Fault, after: Examined): string[] {
  const gone = [...examined.messages].filter(([digest, content]) => after.messages.get(digest) !== content);
  const unharmed = gone.filter(([digest]) => ![...(pages.get(digest) ?? [])].some(hits));
  return (unharmed.length === 0 && gone.length > most ? gone : unharmed).map(([digest]) => digest);
}

async function isUnnoticed(sound: SoundImage, { bytes }: Fault, after: Examined): Promise<boolean> {
  if (after.problems.length > 0) return false;
  const { rows } = sound.examined;
  const isSame = rows.size === after.rows.size && [...rows].every((row) => after.rows.has(row));
  return !isSame && (await passesVerify(sound.folder, bytes));
}

/** Some checks need an engine: how contexts and summaries fit their messages, for example. */
async function passesVerify(folder: string, bytes: Buffer): Promise<boolean> {
  const dataDir = path.join(folder, "verified");
  damagedCopy(path.join(folder, "sound"), dataDir, DATABASE_NAME, () => bytes);
  try {
    const place = setUp({ options: { dataDir, logLevel: "silent" } });
    return (await runOperation(verify, place, {})).ok;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function changedIn(before: Examined, after: Examined): string {
  const [row = "a row is new"] = [...before.rows].filter((known) => !after.rows.has(known));
  const [now = ""] = [...after.rows].filter((known) => !before.rows.has(known));
  const start = [...row].findIndex((sign, place) => sign !== now[place]);
  return `${row.slice(0, 60)} … ${row.slice(Math.max(0, start - 40), start + 40)} → ${now.slice(Math.max(0, start - 10), start + 30)}`;
}
