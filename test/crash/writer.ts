/** The surviving side of the process that is killed: starts it, listens to it, ends it by its pid. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";

/** Kill after this many acknowledgements (from the start when 0) and then this many milliseconds. */
export interface KillMoment {
  readonly acknowledged: number;
  readonly thenMs: number;
}

export interface WriterLog<Operation, Answer> {
  /** In the order of their acknowledgements. */
  readonly acknowledged: readonly { readonly operation: Operation; readonly answer: Answer }[];
  readonly inFlight: readonly Operation[];
}

/** A process that hangs must not hang the tests. */
const LONGEST_ROUND_MS = 60_000;

/** `Operation` and `Answer` are what the program says before and after what it does. */
export class Writer<Operation, Answer> {
  readonly #process: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #exited: Promise<unknown>;
  #output = "";
  #complaints = "";

  /** Loading takes longest, so it happens before the orders come. */
  constructor(program: string) {
    this.#process = spawn(process.execPath, [program], {
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#exited = once(this.#process, "close");
    this.#process.stderr.on("data", (chunk) => {
      this.#complaints += chunk;
    });
    // Orders for a process that is gone already fail here; how it went is seen when it has exited.
    this.#process.stdin.on("error", (error) => {
      this.#complaints += error.message;
    });
  }

  /** Lets it work until the moment has come, kills it, and tells what it said. */
  async runUntilKilled(orders: object, moment: KillMoment): Promise<WriterLog<Operation, Answer>> {
    let timer = setTimeout(() => this.#kill(), LONGEST_ROUND_MS);
    const killSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.#kill(), moment.thenMs);
    };
    let left = moment.acknowledged;
    this.#process.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      const before = left;
      left -= chunk.match(/^done /gm)?.length ?? 0;
      this.#output += chunk;
      if (before > 0 && left <= 0) killSoon();
    });
    this.#process.stdin.write(`${JSON.stringify(orders)}\n`);
    if (moment.acknowledged === 0) killSoon();
    await this.#exited;
    clearTimeout(timer);
    if (this.#process.signalCode !== "SIGKILL" || left > 0)
      throw new Error(`the writing process ended by itself or hung:\n${this.#complaints}`);
    return readLog<Operation, Answer>(this.#output);
  }

  async end(): Promise<void> {
    this.#kill();
    await this.#exited;
  }

  #kill(): void {
    this.#process.kill("SIGKILL");
  }
}

/** A last line without its end was cut by the kill: it was never said. */
function readLog<Operation, Answer>(output: string): WriterLog<Operation, Answer> {
  const lines = output.split("\n").slice(0, -1);
  const started = new Map<string, Operation>();
  const acknowledged: { operation: Operation; answer: Answer }[] = [];
  for (const line of lines) {
    const [what = "", id = ""] = line.split(" ", 2);
    const value = JSON.parse(line.slice(what.length + id.length + 2));
    const operation = started.get(id);
    if (what === "about") started.set(id, value);
    else if (operation === undefined) throw new Error(`done before it was begun: ${line}`);
    else {
      started.delete(id);
      acknowledged.push({ operation, answer: value });
    }
  }
  return { acknowledged, inFlight: [...started.values()] };
}
