/** The child of `sweep.ts`: compacts one conversation as far as it goes and prints what that took. */
import type { CompactionPass } from "../src/context/compact/compaction-pass.ts";
import type * as Palimpsest from "../src/index.ts";
import type { Complete } from "../src/index.ts";
import { instantModel } from "./instant-model.ts";
import { measure } from "./measure.ts";
import { highWaterMark } from "./memory.ts";

const SUMMARISERS = ["instant model", "offline"] as const;
export type SummariserName = (typeof SUMMARISERS)[number];

export interface SweepReport {
  /** Messages that summaries cover afterwards. */
  readonly messages: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  /** The part of it that the replacement for a model took on the calling thread. */
  readonly modelMs: number;
  readonly passes: number;
  /** Passes whose summary is the model's first answer. */
  readonly accepted: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Resident memory just before the sweep, and the most that was ever resident; MB of 10^6 bytes. */
  readonly beforeMb: number;
  readonly peakMb: number;
}

/** Adds up the time of the replacement for a model, to separate it from ours. */
function timedModel(): { readonly complete: Complete; readonly spentMs: () => number } {
  let spent = 0;
  const complete: Complete = async (request) => {
    const start = performance.now();
    const answer = await instantModel(request);
    spent += performance.now() - start;
    return answer;
  };
  return { complete, spentMs: () => spent };
}

async function sweep(dataDir: string, summariser: SummariserName, program: string): Promise<SweepReport> {
  const { open }: typeof Palimpsest = await import(program);
  const { complete, spentMs } = timedModel();
  const model = summariser === "offline" ? {} : { complete };
  const engine = await open({ store: dataDir, background: "off", ...model });
  const conversation = (await engine.context.conversations.list()).conversations[0]?.id ?? "";
  const beforeMb = process.memoryUsage.rss() / 1e6;
  const passes: CompactionPass[] = [];
  const { contextTokens: tokensBefore } = await engine.context.conversations.get(conversation);
  const cost = await measure(() =>
    engine.context.compact({ conversation, onPass: (pass) => passes.push(pass) }),
  );
  const peakMb = highWaterMark() / 1e6;
  const { contextTokens: tokensAfter } = await engine.context.conversations.get(conversation);
  await engine.close();
  const leaves = passes.filter(({ kind }) => kind === "leaf");
  return {
    messages: leaves.reduce((sum, { sources }) => sum + sources, 0),
    ...cost,
    modelMs: spentMs(),
    passes: passes.length,
    accepted: passes.filter(({ quality }) => quality === "normal").length,
    ...{ tokensBefore, tokensAfter, beforeMb, peakMb },
  };
}

const [dataDir, summariser, program] = process.argv.slice(2);
const known = SUMMARISERS.find((name) => name === summariser);
if (dataDir === undefined || known === undefined || program === undefined)
  throw new Error("give a data folder, a summariser and the program's first module");
console.log(JSON.stringify(await sweep(dataDir, known, program)));
