import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describeStore } from "../testing/conformance.ts";
import { DATABASE_NAME, openSqliteStore } from "./index.ts";

describeStore("SQLite", async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "palimpsest-"));
  return {
    open: () => openSqliteStore({ dataDir }),
    holds: async (bytes) =>
      ["", "-wal"]
        .map((ending) => path.join(dataDir, `${DATABASE_NAME}${ending}`))
        .some((file) => existsSync(file) && readFileSync(file).includes(Buffer.from(bytes))),
    dispose: async () => rmSync(dataDir, { recursive: true, force: true }),
  };
});
