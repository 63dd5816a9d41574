import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { restore } from "../../src/operations/store/restore.ts";
import { DATABASE_NAME } from "../../src/store/sqlite/index.ts";
import { lcm, lcmJson, temporaryFolder } from "./lcm.ts";
import { contentOf, importInto } from "./stores.ts";
import { writeFolder } from "./transcripts.ts";

type Restored = Awaited<ReturnType<typeof restore.run>>;

const folder = temporaryFolder();
const sound = path.join(folder, "sound");
let content: string;
let backup: string;
let database: Buffer;
let places = 0;

beforeAll(async () => {
  await importInto(sound, writeFolder(folder));
  content = await contentOf(sound);
  backup = (await lcmJson<{ file: string }>(["--data", sound, "backup"])).file;
  database = readFileSync(path.join(sound, DATABASE_NAME));
});

/** A data folder with these files in it. */
function placeWith(files: Readonly<Record<string, Uint8Array>>): string {
  const place = path.join(folder, `place-${++places}`);
  mkdirSync(place);
  for (const [name, bytes] of Object.entries(files)) writeFileSync(path.join(place, name), bytes);
  return place;
}

function filesIn(place: string): Record<string, string> {
  const names = readdirSync(place, { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names.map(({ name }) => [name, readFileSync(path.join(place, name)).toString("base64")]),
  );
}

const DAMAGES: readonly [string, (bytes: Buffer) => Buffer][] = [
  ["is something else", () => Buffer.from("These are no pages of a database.\n".repeat(300))],
  ["has lost its first page", (bytes) => Buffer.from(bytes).fill(0xa5, 0, 4096)],
  ["is damaged inside", (bytes) => Buffer.from(bytes).fill(0xa5, 4096)],
  ["was cut in the middle", (bytes) => bytes.subarray(0, Math.floor(bytes.length / 8192) * 4096)],
  ["was cut within its first page", (bytes) => bytes.subarray(0, 1000)],
];

describe("lcm restore over a SQLite store whose file", () => {
  it.each(DAMAGES)("%s keeps that file and puts the backup in its place", async (_, damage) => {
    const damaged = damage(database);
    const place = placeWith({ [DATABASE_NAME]: damaged });
    const asked = await lcm(["--data", place, "restore", backup]);
    expect(asked).toMatchObject({ code: 2, stdout: "" });
    expect(readFileSync(path.join(place, DATABASE_NAME)).equals(damaged)).toBe(true);

    const { code, stdout, stderr } = await lcm(["--data", place, "restore", backup, "--yes"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^Restored 4 conversations with 14 messages\.$/m);
    const kept = /^The damaged database is kept as: (.*)$/m.exec(stdout)?.[1] ?? "";
    expect(kept).toMatch(/palimpsest\.db\.damaged-[\dT-]+Z$/);
    expect(readFileSync(kept).equals(damaged)).toBe(true);
    expect(await contentOf(place)).toBe(content);
  });

  it("is damaged is told of in JSON that fits the schema, once", async () => {
    const place = placeWith({ [DATABASE_NAME]: Buffer.alloc(8192, 0xa5) });
    const answer = await lcmJson<Restored>(["--data", place, "restore", backup, "--yes"]);
    expect(() => restore.output.parse(answer)).not.toThrow();
    expect(answer).toMatchObject({ safetyBackup: null, conversations: 4, messages: 14 });
    expect(path.dirname(answer.damagedFile ?? "")).toBe(place);
    const again = await lcmJson<Restored>(["--data", place, "restore", backup, "--yes"]);
    expect(again.damagedFile).toBeNull();
    expect(again.safetyBackup).toContain("-before-restore");
    expect(await contentOf(place)).toBe(content);
  });

  it("belongs to another application leaves it alone", async () => {
    const { DatabaseSync } = await import("node:sqlite");
    const place = placeWith({});
    const theirs = new DatabaseSync(path.join(place, DATABASE_NAME));
    theirs.exec("CREATE TABLE recipes (name TEXT)");
    theirs.close();
    const before = filesIn(place);
    expect(await lcm(["--data", place, "restore", backup, "--yes"])).toMatchObject({ code: 5, stdout: "" });
    expect(filesIn(place)).toEqual(before);
  });
});

describe("a backup that was cut off", () => {
  it("is refused, with what to do, and changes neither a sound store nor a damaged one", async () => {
    const packed = readFileSync(backup);
    const cuts: readonly [string, Uint8Array][] = [
      ["half.jsonl.zst", packed.subarray(0, packed.length / 2)],
      ["almost.jsonl.zst", packed.subarray(0, packed.length - 100)],
      ["start.jsonl.zst", packed.subarray(0, 20)],
      ["nothing.jsonl.zst", packed.subarray(0, 0)],
      ["half.jsonl", Buffer.from(content.slice(0, content.length / 2))],
      ["no-end.jsonl", Buffer.from(content.slice(0, content.lastIndexOf('{"row":"end"')))],
    ];
    const damaged = placeWith({ [DATABASE_NAME]: Buffer.alloc(8192, 0xa5) });
    const before = filesIn(damaged);
    for (const [name, bytes] of cuts) {
      const file = path.join(folder, name);
      writeFileSync(file, bytes);
      const [overSound, overDamaged, imported] = await Promise.all([
        lcm(["--data", sound, "restore", file, "--yes"]),
        lcm(["--data", damaged, "restore", file, "--yes"]),
        lcm(["--data", sound, "import", file]),
      ]);
      // Only an empty file, which could be anything, is not taken for a part of an export.
      expect([name, imported.code]).toEqual([name, bytes.length === 0 ? 2 : 6]);
      if (name.endsWith(".zst") && bytes.length > 0)
        expect(imported.stderr).toMatch(/ is cut off: it ends in the middle .*\n.*Copy it again/);
      for (const { code, stdout, stderr } of [overSound, overDamaged]) {
        expect([name, code, stdout]).toEqual([name, 6, ""]);
        expect(stderr).toContain(`${file} is cut off`);
        expect(stderr).toContain("Use another copy or an older backup");
      }
    }
    expect(await contentOf(sound)).toBe(content);
    expect(filesIn(damaged)).toEqual(before);
  });
});
