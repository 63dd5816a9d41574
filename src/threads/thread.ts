/** The caller's side of a thread: sends calls, matches answers, turns its errors back into ours. */
import { Worker } from "node:worker_threads";
import type { PalimpsestError } from "../errors.ts";
import { keepIdleWorker, takeIdleWorker } from "./idle-workers.ts";
import { fromSent, NOT_ANSWERED, type Reply, type Request } from "./messages.ts";

export interface ThreadOptions {
  /** In the folder of the file that names it, without its ending: built files start built files, sources start sources. */
  readonly file: string;
  /** The URL of the module that starts the thread. */
  readonly beside: string;
  readonly name: string;
  /** Passed to the thread when it is opened. */
  readonly data?: unknown;
  readonly youngGenerationMb: number;
  /** The errors that callers get once it is closed, and when it has stopped by itself. */
  readonly closed: () => PalimpsestError;
  readonly stopped: (cause: Error | undefined) => PalimpsestError;
}

/** Answers delivered in one turn of the event loop, so that what callers do next does not block it for long. */
const ANSWERS_AT_ONCE = 4;

interface Waiting {
  readonly call: string;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export class Thread {
  readonly #worker: Worker;
  readonly #options: ThreadOptions;
  readonly #waiting = new Map<number, Waiting>();
  readonly #answers: Reply[] = [];
  readonly #listeners = [
    ["message", (replies: readonly Reply[]) => this.#take(replies)],
    ["error", (error: Error) => this.#fail(error)],
    ["exit", () => this.#fail(undefined)],
  ] as const;
  #nextId = 1;
  /** Creates the error that callers get from now on. */
  #ended: (() => PalimpsestError) | undefined;

  private constructor(options: ThreadOptions) {
    this.#options = options;
    this.#worker = takeIdleWorker(kindOf(options)) ?? newWorker(options);
    for (const [event, listener] of this.#listeners) this.#worker.on(event, listener);
  }

  /** Resolves once the thread has opened its resources. */
  static async start(options: ThreadOptions): Promise<Thread> {
    const thread = new Thread(options);
    try {
      await thread.call("open", options.data);
    } catch (error) {
      await thread.#worker.terminate();
      throw error;
    }
    return thread;
  }

  /** False once it was closed or has stopped by itself. */
  get isOpen(): boolean {
    return this.#ended === undefined;
  }

  get isIdle(): boolean {
    return this.isOpen && this.#waiting.size === 0;
  }

  /** Whether all pending calls are of this kind. */
  isAskedOnly(call: string): boolean {
    return [...this.#waiting.values()].every((waiting) => waiting.call === call);
  }

  /** The result type is what the call on the other side returns. */
  call<Result>(call: string, ...values: readonly unknown[]): Promise<Result> {
    return this.handOver([], call, ...values);
  }

  /** A call whose values contain these buffers, which are transferred instead of copied and cannot be used here afterwards. */
  handOver<Result>(
    buffers: readonly ArrayBuffer[],
    call: string,
    ...values: readonly unknown[]
  ): Promise<Result> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended());
    const id = this.#nextId++;
    this.#worker.postMessage({ id, call, values } satisfies Request, buffers);
    return this.#answer(id, call) as Promise<Result>;
  }

  /** A call that is not answered. */
  tell(call: string, ...values: readonly unknown[]): void {
    if (this.isOpen) this.#worker.postMessage({ id: NOT_ANSWERED, call, values } satisfies Request);
  }

  /** Lets the thread answer its pending calls and close its resources. Its worker is kept for the next thread of its kind. */
  async close(): Promise<void> {
    if (this.#ended !== undefined) return;
    const answered = this.call("close");
    this.#ended = this.#options.closed;
    try {
      await answered;
    } catch (error) {
      await this.#worker.terminate();
      throw error;
    }
    for (const [event, listener] of this.#listeners) this.#worker.off(event, listener);
    keepIdleWorker(kindOf(this.#options), this.#worker);
  }

  /** Terminates it immediately; pending calls fail. */
  async terminate(): Promise<void> {
    this.#end(this.#options.closed);
    // The process must not exit before the thread has ended.
    this.#worker.ref();
    await this.#worker.terminate();
  }

  #answer(id: number, call: string): Promise<unknown> {
    // An idle thread must not keep the process alive; a thread with pending calls must.
    if (this.#waiting.size === 0) this.#worker.ref();
    return new Promise((resolve, reject) => this.#waiting.set(id, { call, resolve, reject }));
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
    if (waiting === undefined) return;
    this.#waiting.delete(reply.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (reply.error === undefined) waiting.resolve(reply.result);
    else waiting.reject(fromSent(reply.error));
  }

  #fail(cause: Error | undefined): void {
    for (const reply of this.#answers.splice(0)) this.#settle(reply);
    this.#end(() => this.#options.stopped(cause));
  }

  #end(error: () => PalimpsestError): void {
    this.#ended ??= error;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#ended());
    this.#waiting.clear();
  }
}

function newWorker(options: ThreadOptions): Worker {
  return new Worker(addressOf(options), {
    name: options.name,
    ...threadArguments(),
    resourceLimits: { maxYoungGenerationSizeMb: options.youngGenerationMb },
  });
}

function addressOf({ file, beside }: ThreadOptions): URL {
  return new URL(`${file}.${beside.endsWith(".ts") ? "ts" : "js"}`, beside);
}

function kindOf(options: ThreadOptions): string {
  return `${options.name} ${addressOf(options).href}`;
}

/**
 * A thread inherits the options of its process, with one exception: a process that got its program as text (`node
 * --input-type=module -e`), because the thread gets a file. They are not passed explicitly, because Node rejects V8's own
 * options, such as `--max-old-space-size`, for a thread.
 */
function threadArguments(): { readonly execArgv?: string[] } {
  return process.execArgv.some((given) => given.startsWith("--input-type")) ? { execArgv: [] } : {};
}
