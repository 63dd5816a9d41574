/**
 * One damaged part does not block the rest. Whatever byte is flipped and wherever a file is cut: checking, backing up and
 * repairing answer; nothing that was sound before is lost; and what reads otherwise than before is reported.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runOperation } from "../../src/operations/run-operation.ts";
import { setUp } from "../../src/operations/setup.ts";
import { backup } from "../../src/operations/store/backup.ts";
import { restore } from "../../src/operations/store/restore.ts";
import { verify } from "../../src/operations/store/verify.ts";
import { DATABASE_NAME, openSqliteStore } from "../../src/store/sqlite/index.ts";
import type { DumpRow } from "../../src/store/store.ts";
import { seededRandom } from "../crash/seeded-random.ts";
import { REPEATED, times } from "../run-length.ts";
import { temporaryFolder } from "../temporary-store.ts";
import { damagedCopy, fillStore } from "./damaged-store.ts";
import { type MessagePages, messagePages } from "./message-pages.ts";

const PAGE = 4096;
const TURNS = 8;

const folder = temporaryFolder();
const sound = path.join(folder, "sound");
let database: Buffer;
let before: Content;
let pages: MessagePages;

beforeAll(async () => {
  await fillStore(sound, path.join(folder, "transcripts"), TURNS);
  database = readFileSync(path.join(sound, DATABASE_NAME));
  before = await contentOf(sound);
  pages = messagePages(path.join(sound, DATABASE_NAME));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Content {
  /** Texts by conversation, seq and digest, so that a message is found under whatever id its conversation has. */
  readonly messages: ReadonlySet<string>;
  readonly rows: ReadonlySet<string>;
}

async function contentOf(dataDir: string): Promise<Content> {
  const store = await openSqliteStore({ dataDir, mustExist: true });
  try {
    const rows: DumpRow[] = [];
    for await (const row of store.dump({ withDamaged: true })) rows.push(row);
    return {
      messages: new Set(rows.flatMap(nameOfMessage)),
      rows: new Set(rows.map((row) => JSON.stringify(row))),
    };
  } finally {
    await store.close();
  }
}

function nameOfMessage(row: DumpRow): string[] {
  return row.row === "message" ? [`${row.seq} ${row.salt} ${row.digest} ${String(row.content)}`] : [];
}

function setUpIn(dataDir: string) {
  return setUp({ options: { dataDir, logLevel: "silent" } });
}

/** Everything that a person would try, in order. */
async function tryAll(dataDir: string) {
  const place = setUpIn(dataDir);
  const found = await runOperation(verify, place, {});
  const backedUp = await place.open({ mustExist: true, readsDamaged: true }).then(async (engine) => {
    try {
      return await runOperation(backup, engine, {});
    } finally {
      await engine.close();
    }
  });
  const repaired = await runOperation(verify, place, { repair: true });
  return { found, backedUp, repaired, after: await contentOf(dataDir) };
}

type Tried = Awaited<ReturnType<typeof tryAll>>;

function lostMessages({ after }: Tried): string[] {
  return [...before.messages].filter((message) => !after.messages.has(message));
}

/** Of those, messages that have nothing on the pages that were hit. */
function lostUnharmed(tried: Tried, hits: (page: number) => boolean): string[] {
  return lostMessages(tried).filter((name) => ![...(pages.get(digestIn(name)) ?? [])].some(hits));
}

function digestIn(name: string): string {
  return name.split(" ", 3)[2] ?? "";
}

let copies = 0;

async function damage(
  file: string,
  change: (bytes: Buffer) => Buffer,
  label: string,
): Promise<Tried & { place: string }> {
  const place = path.join(folder, `copy-${++copies}`);
  damagedCopy(sound, place, file, change);
  try {
    return { ...(await tryAll(place)), place };
  } catch (error) {
    throw new Error(`${label}: ${String(error)}`, { cause: error });
  }
}

