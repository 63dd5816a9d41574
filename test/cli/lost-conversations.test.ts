/** A page of conversations that is lost takes no conversation with it: what indexes and transcripts know is enough. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, it } from "vitest";
import type { verify } from "../../src/operations/store/verify.ts";
import { DATABASE_NAME } from "../../src/store/sqlite/index.ts";
import { lcm, lcmJson, temporaryFolder } from "./lcm.ts";
import { importInto, withEngine } from "./stores.ts";
import { writeFolder } from "./transcripts.ts";

const PAGE = 4096;
const folder = temporaryFolder();
const sound = path.join(folder, "sound");
let transcripts: string;
let before: readonly string[];

beforeAll(async () => {
  transcripts = writeFolder(folder);
  await importInto(sound, transcripts);
  before = await idsIn(sound);
});

function idsIn(place: string): Promise<readonly string[]> {
  return withEngine(place, async ({ context }) => {
    const { conversations } = await context.conversations.list();
    return conversations.map(({ id, sessionId }) => `${id} ${sessionId}`).toSorted();
  });
}

/** Turns the pages of these tables and indexes into noise. */
function placeWithout(name: string, ...lost: string[]): string {
  const place = path.join(folder, name);
  cpSync(sound, place, { recursive: true });
  const file = path.join(place, DATABASE_NAME);
  const database = new DatabaseSync(file, { readOnly: true });
  const pages = lost.flatMap((table) =>
    database
      .prepare("SELECT pageno FROM dbstat WHERE name = ?")
      .all(table)
      .map((row) => Number(row.pageno)),
  );
  database.close();
  const bytes = readFileSync(file);
  for (const page of pages) bytes.fill(0xa5, (page - 1) * PAGE, page * PAGE);
  writeFileSync(file, bytes);
  return place;
}

async function importAgain(place: string): Promise<number> {
  const { totals } = await lcmJson<{ totals: { imported: number } }>([
    "--data",
    place,
    "import",
    transcripts,
  ]);
  return totals.imported;
}

describe("a store that lost its page of conversations", () => {
  it("is repaired under the ids and sessions of before, which are named, and takes nothing in twice", async () => {
    const place = placeWithout("by-index", "conversations");
    const { code, stdout } = await lcm(["--data", place, "verify", "--repair", "--yes", "--json"]);
    const { lost }: Awaited<ReturnType<typeof verify.run>> = JSON.parse(stdout);
    expect([code, lost.length]).toEqual([6, before.length + 1]);
    expect(lost[0]).toMatch(/^page \d+ of conversations cannot be read$/);
    expect(await idsIn(place)).toEqual(before);
    expect(await importAgain(place)).toBe(0);
    expect(await lcm(["--data", place, "verify"])).toMatchObject({ code: 0 });
  });

  it("takes nothing in twice either when its indexes are lost as well", async () => {
    const indexes = [
      "sqlite_autoindex_conversations_1",
      "conversations_session_idx",
      "conversations_recent_idx",
    ];
    const place = placeWithout("by-path", "conversations", ...indexes);
    expect(await lcm(["--data", place, "verify", "--repair", "--yes"])).toMatchObject({ code: 6 });
    expect(await importAgain(place)).toBe(0);
    expect(await idsIn(place)).toHaveLength(before.length);
  });
});

describe("a store that lost a page", () => {
  it("is in order after a repair if the check finds that no row is missing", async () => {
    // One table is empty, the other one is made again from the messages.
    const place = placeWithout("no-loss", "memory_sources", "message_parts");
    const copy = placeWithout("no-loss-again", "memory_sources", "message_parts");
    const shown = await lcm(["--data", place, "verify", "--repair", "--yes"]);
    expect([shown.code, shown.stdout]).toEqual([
      0,
      expect.stringMatching(/^✓ 4 conversations, 14 messages/m),
    ]);
    expect(shown.stdout).toMatch(/no row of them is missing:\n {2}page \d+ of /);
    const { stdout } = await lcm(["--data", copy, "verify", "--repair", "--yes", "--json"]);
    const { ok, recovered, lost }: Awaited<ReturnType<typeof verify.run>> = JSON.parse(stdout);
    expect([ok, recovered.length, lost]).toEqual([true, 2, []]);
    expect(await lcm(["--data", place, "verify"])).toMatchObject({ code: 0 });
  });

  it("is not in order if only the repair can tell that rows are missing", async () => {
    const place = placeWithout("uses", "memory_uses");
    const { code, stdout } = await lcm(["--data", place, "verify", "--repair", "--yes"]);
    expect([code, stdout]).toEqual([
      6,
      expect.stringMatching(/^✗ .*: everything that could be read is correct; the rest is lost\.$/m),
    ]);
  });
});
