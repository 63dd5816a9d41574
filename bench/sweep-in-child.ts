/** The child of `sweep.ts`: compacts one conversation as far as it goes and prints what that took. */
import { open } from "../src/engine.ts";
import { instantModel } from "./instant-model.ts";
import { measure } from "./measure.ts";
import { highWaterMark } from "./memory.ts";

export const SUMMARISERS = ["instant model", "offline"] as const;
export type SummariserName = (typeof SUMMARISERS)[number];

export interface SweepReport {
  /** Messages that stand behind summaries afterwards. */
  readonly messages: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Of which the stand-in for a model took so much of the calling thread. */
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

async function sweep(dataDir: string, summariser: SummariserName): Promise<SweepReport> {
  let modelMs = 0;
  const complete: typeof instantModel = async (request) => {
    const start = performance.now();
    const answer = await instantModel(request);
    modelMs += performance.now() - start;
    return answer;
  };
  const engine = await open({
    store: dataDir,
    background: "off",
    ...(summariser === "offline" ? {} : { complete }),
  });
  const { conversations } = await engine.context.conversations();
  const conversation = conversations[0]?.id ?? "";
  const beforeMb = process.memoryUsage.rss() / 1e6;
  let report: Awaited<ReturnType<typeof engine.context.compact>> | undefined;
  const cost = await measure(async () => {
    report = await engine.context.compact({ conversation });
  });
  const peakMb = highWaterMark() / 1e6;
  const messages = await messagesBehindSummaries();
  await engine.close();
  if (report === undefined) throw new Error("nothing was compacted");
  const { passes, tokensBefore, tokensAfter } = report;
  const accepted = passes.filter((pass) => pass.quality === "normal").length;
  return {
    messages,
    ...cost,
    modelMs,
    passes: passes.length,
    accepted,
    tokensBefore,
    tokensAfter,
    beforeMb,
    peakMb,
  };

  async function messagesBehindSummaries(): Promise<number> {
    const { summaries } = await engine.context.summaries(conversation);
    return summaries.reduce((sum, { depth, messageCount }) => sum + (depth === 0 ? messageCount : 0), 0);
  }
}

const [dataDir, summariser] = process.argv.slice(2);
const known = SUMMARISERS.find((name) => name === summariser);
if (dataDir === undefined || known === undefined) throw new Error("give a data folder and a summariser");
console.log(JSON.stringify(await sweep(dataDir, known)));
