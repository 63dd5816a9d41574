/** The thread in which chunks are worked on. It holds those that are open, and nothing else. */
import { type MessagePort, parentPort } from "node:worker_threads";
import { PalimpsestError } from "../../../errors.ts";
import { estimateTokens } from "../../../text/estimate-tokens.ts";
import { NOT_ANSWERED, type Reply, type Request, toSent } from "../../../threads/messages.ts";
import type { UnreadSource } from "../source.ts";
import { type Answer, type ChunkTerms, ChunkWork } from "./chunk-work.ts";

const port = parentPort as MessagePort;
const chunks = new Map<number, ChunkWork>();

const CALLS: Record<string, (...values: never[]) => unknown> = {
  open: (chunk: number, source: UnreadSource, terms: ChunkTerms) => {
    const work = new ChunkWork(source, terms, estimateTokens);
    chunks.set(chunk, work);
    return { text: work.text, fileIds: work.fileIds };
  },
  take: (chunk: number, answer: Answer) => opened(chunk).take(answer),
  offline: (chunk: number) => opened(chunk).offline(),
  release: (chunk: number) => {
    chunks.delete(chunk);
  },
};

function opened(chunk: number): ChunkWork {
  const work = chunks.get(chunk);
  if (work === undefined) throw new PalimpsestError("internal", "this chunk is not open");
  return work;
}

function answer({ id, call, values }: Request): Reply {
  try {
    return { id, result: CALLS[call]?.(...(values as never[])) };
  } catch (error) {
    return { id, error: toSent(error) };
  }
}

port.on("message", (request: Request) => {
  const reply = answer(request);
  if (request.id !== NOT_ANSWERED) port.postMessage([reply]);
});
port.postMessage([{ id: 0 }] satisfies Reply[]);
