import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { status } from "../../src/operations/status.ts";
import { verify } from "../../src/operations/store/verify.ts";
import { freshDatabase } from "../start-postgres.ts";
import { lcm, lcmJson, outcomeOf, startLcm, temporaryFolder } from "./lcm.ts";
import { longConversation, SMALL_CHUNKS } from "./long-conversations.ts";
import { contentOf, importInto } from "./stores.ts";
import { neutral, said, writeFolder } from "./transcripts.ts";

const folder = temporaryFolder();
const data = path.join(folder, "data");

beforeAll(async () => {
  await importInto(data, writeFolder(folder));
});

describe("lcm status", () => {
  it("says what is stored, where and how safely", async () => {
    const [shown, answer] = await Promise.all([
      lcm(["--data", data, "status"]),
      lcmJson<Awaited<ReturnType<typeof status.run>>>(["--data", data, "status"]),
    ]);
    expect(() => status.output.parse(answer)).not.toThrow();
    expect(answer).toMatchObject({ engine: "sqlite", conversations: 4, messages: 14, unreadableLines: 1 });
    expect(shown.stdout).toMatch(new RegExp(`^store +${data}/palimpsest\\.db$`, "m"));
    expect(shown.stdout).toMatch(/^contexts +\d+ tokens, with 0 summaries$/m);
    expect(shown.stdout).toMatch(/^durability +journal_mode wal, synchronous full/m);
    expect(shown.stdout).toMatch(/^scopes +default\/default \(tenant\/agent\)$/m);
  });
});

