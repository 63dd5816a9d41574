/** The caller's side of a thread: sends calls, matches answers, turns its errors back into ours. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type ErrorCode, PalimpsestError } from "../../errors.ts";
import { storeClosed } from "../store-closed.ts";
import type { DatabaseOptions } from "./database.ts";

export interface Request {
  readonly id: number;
  readonly call: string;
  readonly values: readonly unknown[];
}

export interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly advice: string | undefined;
  };
}

/** Answers handed out in one turn of the event loop: what callers do next must not hold it up for long. */
const ANSWERS_AT_ONCE = 4;
/** A thread's values live for one request; a larger nursery would only hold more of what is done with. */
const YOUNG_GENERATION_MB = 8;

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export class Thread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #answers: Reply[] = [];
  #nextId = 1;
  #closed = false;

  private constructor(options: DatabaseOptions) {
    // Built files stand beside built files, sources beside sources.
    const file = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js";
    this.#worker = new Worker(new URL(file, import.meta.url), {
      workerData: options,
      name: "palimpsest-sqlite",
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    this.#worker.on("message", (replies: readonly Reply[]) => this.#take(replies));
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", () => this.#fail(undefined));
  }

  static async start(options: DatabaseOptions): Promise<Thread> {
    const thread = new Thread(options);
    try {
      await thread.#answer(0);
    } catch (error) {
      await thread.#worker.terminate();
      throw error;
    }
    thread.#worker.unref();
    return thread;
  }

  /** The answer's type is what the call on the other side returns; `calls.ts` and `worker.ts` define it. */
  call<Result>(call: string, ...values: readonly unknown[]): Promise<Result> {
    if (this.#closed) return Promise.reject(storeClosed());
    const id = this.#nextId++;
    this.#worker.postMessage({ id, call, values } satisfies Request);
    return this.#answer(id) as Promise<Result>;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    const exited = once(this.#worker, "exit");
    const answered = this.call("close");
    this.#closed = true;
    await answered;
    // The process must stay until the thread has gone.
    this.#worker.ref();
    await exited;
  }

  #answer(id: number): Promise<unknown> {
    // A thread with nothing to do must not keep the process alive; one that is asked something must.
    if (this.#waiting.size === 0) this.#worker.ref();
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #take(replies: readonly Reply[]): void {
    const isHandingOut = this.#answers.length > 0;
    this.#answers.push(...replies);
    if (!isHandingOut) this.#handOut();
  }

  #handOut(): void {
    for (const reply of this.#answers.splice(0, ANSWERS_AT_ONCE)) this.#settle(reply);
    if (this.#answers.length > 0) setImmediate(() => this.#handOut());
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (waiting === undefined) return;
    if (reply.error === undefined) waiting.resolve(reply.result);
    else waiting.reject(rebuild(reply.error));
  }

  #fail(cause: Error | undefined): void {
    this.#closed = true;
    for (const reply of this.#answers.splice(0)) this.#settle(reply);
    const error = new PalimpsestError("store-unavailable", "the store's thread has stopped", { cause });
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}

function rebuild({ code, message, advice }: NonNullable<Reply["error"]>): PalimpsestError {
  return new PalimpsestError(code, message, advice === undefined ? {} : { advice });
}
