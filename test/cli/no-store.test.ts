import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { freshDatabase } from "../start-postgres.ts";
import { lcm, spawnLcm, temporaryFolder } from "./lcm.ts";
import { contentOf, importInto } from "./stores.ts";
import { neutral, said } from "./transcripts.ts";

const folder = temporaryFolder();
const data = path.join(folder, "data");
const file = path.join(folder, "notes.jsonl");

beforeAll(async () => {
  writeFileSync(file, neutral("notes", [said("user", "kept", "n1")]));
  await importInto(data, file);
});

describe("where no store is", () => {
  const reading = [
    ["conversations"],
    ["read", "notes"],
    ["transcript", "notes"],
    ["status"],
    ["verify"],
    ["export", "--output", "-"],
    ["backup"],
    ["audit"],
    ["erase", "notes", "--yes"],
    ["conversations", "delete", "notes", "--yes"],
  ];

  it("every command that makes none says so, names the folder, and leaves it as it is", async () => {
    const missing = path.join(folder, "mistyped");
    const empty = path.join(folder, "empty");
    mkdirSync(empty);
    for (const [place, args] of reading.flatMap((args) => [
      [missing, args] as const,
      [empty, args] as const,
    ])) {
      const { code, stdout, stderr } = await lcm(args, { environment: { LCM_DATA_DIR: place } });
      expect({ args, code, stdout }).toEqual({ args, code: 3, stdout: "" });
      expect(stderr).toContain(`error: no store in ${place}\n`);
      expect(stderr).toContain(`lcm memory store <text> --data ${place}`);
      expect(stderr).toContain(`lcm import <file or folder> --data ${place}`);
    }
    expect(readdirSync(empty)).toEqual([]);
    expect(readdirSync(folder).toSorted()).toEqual(["data", "empty", "notes.jsonl"]);
  });

  it("doctor finds nothing wrong with that, and makes nothing", async () => {
    const empty = path.join(folder, "empty");
    const { stdout } = await lcm(["--data", empty, "doctor"]);
    expect(stdout).toMatch(/^✓ store +nothing is stored yet$/m);
    expect(readdirSync(empty)).toEqual([]);
  });

  it("restore makes one without asking, since nothing is replaced", async () => {
    const place = path.join(folder, "restored");
    const backup = path.join(folder, "backup.jsonl");
    writeFileSync(backup, await contentOf(data));
    const restored = await lcm(["--data", place, "restore", backup]);
    expect(restored).toMatchObject({ code: 0, stderr: "" });
    expect(await contentOf(place)).toBe(await contentOf(data));
    const asked = await lcm(["--data", place, "restore", backup]);
    expect(asked).toMatchObject({ code: 2, stdout: "" });
    expect(asked.stderr).toContain("pass --yes");
  });

  it("on PostgreSQL no tables are made either", async () => {
    const database = await freshDatabase(inject("postgresUrl"));
    try {
      const there = ["--database-url", database.url];
      const [listed, again, health] = [
        await lcm([...there, "conversations"]),
        await lcm([...there, "status"]),
        await lcm([...there, "doctor"], { folder }),
      ];
      expect([listed.code, again.code]).toEqual([3, 3]);
      expect(listed.stderr).toMatch(/^error: no store in the schema palimpsest of /);
      expect(listed.stderr).not.toContain(new URL(database.url).password);
      expect(health.stdout).toMatch(/^✓ store +nothing is stored yet$/m);
    } finally {
      await database.drop();
    }
  });
});

describe("a store that this user may not look at", () => {
  it("is not taken for a missing one: the missing permission is named, also by doctor", async () => {
    const closed = path.join(folder, "closed");
    await importInto(closed, file);
    chmodSync(folder, 0o755);
    chmodSync(closed, 0o000);
    try {
      const run = (...args: string[]) => spawnLcm(["--data", closed, ...args], { ordinaryUser: true });
      const [listed, json, health, imported] = await Promise.all([
        run("conversations"),
        run("status", "--json"),
        run("doctor"),
        run("import", file),
      ]);
      expect(listed).toMatchObject({ code: 5, stdout: "" });
      expect(listed.stderr).toContain(`${closed} cannot be read: permission denied (EACCES)\n`);
      expect(listed.stderr).toContain("Let this user read and write");
      expect([json.code, JSON.parse(json.stdout).error.code]).toEqual([5, "store-unavailable"]);
      expect(health.code).toBe(6);
      expect(health.stdout).toMatch(/^✗ store .*permission denied/m);
      expect(imported).toMatchObject({ code: 5, stdout: "" });
      expect(imported.stderr).toContain("permission denied (EACCES)");
    } finally {
      chmodSync(closed, 0o700);
    }
  });
});

describe("a database file of another kind", () => {
  it("ends the daemon and watch with a message", async () => {
    const place = path.join(folder, "text");
    mkdirSync(place);
    writeFileSync(
      path.join(place, "palimpsest.db"),
      "A text that is long enough for the header of a database. ".repeat(4),
    );
    for (const command of ["watch", "daemon"]) {
      const { code, stderr } = await spawnLcm(["--data", place, command]);
      expect({ code, command }).toEqual({ code: 6, command });
      expect(stderr).toContain("palimpsest.db: file is not a database");
    }
  });
});

describe("a folder that this user may not write", () => {
  it("is refused by the daemon as by watch", async () => {
    chmodSync(folder, 0o755);
    const closed = path.join(folder, "unwritable");
    mkdirSync(closed, { mode: 0o555 });
    for (const place of [closed, path.join(closed, "new")])
      for (const command of ["watch", "daemon"]) {
        const { code, stderr } = await spawnLcm(["--data", place, command], { ordinaryUser: true });
        expect({ code, command }).toEqual({ code: 5, command });
        expect(stderr).toContain(`${place}`);
        expect(stderr).toMatch(
          /permission denied \(EACCES\)\n.*Choose a folder this user may write to, with --data/,
        );
      }
  });
});

describe("a store that may only be read", () => {
  it("is read and checked, refuses to be changed, and stays as it is", async () => {
    chmodSync(folder, 0o755);
    chmodSync(path.join(data, "palimpsest.db"), 0o444);
    chmodSync(data, 0o555);
    const makeWritable = () => {
      chmodSync(data, 0o700);
      chmodSync(path.join(data, "palimpsest.db"), 0o600);
    };
    const run = (...args: string[]) => spawnLcm(["--data", data, ...args], { ordinaryUser: true });
    try {
      const [shown, verified, exported, status] = await Promise.all([
        run("read", "notes"),
        run("verify"),
        run("export", "--output", "-"),
        run("status"),
      ]);
      expect([shown.stderr, shown.code]).toEqual(["", 0]);
      expect(shown.stdout).toContain("kept");
      expect(verified.stdout).toContain("1 conversation, 1 message and 0 summaries checked");
      expect(status.stdout).toMatch(/^durability +access read only$/m);
      const [renamed, erased, imported, health] = await Promise.all([
        run("conversations", "rename", "notes", "other"),
        run("erase", "notes", "--yes"),
        run("import", file),
        run("doctor"),
      ]);
      for (const { code, stdout, stderr } of [renamed, erased, imported]) {
        expect({ code, stdout }).toEqual({ code: 5, stdout: "" });
        expect(stderr).toMatch(/writ/);
      }
      expect(health.stdout).toMatch(/^✗ data folder .* is not writable/m);
      expect(health.stdout).toMatch(/^✓ store /m);
      expect(readdirSync(data)).toEqual(["palimpsest.db"]);
      makeWritable();
      expect(await contentOf(data)).toBe(exported.stdout);
    } finally {
      makeWritable();
    }
  });
});
