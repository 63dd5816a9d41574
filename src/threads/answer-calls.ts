/**
 * The worker's side of a thread: answers calls in the order in which they complete. A worker that keeps state between calls
 * clears it on `close`, because another engine may use the worker next.
 */
import { type MessagePort, parentPort } from "node:worker_threads";
import { PalimpsestError } from "../errors.ts";
import { NOT_ANSWERED, type Reply, type Request, toSent } from "./messages.ts";

type Calls = Readonly<Record<string, (...values: never[]) => unknown>>;

export function answerCalls(given: Calls): void {
  const port = parentPort as MessagePort;
  const calls = { open: () => {}, close: () => {}, ...given };
  port.on("message", async (request: Request) => {
    const reply = await answer(calls, request);
    if (request.id !== NOT_ANSWERED) port.postMessage([reply]);
  });
}

async function answer(calls: Calls, { id, call, values }: Request): Promise<Reply> {
  try {
    const run = calls[call];
    if (run === undefined) throw new PalimpsestError("internal", `the thread does not know ${call}`);
    return { id, result: await run(...(values as never[])) };
  } catch (error) {
    return { id, error: toSent(error) };
  }
}