describe("lcm export and lcm import", () => {
  it("move a whole store to another folder, compressed or not, without a difference", async () => {
    const packed = path.join(folder, "store.jsonl.zst");
    const copies = [path.join(folder, "copy-1"), path.join(folder, "copy-2")] as const;
    const [streamed, report] = await Promise.all([
      lcm(["--data", data, "export"]),
      lcm(["--data", data, "export", "-o", packed]),
    ]);
    expect((await lcm(["--data", data, "export", "-o", "-"])).stdout).toBe(streamed.stdout);
    const plain = path.join(folder, "store.jsonl");
    writeFileSync(plain, streamed.bytes);
    expect(report.stdout).toContain("4 conversations, 14 messages");
    expect(statSync(packed).size).toBeLessThan(streamed.bytes.length / 2);
    const [loaded] = await Promise.all([
      lcm(["--data", copies[0], "import", plain]),
      lcm(["--data", copies[1], "import", packed]),
    ]);
    expect(loaded.stdout).toMatch(/^✓ store\.jsonl +14 messages {2}a whole store$/m);
    expect(await contentOf(copies[0])).toBe(streamed.stdout);
    expect(await contentOf(copies[1])).toBe(streamed.stdout);
    expect(await contentOf(data)).toBe(streamed.stdout);
  });

  it("move a whole store to PostgreSQL without a difference, and never show the password", async () => {
    const database = await freshDatabase(inject("postgresUrl"));
    try {
      const file = path.join(folder, "to-postgres.jsonl");
      writeFileSync(file, await contentOf(data));
      const there = ["--database-url", database.url];
      const loaded = await lcm([...there, "import", file]);
      expect(loaded).toMatchObject({ code: 0, stderr: "" });
      const [shown, health, exported] = await Promise.all([
        lcm([...there, "config", "show"]),
        lcm([...there, "doctor"], { folder }),
        lcm([...there, "export", "--output", path.join(folder, "from-postgres.jsonl")]),
      ]);
      expect(exported.stdout).toContain("--data <folder> (or --database-url <url>)");
      expect(await contentOf(database.url)).toBe(readFileSync(file, "utf8"));
      expect(shown.stdout).toContain("***@");
      const password = new URL(database.url).password;
      expect(`${shown.stdout}${health.stdout}${loaded.stdout}`).not.toContain(password);
      expect(health.stdout).toMatch(/✓ durability +fsync on, synchronous_commit on, full_page_writes on/);
    } finally {
      await database.drop();
    }
  });

  it("carry a compaction over to a store that has the conversation already", async () => {
    const source = path.join(folder, "source");
    const transcript = path.join(folder, "long.jsonl");
    writeFileSync(transcript, neutral("long", longConversation(20)));
    await importInto(source, transcript);
    const database = await freshDatabase(inject("postgresUrl"));
    try {
      const targets = [
        { place: path.join(folder, "target"), option: "--data" },
        { place: database.url, option: "--database-url" },
      ];
      const [first, second] = [path.join(folder, "first.jsonl"), path.join(folder, "second.jsonl")];
      writeFileSync(first, await contentOf(source));
      for (const { place } of targets) await importInto(place, first);
      await lcm(["--data", source, "compact", "long"], { environment: SMALL_CHUNKS });
      writeFileSync(second, await contentOf(source));
      for (const { place, option } of targets) {
        const loaded = await lcm([option, place, "import", second]);
        expect(loaded.stdout).toMatch(/^\d+ new summaries in /m);
        expect(await contentOf(place)).toBe(readFileSync(second, "utf8"));
        expect((await lcm([option, place, "verify"])).code).toBe(0);
        expect((await lcm([option, place, "import", second])).stdout).toMatch(/^Nothing new in /m);
      }
    } finally {
      await database.drop();
    }
  });

  it.each([["backup"], ["export"], ["memory", "export"]])(
    "say of %s that the folder does not exist",
    async (...words) => {
      const nowhere = path.join(folder, "nowhere");
      const file = path.join(nowhere, "store.jsonl");
      expect(await lcm(["--data", data, ...words, "-o", file])).toMatchObject({
        code: 2,
        stderr: `error: ${file} cannot be written: the folder ${nowhere} does not exist\nCreate the folder first, or choose another one.\n`,
      });
      expect(existsSync(nowhere)).toBe(false);
    },
  );

  it("do not pretend to leave tool results out of an export of the whole store", async () => {
    const file = path.join(folder, "private.jsonl");
    expect(await lcm(["--data", data, "export", "--without-tool-results", "-o", file])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("error: --without-tool-results requires --html\n"),
    });
    const streamed = await lcm(["--data", data, "export", "--without-tool-results"]);
    expect(streamed).toMatchObject({ code: 2, stdout: "" });
    expect(existsSync(file)).toBe(false);
  });

  it("refuse a damaged export, an existing file, and two uses of standard output", async () => {
    const damaged = path.join(folder, "damaged.jsonl");
    const untouched = path.join(folder, "untouched");
    writeFileSync(damaged, (await contentOf(data)).replace("kept too", "changed!"));
    const odd = path.join(folder, "odd.jsonl");
    writeFileSync(odd, '{"row":"palimpsest-store","version":1}\n{"row":"audit","tenant":7}\n');
    const [load, again, both, row] = await Promise.all([
      lcm(["--data", untouched, "import", damaged, "--json"]),
      lcm(["--data", data, "export", "--output", damaged]),
      lcm(["--data", data, "export", "--output", "-", "--json"]),
      lcm(["--data", untouched, "import", odd]),
    ]);
    expect(load.code).toBe(6);
    expect(JSON.parse(load.stdout).error.code).toBe("store-corrupt");
    expect(again).toMatchObject({ code: 2, stdout: "" });
    expect(row).toMatchObject({ code: 6, stdout: "" });
    expect(row.stderr).toContain(`${odd} is cut off or damaged: line 2: tenant must be text, not 7`);
    expect(both.code).toBe(2);
    expect(JSON.parse(both.stdout).error.code).toBe("invalid-input");
    expect(await contentOf(untouched)).not.toContain("conversation");
  });
});

