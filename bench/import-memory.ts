/**
 * Memory while a large transcript is imported: a child process opens the engine, notes how much it holds, imports
 * the file, and reports the highest it ever held. What counts is the growth, by the kernel's high-water mark.
 *
 *   node bench/import-memory.ts [--megabytes 100] [--workload <file>]
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { MemoryReport } from "./import-in-child.ts";
import { checkLimit, DISK, figure, finish, printTable, temporaryFolder } from "./measure.ts";
import { StandardWorkload, WORKLOAD_FILE } from "./standard-workload.ts";

const LIMIT = { atMost: 150 };
const CHILD = fileURLToPath(new URL("./import-in-child.ts", import.meta.url));
/** More than any requested size needs; the generator is stopped when the file is long enough. */
const MESSAGES_PER_MEGABYTE = 1_000;

const { values: options } = parseArgs({
  options: {
    megabytes: { type: "string", default: "100" },
    workload: { type: "string", default: WORKLOAD_FILE },
  },
});

async function writeTranscript(file: string, megabytes: number): Promise<void> {
  const workload = await StandardWorkload.load(options.workload);
  const stream = createWriteStream(file);
  let bytes = 0;
  for (const line of workload.transcriptLines("large", { messages: megabytes * MESSAGES_PER_MEGABYTE })) {
    bytes += Buffer.byteLength(line, "utf8") + 1;
    if (!stream.write(`${line}\n`)) await once(stream, "drain");
    if (bytes >= megabytes * 1e6) break;
  }
  stream.end();
  await once(stream, "finish");
}

const folder = temporaryFolder(DISK);
const file = path.join(folder, "large.jsonl");
await writeTranscript(file, Number(options.megabytes));
const output = execFileSync(process.execPath, [CHILD, file, path.join(folder, "store")], {
  encoding: "utf8",
});
const report: MemoryReport = JSON.parse(output);
const growth = report.peakMb - report.beforeMb;
printTable(
  [
    "file MB",
    "messages",
    "seconds",
    "RSS before MB",
    "peak RSS MB",
    "growth MB",
    "sampled growth MB",
    "limit",
  ],
  [
    [
      figure(statSync(file).size / 1e6),
      figure(report.messages),
      figure(report.seconds),
      figure(report.beforeMb),
      figure(report.peakMb),
      figure(growth),
      figure(report.sampledPeakMb - report.beforeMb),
      checkLimit(growth, LIMIT),
    ],
  ],
);
finish();
