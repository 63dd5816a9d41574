/**
 * Embedding on this machine: texts a second and processor time a text with each engine, texts of 100 and of 400
 * characters. The fast engine is measured where `onnxruntime-node` can be imported, against the exact one in the same run.
 *
 *   node bench/embed.ts [--texts 20]
 */
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { SILENT } from "../src/log.ts";
import type { Embedder } from "../src/model/embed/embedder.ts";
import { type LocalEngine, localEmbedder } from "../src/model/embed/local/local-embedder.ts";
import { isRuntimeInstalled } from "../src/model/embed/local/onnx/runtime.ts";
import { checkLimit, finish } from "./check-limits.ts";
import { measure } from "./measure.ts";
import { figure, printTable } from "./print-table.ts";

const { values: options } = parseArgs({ options: { texts: { type: "string", default: "20" } } });
const CACHE = path.join(os.tmpdir(), "palimpsest-bench-embed");
const TEXTS = Number(options.texts);
/** Of the exact engine's processor time. */
const FAST_SHARE = { atMost: 0.25 };
const SAID =
  "The deployment failed because the database ran out of disk space, and nobody looked at the alerts until morning. ";

const textsOf = (length: number) =>
  Array.from({ length: TEXTS }, (_, n) => `${n} ${SAID.repeat(5)}`.slice(0, length));

async function costOf(embedder: Embedder, length: number) {
  const { wallMs, cpuMs } = await measure(() => embedder.embed(textsOf(length), { purpose: "passage" }));
  return { perSecond: (TEXTS / wallMs) * 1000, cpuMs: cpuMs / TEXTS };
}

const engines: readonly LocalEngine[] = isRuntimeInstalled() ? ["exact", "fast"] : ["exact"];
const rows: string[][] = [];
const exactCpu = new Map<number, number>();
for (const engine of engines) {
  const embedder = localEmbedder({ log: SILENT, cacheFolder: CACHE, engine });
  // Loads the model, and builds it where it is the first time.
  const start = await measure(() => embedder.embed(["x"], { purpose: "passage" }));
  for (const length of [100, 400]) {
    const { perSecond, cpuMs } = await costOf(embedder, length);
    const exact = exactCpu.get(length);
    if (exact === undefined) exactCpu.set(length, cpuMs);
    const verdict = exact === undefined ? "" : checkLimit(cpuMs / exact, FAST_SHARE);
    const share = exact === undefined ? "1" : figure(cpuMs / exact);
    rows.push([
      engine,
      figure(length),
      figure(perSecond),
      figure(cpuMs),
      share,
      verdict,
      figure(start.wallMs),
    ]);
  }
  await embedder.close();
}
printTable(["engine", "characters", "texts/s", "CPU ms", "of exact", "limit", "first text ms"], rows);
finish();
