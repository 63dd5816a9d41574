import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { deleteConversation } from "../../src/operations/conversations/conversations-delete.ts";
import { erase } from "../../src/operations/erase.ts";
import { ENGINES, temporaryPlace } from "../temporary-store.ts";
import { lcm, lcmJson, temporaryFolder } from "./lcm.ts";
import { contentOf, importInto } from "./stores.ts";
import { neutral, said } from "./transcripts.ts";

type Erased = Awaited<ReturnType<typeof erase.run>>;
type Deleted = Awaited<ReturnType<typeof deleteConversation.run>>;

const folder = temporaryFolder();
const file = path.join(folder, "notes.jsonl");
const messages = ["one", "two", "three", "four"].map((text, index) => said("user", text, `n${index}`));
writeFileSync(file, neutral("notes", messages));

describe.each(ENGINES)("a backup in a folder of the caller's choice, on %s", (engine) => {
  it("is named by every later answer that concerns it, also after a restore and by other tenants", async () => {
    const place = await temporaryPlace(engine);
    try {
      const there = [engine === "sqlite" ? "--data" : "--database-url", place.store];
      const run = <Answer>(...args: string[]) => lcmJson<Answer>([...there, ...args], { folder });
      const chosen = path.join(folder, `elsewhere-${engine}`);
      await importInto(place.store, file);
      const missing = await lcm([...there, "backup", chosen], { folder });
      expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining(`lcm backup -o ${chosen}`) });
      mkdirSync(chosen);
      const before = path.join(folder, `before-${engine}.jsonl`);
      writeFileSync(before, await contentOf(place.store));
      const { file: backup } = await run<{ file: string }>("backup", chosen);
      expect(path.dirname(backup)).toBe(chosen);
      expect(await run("status")).toMatchObject({ lastBackup: { file: backup } });
      expect(await run("audit")).toMatchObject({
        records: [{ action: "backup", conversation: null, detail: { file: backup } }],
      });

      const erased = await run<Erased>("erase", "notes", "--from", "1", "--yes");
      expect(() => erase.output.parse(erased)).not.toThrow();
      expect(erased).toMatchObject({ backups: [backup], missingBackups: [] });
      const shown = await lcm([...there, "erase", "notes", "--from", "2", "--yes"], { folder });
      expect(shown.stdout).toContain(`Earlier backups that still contain it:\n  ${backup}\n`);

      const other = { folder, environment: { LCM_TENANT: "other" } };
      await lcm([...there, "import", file], other);
      const theirs = await lcmJson<Erased>([...there, "erase", "notes", "--yes"], other);
      expect(theirs.backups).toEqual([backup]);

      // A file from before the backup takes the store's place: where the backup is stays known.
      const { safetyBackup } = await run<{ safetyBackup: string }>("restore", before, "--yes");
      const restored = await run<Erased>("erase", "notes", "--from", "3", "--yes");
      expect(restored.backups.toSorted()).toEqual([backup, safetyBackup].toSorted());

      renameSync(backup, path.join(folder, `moved-${engine}`));
      const moved = await lcm([...there, "erase", "notes", "--from", "4", "--yes"], { folder });
      expect(moved.stdout).toMatch(
        new RegExp(`\\nEarlier backups that were moved or deleted.*:\\n  ${backup}\\n`),
      );
      const deleted = await run<Deleted>("conversations", "delete", "notes", "--yes");
      expect(() => deleteConversation.output.parse(deleted)).not.toThrow();
      expect(deleted).toMatchObject({ backups: [safetyBackup], missingBackups: [backup] });
      rmSync(safetyBackup);
    } finally {
      await place.dispose();
    }
  });
});

describe("a backup in the store's own folder", () => {
  it("is found there and changes nothing in the store", async () => {
    const data = path.join(folder, "own");
    await importInto(data, file);
    const before = await contentOf(data);
    const { file: backup } = await lcmJson<{ file: string }>(["--data", data, "backup"]);
    expect(await contentOf(data)).toBe(before);
    expect(await lcmJson(["--data", data, "status"])).toMatchObject({ lastBackup: { file: backup } });
  });

  it("is known there under a name of the caller's choice, and is compressed by its ending", async () => {
    const data = path.join(folder, "named");
    await importInto(data, file);
    const [plain, compressed] = [path.join(folder, "b.bak"), path.join(folder, "b.zst")];
    await lcmJson(["--data", data, "backup", "-o", plain, "--verify"]);
    await lcmJson(["--data", data, "backup", "-o", compressed]);
    expect(readFileSync(plain, "utf8")).toContain('{"row":"end"');
    expect(readFileSync(compressed).readUInt32LE()).toBe(0xfd2fb528);
    expect(await lcmJson(["--data", data, "status"])).toMatchObject({ lastBackup: { file: compressed } });
    const again = await lcm(["--data", data, "backup", "-o", plain]);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("b.bak already exists") });
    const copy = path.join(folder, "named-copy");
    await lcmJson(["--data", copy, "restore", plain]);
    expect(await contentOf(copy)).toContain('"notes"');
  });

  it("is not written where two places are named, or a file where a folder is expected", async () => {
    const data = path.join(folder, "own");
    const refused = [[folder, "-o", path.join(folder, "c")], ["-o", "-"], [file]];
    for (const words of refused)
      expect(await lcm(["--data", data, "backup", ...words])).toMatchObject({ code: 2 });
    expect(existsSync(path.join(folder, "c"))).toBe(false);
  });
});