function flip(at: number): (bytes: Buffer) => Buffer {
  return (bytes) => {
    bytes[at] = (bytes[at] ?? 0) ^ 0x5a;
    return bytes;
  };
}

function externalised(): string[] {
  const names = readdirSync(path.join(sound, "files"), { recursive: true }).map(String);
  // By their hashes: the order of a folder is not the same everywhere.
  return names
    .filter((name) => name.endsWith(".zst"))
    .toSorted()
    .map((name) => path.join("files", name));
}

/** What went wrong with one copy: nothing may be lost that was sound, and nothing may change without being reported. */
function faultsOf(label: string, tried: Tried, hits: (page: number) => boolean): string[] {
  const all = lostMessages(tried);
  const lost = all.length > 1 ? all : lostUnharmed(tried, hits);
  const changed = [...before.rows].filter((row) => !tried.after.rows.has(row));
  const isReported = !tried.found.ok || tried.backedUp.damages.length > 0;
  return [
    ...(lost.length > 0 ? [`${label}: ${lost.length} are lost, such as ${lost[0]?.slice(0, 60)}`] : []),
    ...(isReported || changed.length === 0 ? [] : [`${label}: unnoticed in ${changed[0]?.slice(0, 200)}`]),
  ];
}

describe("a store in which one byte is flipped", () => {
  it("is checked, backed up and repaired wherever in the database that byte is", REPEATED, async () => {
    const random = seededRandom("flips");
    const faults: string[] = [];
    for (let round = 0; round < times({ short: 3, long: 200 }); round++) {
      const at = random.below(database.length);
      const page = Math.floor(at / PAGE) + 1;
      const label = `byte ${at} on page ${page}`;
      const tried = await damage(DATABASE_NAME, flip(at), label);
      faults.push(...faultsOf(label, tried, (hit) => hit === page));
      rmSync(tried.place, { recursive: true, force: true });
    }
    expect(faults).toEqual([]);
  });

  it("loses no message when that byte is in a file beside the database", REPEATED, async () => {
    const random = seededRandom("externalised");
    for (const file of externalised().slice(0, times({ short: 2, long: 100 }))) {
      const tried = await damage(file, (bytes) => flip(random.below(bytes.length))(bytes), file);
      expect([file, tried.found.ok]).toEqual([file, false]);
      expect(tried.backedUp.damages).not.toEqual([]);
      expect(tried.backedUp.messages).toBe(before.messages.size);
      expect(faultsOf(file, tried, () => true)).toEqual([]);
    }
  });
});

/** One page of each kind: a header, the inside of a tree, a leaf of each table. */
function pagesToBreak(): (readonly [string, number])[] {
  const store = new DatabaseSync(path.join(sound, DATABASE_NAME), { readOnly: true });
  const pages = store
    .prepare("SELECT name, pagetype, min(pageno) AS page FROM dbstat GROUP BY name, pagetype ORDER BY page")
    .all() as { name: string; pagetype: string; page: number }[];
  store.close();
  return pages.map(({ name, pagetype, page }) => [`${pagetype} page ${page} of ${name}`, page] as const);
}

describe("a store in which a page is damaged", () => {
  it("keeps every message of the other pages, whichever page it is", REPEATED, async () => {
    const random = seededRandom("pages");
    const all = pagesToBreak();
    const chosen = all.filter(([name]) =>
      /sqlite_schema|of messages|of conversations|of memories/.test(name),
    );
    for (const [label, page] of times({ short: 0, long: 1 }) === 1 ? all : chosen) {
      const from = (page - 1) * PAGE;
      const tried = await damage(
        DATABASE_NAME,
        (bytes) => {
          for (let at = from; at < from + PAGE; at++) bytes[at] = random.below(256);
          return bytes;
        },
        label,
      );
      expect([label, tried.found.ok]).toEqual([label, false]);
      expect([label, lostUnharmed(tried, (hit) => hit === page)]).toEqual([label, []]);
      rmSync(tried.place, { recursive: true, force: true });
    }
  });

  it("keeps what is before the end of a file that was cut off", REPEATED, async () => {
    const random = seededRandom("cuts");
    for (let round = 0; round < times({ short: 2, long: 40 }); round++) {
      const length = PAGE + random.below(database.length - PAGE);
      const tried = await damage(DATABASE_NAME, (bytes) => bytes.subarray(0, length), `cut at ${length}`);
      expect(tried.found.ok).toBe(false);
      expect(lostUnharmed(tried, (page) => page * PAGE > length)).toEqual([]);
      expect(tried.repaired.damagedFile).not.toBeNull();
      expect(readFileSync(tried.repaired.damagedFile ?? "").length).toBeLessThanOrEqual(length + PAGE);
      rmSync(tried.place, { recursive: true, force: true });
    }
  });
});

