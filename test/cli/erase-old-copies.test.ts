/** What a repair keeps of a damaged store has the words that are erased later: an erasure names it. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import type { erase } from "../../src/operations/erase.ts";
import { lcmJson, temporaryFolder } from "./lcm.ts";
import { importInto } from "./stores.ts";
import { neutral, said } from "./transcripts.ts";

it("names a damaged database that was kept, what a killed repair has left, and an unfinished backup", async () => {
  const folder = temporaryFolder();
  const data = path.join(folder, "data");
  const transcript = path.join(folder, "notes.jsonl");
  writeFileSync(transcript, neutral("notes", [said("user", "the words", "n1")]));
  await importInto(data, transcript);
  mkdirSync(path.join(data, "backups"), { recursive: true });
  const copies = [
    "backups/palimpsest-2026.jsonl.zst.part",
    "palimpsest.db.damaged-2026",
    "palimpsest.db.damaged-2026-wal",
    "palimpsest.db.salvage-0123456789abcdef",
    "palimpsest.db.salvaged",
  ].map((name) => path.join(data, name));
  for (const copy of copies) writeFileSync(copy, "the words");
  const { backups } = await lcmJson<Awaited<ReturnType<typeof erase.run>>>([
    "--data",
    data,
    "erase",
    "notes",
    "--yes",
  ]);
  expect(backups).toEqual(copies);
});
