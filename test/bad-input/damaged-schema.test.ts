/**
 * A byte in the header of a database, or in the text of its schema, damages no message. Whichever it is: a backup and an export have
 * everything, and a repair makes a store that has everything.
 */
import { rmSync, truncateSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../src/index.ts";
import { runOperation } from "../../src/operations/run-operation.ts";
import { setUp } from "../../src/operations/setup.ts";
import { backup } from "../../src/operations/store/backup.ts";
import { exportStore } from "../../src/operations/store/export.ts";
import { verify } from "../../src/operations/store/verify.ts";
import { DATABASE_NAME } from "../../src/store/sqlite/index.ts";
import { lcm } from "../cli/lcm.ts";
import { seededRandom } from "../crash/seeded-random.ts";
import { REPEATED, times } from "../run-length.ts";
import { temporaryFolder } from "../temporary-store.ts";
import { damagedCopy, fillStore } from "./damaged-store.ts";

const PAGE = 4096;
const folder = temporaryFolder();
const sound = path.join(folder, "sound");
let schemaPages: number[];
let messages: number;

beforeAll(async () => {
  await fillStore(sound, path.join(folder, "transcripts"), 2);
  const store = new DatabaseSync(path.join(sound, DATABASE_NAME), { readOnly: true });
  const rows = store.prepare("SELECT pageno FROM dbstat WHERE name = 'sqlite_schema'").all();
  schemaPages = rows.map(({ pageno }) => Number(pageno));
  messages = Number(store.prepare("SELECT count(*) AS count FROM messages").get()?.count);
  store.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let copies = 0;

function copyWith(change: (bytes: Buffer) => void): string {
  const place = path.join(folder, `copy-${++copies}`);
  damagedCopy(sound, place, DATABASE_NAME, (bytes) => {
    change(bytes);
    return bytes;
  });
  return place;
}

async function withEngine<Output>(place: string, run: (engine: Engine) => Promise<Output>): Promise<Output> {
  const engine = await setUp({ options: { dataDir: place, logLevel: "silent" } }).open({
    mustExist: true,
    readsDamaged: true,
  });
  try {
    return await run(engine);
  } finally {
    await engine.close();
  }
}

/** What a person would try, in order, and how many messages each has. */
async function tryAll(label: string, damage: (bytes: Buffer) => void) {
  const place = copyWith(damage);
  try {
    const backedUp = await withEngine(place, (engine) => runOperation(backup, engine, { verify: true }));
    const file = path.join(place, "export.jsonl");
    const exported = await withEngine(place, (engine) => runOperation(exportStore, engine, { file }));
    const setup = setUp({ options: { dataDir: place, logLevel: "silent" } });
    const repaired = await runOperation(verify, setup, { repair: true });
    const { problems } = await runOperation(verify, setup, {});
    return {
      backedUp: backedUp.messages,
      exported: exported.messages,
      repaired: repaired.messages,
      problems: problems.map(({ message }) => message),
    };
  } catch (error) {
    throw new Error(label, { cause: error });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function whole() {
  return { backedUp: messages, exported: messages, repaired: messages, problems: [] };
}

const HEADER = 100;
/** The size of pages, who may write, formats, the encoding, the version, whose file it is, and what the first page is. */
const TRIED = [16, 18, 47, 59, 62, 68, 100];
/** The lowest byte of the version: another one may be that of a newer version, which is refused. */
const VERSION = 63;

describe("a database of which one byte of the header or the schema is flipped", () => {
  // promise: evident
  it("is backed up, exported and repaired as a whole", REPEATED, async () => {
    const random = seededRandom("schema");
    const inSchema = () =>
      ((schemaPages[random.below(schemaPages.length)] ?? 1) - 1) * PAGE + random.below(PAGE);
    const header =
      times({ short: 0, long: 1 }) === 1 ? Array.from({ length: HEADER + 8 }, (_, at) => at) : TRIED;
    const others = Array.from({ length: times({ short: 4, long: 500 }) }, inSchema);
    for (const at of [...header, ...others].filter((one) => one !== VERSION)) {
      const value = 1 + random.below(255);
      const label = `byte ${at} with ${value}`;
      const tried = await tryAll(label, (bytes) => {
        bytes[at] = (bytes[at] ?? 0) ^ value;
      });
      expect({ label, ...tried }).toEqual({ label, ...whole() });
    }
  });

  it("loses nothing when all of its first page is noise", async () => {
    const random = seededRandom("first page");
    const tried = await tryAll("first page", (bytes) => {
      for (let at = 0; at < PAGE; at++) bytes[at] = random.below(256);
    });
    expect(tried).toEqual(whole());
  });

  it("is not said to be in order when nothing of it could be read", async () => {
    const place = copyWith(() => {});
    truncateSync(path.join(place, DATABASE_NAME), PAGE);
    const repaired = await lcm(["--data", place, "verify", "--repair", "--yes", "--json"]);
    expect(repaired.code).toBe(6);
    expect(JSON.parse(repaired.stdout)).toMatchObject({
      ok: false,
      lost: expect.arrayContaining(["no stored data could be read"]),
    });
  });

  it("is read by the commands, which name what is damaged", async () => {
    const place = copyWith((bytes) =>
      bytes.write("CREATE TABLX", bytes.indexOf("CREATE TABLE conversations")),
    );
    const read = await lcm(["--data", place, "conversations"]);
    expect([read.code, read.stderr]).toEqual([6, expect.stringContaining("lcm verify --repair")]);
    for (const command of [["backup"], ["export", "--output", path.join(place, "export.jsonl")]]) {
      const { code, stdout } = await lcm(["--data", place, ...command]);
      expect([command, code]).toEqual([command, 6]);
      expect(stdout).toContain("malformed database schema");
    }
    const repaired = await lcm(["--data", place, "verify", "--repair", "--yes", "--json"]);
    const damagedFile = expect.stringContaining(".damaged-");
    expect([repaired.code, JSON.parse(repaired.stdout)]).toMatchObject([
      0,
      { ok: true, lost: [], damagedFile },
    ]);
    expect((await lcm(["--data", place, "verify"])).code).toBe(0);
  });
});
