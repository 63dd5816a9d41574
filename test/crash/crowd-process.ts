/**
 * One of several processes that write to the same store at the same time: turns of its own and turns that the
 * others commit as well, in conversations of its own and in shared ones, and transcripts. Any error ends it.
 */
import { createInterface } from "node:readline";
import { type Engine, open } from "../../src/index.ts";
import { saidUnderKey } from "./said-under-key.ts";
import { growTranscript, transcriptPath } from "./transcript-file.ts";

export interface CrowdOrders {
  readonly store: string;
  readonly folder: string;
  readonly writer: number;
  /** How many rounds of work; 0 only opens the store and closes it. */
  readonly rounds: number;
}

/** A turn that this process committed, or found committed. */
export interface CrowdTurn {
  readonly key: string;
  readonly conversation: string;
  readonly status: "committed" | "duplicate";
  readonly seqs: readonly number[];
}

/** Session → keys of the turns that one process commits to it in one round. */
export function turnsOf(writer: number, round: number): [session: string, key: string][] {
  return [
    ["shared-a", `all-${round}`],
    ["shared-a", `w${writer}-a${round}`],
    ["shared-b", `w${writer}-b${round}`],
    [`own-${writer}`, `w${writer}-own${round}`],
  ];
}

export const SHARED_TRANSCRIPT = "read-by-all";

export function ownTranscript(writer: number): string {
  return `read-by-${writer}`;
}

async function work({ store, folder, writer, rounds }: CrowdOrders): Promise<void> {
  const engine = await open({ store });
  const turns: CrowdTurn[] = [];
  for (let round = 0; round < rounds; round++) {
    const mine = ownTranscript(writer);
    growTranscript(transcriptPath(folder, mine), mine, 20, round * 7);
    // Its host goes on writing to it while the others read.
    if (writer === 0) growTranscript(transcriptPath(folder, SHARED_TRANSCRIPT), SHARED_TRANSCRIPT, 60, null);
    const [, , ...done] = await Promise.all([
      engine.context.conversations.import(transcriptPath(folder, mine)),
      engine.context.conversations.import(transcriptPath(folder, SHARED_TRANSCRIPT)),
      ...turnsOf(writer, round).map(([session, key]) => commit(engine, session, key)),
    ]);
    turns.push(...done);
  }
  await engine.close();
  console.log(JSON.stringify(turns));
}

async function commit({ context }: Engine, conversation: string, key: string): Promise<CrowdTurn> {
  const result = await context.commitTurn({ conversation, key, messages: saidUnderKey(key) });
  if (result.status === "skipped") throw new Error("nothing asks for turns to be skipped");
  const seqs = result.messages.map(({ seq }) => seq);
  return { key, conversation: result.conversation, status: result.status, seqs };
}

if (process.argv[1] === import.meta.filename) {
  console.log("loaded");
  for await (const line of createInterface({ input: process.stdin })) await work(JSON.parse(line));
}