describe("lcm backup and lcm restore", () => {
  it("bring back exactly what was there, also when others write, and name the safety backup", async () => {
    const place = path.join(folder, "busy");
    const many = Array.from({ length: 1500 }, (_, index) => said("user", `number ${index}`, `m${index}`));
    writeFileSync(path.join(folder, "many.jsonl"), neutral("many", many));
    await importInto(place, path.join(folder, "sessions"));
    const before = await contentOf(place);
    const writer = outcomeOf(startLcm(["--data", place, "import", path.join(folder, "many.jsonl")]));
    const backup = await lcmJson<{ file: string }>(["--data", place, "backup"]);
    expect((await writer).code).toBe(0);
    expect(path.dirname(backup.file)).toBe(path.join(place, "backups"));
    expect(statSync(backup.file).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(place, "backups")).mode & 0o777).toBe(0o700);

    const full = await contentOf(place);
    const file = path.join(folder, "before.jsonl");
    writeFileSync(file, before);
    const refused = await lcm(["--data", place, "restore", file]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    const restored = await lcm(["--data", place, "restore", file, "--yes"]);
    expect(restored.stdout).toMatch(/^Restored 4 conversations with 14 messages\.$/m);
    expect(await contentOf(place)).toBe(before);

    const safety = /Backup of the previous store: (.*)$/m.exec(restored.stdout)?.[1] ?? "";
    expect(safety).toMatch(/-before-restore\.jsonl\.zst$/);
    await lcm(["--data", place, "restore", safety, "--yes"]);
    expect(await contentOf(place)).toBe(full);
    // What the backup caught of the running import is whole: it can be restored, and it verifies.
    expect(await lcm(["--data", place, "restore", backup.file, "--yes"])).toMatchObject({ code: 0 });
    expect(await lcm(["--data", place, "verify"])).toMatchObject({ code: 0 });
    expect(readdirSync(path.join(place, "backups")).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  it("say of a backup to verify that it is missing or cut off, and nothing about imports", async () => {
    const missing = path.join(folder, "none.jsonl.zst");
    const none = await lcm(["--data", data, "backup", "--verify", missing]);
    expect(none).toMatchObject({ code: 3, stdout: "" });
    expect(none.stderr).toContain(`error: no such file or folder: ${missing}\nTo verify a backup`);
    const whole = path.join(folder, "to-cut.jsonl.zst");
    await lcm(["--data", data, "backup", "-o", whole]);
    const cut = path.join(folder, "cut.jsonl.zst");
    writeFileSync(cut, readFileSync(whole).subarray(0, -40));
    for (const args of [
      ["backup", "--verify", cut],
      ["restore", cut, "--yes"],
    ]) {
      const { code, stderr } = await lcm(["--data", data, ...args]);
      expect({ args, code }).toEqual({ args, code: 6 });
      expect(stderr).toContain("is cut off");
      expect(stderr).not.toContain("imported");
    }
  });

  it("refuse a file that is no backup and leave the store as it is", async () => {
    const before = await contentOf(data);
    const wrong = path.join(folder, "sessions", "notes.jsonl");
    const refused = await lcm(["--data", data, "restore", wrong, "--yes"]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("is not a backup or export");
    expect(await contentOf(data)).toBe(before);
  });
});

describe("lcm verify", () => {
  it("finds nothing wrong in a sound store, mends what can be mended, and tells what only a backup brings back", async () => {
    const place = path.join(folder, "tampered");
    const sessions = path.join(folder, "sessions that are gone");
    cpSync(path.join(folder, "sessions"), sessions, { recursive: true });
    await importInto(place, sessions);
    rmSync(sessions, { recursive: true });
    const sound = await lcm(["--data", place, "verify"]);
    expect(sound).toMatchObject({ code: 0, stderr: "" });
    expect(sound.stdout).toBe(
      "✓ 4 conversations, 14 messages and 0 summaries checked: all hashes, orders and links are correct.\n",
    );

    change(place, "DELETE FROM message_parts WHERE message_id = (SELECT min(message_id) FROM messages)");
    const [planned, unasked] = await Promise.all([
      lcm(["--data", place, "verify", "--plan"]),
      lcm(["--data", place, "verify", "--repair"]),
    ]);
    expect(planned.code).toBe(6);
    expect(planned.stdout).toMatch(
      /Planned repairs:\n +conv_[0-9a-f]{16}: index the parts of message 1 again/,
    );
    expect(unasked).toMatchObject({ code: 2, stdout: "" });
    const args = ["--data", place, "verify", "--repair", "--yes"];
    const repaired = await lcmJson<Awaited<ReturnType<typeof verify.run>>>(args);
    expect(() => verify.output.parse(repaired)).not.toThrow();
    expect(repaired).toMatchObject({ ok: true, repaired: 1, problems: [] });
    expect(statSync(repaired.backup ?? "").size).toBeGreaterThan(0);

    change(place, "UPDATE messages SET content = replace(content, 'kept too', 'forged!!')");
    const forged = await lcm(["--data", place, "verify"]);
    expect(forged.code).toBe(6);
    expect(forged.stdout).toMatch(
      /^✗ .*: 3 problems found\.\n {2}conv_[0-9a-f]{16} #2 .*\[restore it from a backup\]$/m,
    );
    expect(forged.stdout).toContain(`lcm --data ${place} restore`);

    change(place, "UPDATE messages SET encoding = 'zstd', content = x'00' WHERE seq = 1");
    const restored = await lcm(["--data", place, "restore", repaired.backup ?? "", "--yes"]);
    expect(restored.code).toBe(0);
    // The backup was made before the repair, so its index needs it again; its words are all there.
    expect((await lcm(["--data", place, "verify", "--repair", "--yes"])).code).toBe(0);
  });
});

function change(place: string, statement: string): void {
  const database = new DatabaseSync(path.join(place, "palimpsest.db"));
  database.exec(statement);
  database.close();
}
