import path from "node:path";
import { z } from "zod";
import type { Engine } from "../engine.ts";
import { archiveLines, writeArchive } from "../store/archive.ts";
import { archiveSchema } from "./archive-schema.ts";
import { archiveOptions, timestamp } from "./backups.ts";
import { defineOperation } from "./operation.ts";

export const exportStore = defineOperation({
  name: "export",
  summary:
    "Write the whole store, every tenant and agent, as JSON lines that import takes back on any engine.",
  input: z.strictObject({
    file: z
      .string()
      .min(1)
      .exactOptional()
      .describe(
        "File to write; compressed when its name ends in .zst. Default: palimpsest-export-<time>.jsonl here.",
      ),
  }),
  output: archiveSchema,
  run: (engine, input, use) => {
    const file = input.file ?? `palimpsest-export-${timestamp(engine.clock())}.jsonl`;
    return writeArchive(engine.store, path.resolve(file), archiveOptions(use));
  },
});

/** The same lines for a caller that has a stream and no file. */
export function exportLines(engine: Engine): AsyncIterable<string> {
  const counted = { file: "", rows: 0, bytes: 0, conversations: 0, messages: 0, sha256: "" };
  return archiveLines(engine.store, counted);
}