describe("a message that is damaged, and still in the transcript it was imported from", () => {
  it("is read again from there", async () => {
    const at = database.indexOf("an abandoned question");
    expect(at).toBeGreaterThan(0);
    const { found, repaired, after } = await damage(DATABASE_NAME, flip(at + 3), "imported");
    expect(found.problems.filter(({ check }) => check === "chain")).toMatchObject([{ repairable: true }]);
    expect(repaired).toMatchObject({ ok: true, problems: [] });
    expect(after.messages).toEqual(before.messages);
  });
});

describe("a backup of a damaged store", () => {
  async function backUp(place: string) {
    const engine = await setUpIn(place).open({ mustExist: true });
    try {
      return await runOperation(backup, engine, { verify: true });
    } finally {
      await engine.close();
    }
  }

  it("is restored with what it holds, says what is missing, and is checked by reading it back", async () => {
    const place = path.join(folder, "backed-up");
    // A result of a tool, without which its message cannot be read; the first by hash is an attached file.
    const [, file = ""] = externalised();
    damagedCopy(sound, place, file, flip(30));
    const made = await backUp(place);
    expect(made.damages).toHaveLength(1);
    expect(made.checked?.messages).toBe(before.messages.size - 1);
    const target = setUpIn(path.join(folder, "restored"));
    const restored = await runOperation(restore, target, { file: made.file });
    expect(restored.damages).toEqual(made.damages);
    const { problems } = await runOperation(verify, target, {});
    expect(problems.map(({ conversation, seq }) => [conversation, seq])).toContainEqual([
      made.damages[0]?.conversation,
      made.damages[0]?.seq,
    ]);
  });

  it("is restored with its context when a file is damaged, and names the message that it belongs to", async () => {
    const checks = new Set<string>();
    for (const [index, file] of externalised().entries()) {
      const place = path.join(folder, `file-${index}`);
      damagedCopy(sound, place, file, flip(30));
      const { file: made } = await backUp(place);
      const target = setUpIn(path.join(folder, `file-${index}-restored`));
      const { damages } = await runOperation(restore, target, { file: made });
      const { problems } = await runOperation(verify, target, {});
      const named = problems.map(({ conversation, seq }) => ({ conversation, seq }));
      expect(named).toEqual(damages.map(({ conversation, seq }) => ({ conversation, seq })));
      expect(named).toEqual([{ conversation: expect.any(String), seq: expect.any(Number) }]);
      for (const { check } of problems) checks.add(check);
    }
    expect([...checks].toSorted()).toEqual(["chain", "files"]);
  });

  it("is refused by its check when a byte of it is flipped", async () => {
    const engine = await setUpIn(sound).open({ mustExist: true });
    const elsewhere = path.join(folder, "elsewhere");
    mkdirSync(elsewhere);
    const made = await runOperation(backup, engine, { folder: elsewhere, verify: true });
    expect(made).toMatchObject({ damages: [], checked: { messages: before.messages.size } });
    writeFileSync(made.file, flip(2_000)(readFileSync(made.file)));
    await expect(runOperation(backup, engine, { folder: made.file, verify: true })).rejects.toMatchObject({
      code: "store-corrupt",
    });
    await engine.close();
  });
});
