/** The child of `import-memory.ts`: imports one file into a new store and prints how much memory that took. */
import { open } from "../src/engine.ts";
import { highWaterMark } from "./memory.ts";

export interface MemoryReport {
  readonly messages: number;
  readonly seconds: number;
  /** Resident memory just before the import, in MB of 10^6 bytes. */
  readonly beforeMb: number;
  /** The most that was ever resident, as the kernel knows it. */
  readonly peakMb: number;
  /** The most that was seen when looking every 20 ms. */
  readonly sampledPeakMb: number;
}

const [file, dataDir] = process.argv.slice(2);
if (file === undefined || dataDir === undefined) throw new Error("give a transcript and a data folder");

const engine = await open({ store: dataDir, background: "off" });
// The reader's thread starts with the first read; it belongs to what is there before.
await engine.context.conversations.list();

const before = process.memoryUsage.rss();
let sampledPeak = before;
const sampler = setInterval(() => {
  sampledPeak = Math.max(sampledPeak, process.memoryUsage.rss());
}, 20);
const start = performance.now();
const { imported } = await engine.context.conversations.import(file);
const seconds = (performance.now() - start) / 1000;
clearInterval(sampler);
const report: MemoryReport = {
  messages: imported,
  seconds,
  beforeMb: before / 1e6,
  peakMb: highWaterMark() / 1e6,
  sampledPeakMb: sampledPeak / 1e6,
};
await engine.close();
console.log(JSON.stringify(report));
