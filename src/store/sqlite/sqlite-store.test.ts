import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describeStore } from "../testing/conformance.ts";
import { openSqliteStore } from "./index.ts";

describeStore("SQLite", async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "palimpsest-"));
  return {
    open: () => openSqliteStore({ dataDir }),
    dispose: async () => rmSync(dataDir, { recursive: true, force: true }),
  };
});
