import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setDatabaseAside } from "./set-aside.ts";

describe("a database that is set aside", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), "palimpsest-aside-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("takes SQLite's own files along, byte for byte, and leaves everything else", () => {
    const names = ["palimpsest.db", "palimpsest.db-shm", "palimpsest.db-wal", "other"];
    for (const name of names) writeFileSync(path.join(folder, name), `content of ${name}`);
    const target = setDatabaseAside(folder, "damaged-now");
    expect(target).toBe(path.join(folder, "palimpsest.db.damaged-now"));
    expect(readdirSync(folder).sort()).toEqual([
      "other",
      "palimpsest.db.damaged-now",
      "palimpsest.db.damaged-now-shm",
      "palimpsest.db.damaged-now-wal",
    ]);
    expect(readFileSync(`${target}-wal`, "utf8")).toBe("content of palimpsest.db-wal");
  });
});
