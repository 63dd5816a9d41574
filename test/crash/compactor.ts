/** The surviving side of a process that compacts: starts it, listens to it, ends it by its pid. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { CompactorOrders } from "./compactor-process.ts";

export interface Said {
  readonly what: string;
  readonly value: string;
}

const PROGRAM = fileURLToPath(new URL("./compactor-process.ts", import.meta.url));
/** A process that hangs must not hang the tests. */
const LONGEST_MS = 60_000;

export class Compactor {
  readonly #process: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #closed: Promise<unknown>;
  #output = "";
  #complaints = "";
  #onLine: () => void = () => {};

  constructor() {
    this.#process = spawn(process.execPath, [PROGRAM], {
      stdio: ["pipe", "pipe", "pipe"],
      timeout: LONGEST_MS,
      killSignal: "SIGABRT",
    });
    this.#closed = once(this.#process, "close");
    this.#process.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      this.#output += chunk;
      this.#onLine();
    });
    this.#process.stderr.on("data", (chunk) => {
      this.#complaints += chunk;
    });
    this.#process.stdin.on("error", (error) => {
      this.#complaints += error.message;
    });
  }

  /** Gives it its orders, and resolves when the store is open. */
  async prepare(orders: CompactorOrders): Promise<void> {
    this.#process.stdin.write(`${JSON.stringify(orders)}\n`);
    await this.#until(() => this.#lines().some(({ what }) => what === "ready"));
  }

  begin(): void {
    this.#process.stdin.write("\n");
  }

  /** Kills it once it has said so many lines, and a little later. */
  async killAfter(lines: number, thenMs: number): Promise<Said[]> {
    await this.#until(() => this.#lines().length >= lines);
    setTimeout(() => this.#process.kill("SIGKILL"), thenMs);
    await this.#closed;
    if (this.#process.signalCode !== "SIGKILL") throw this.#failure();
    return this.#lines();
  }

  async finished(): Promise<Said[]> {
    await this.#closed;
    if (this.#process.exitCode !== 0 || this.#complaints !== "") throw this.#failure();
    return this.#lines();
  }

  async end(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#closed;
  }

  async #until(holds: () => boolean): Promise<void> {
    const reached = new Promise<void>((resolve) => {
      this.#onLine = () => {
        if (holds()) resolve();
      };
      this.#onLine();
    });
    await Promise.race([
      reached,
      this.#closed.then(() => {
        throw this.#failure();
      }),
    ]);
  }

  /** A last line without its end was cut by the kill: it was never said. */
  #lines(): Said[] {
    return this.#output
      .split("\n")
      .slice(0, -1)
      .map((line) => {
        const [what = "", value = ""] = line.split(" ", 2);
        return { what, value };
      });
  }

  #failure(): Error {
    return new Error(`the compacting process ended by itself or hung:\n${this.#complaints}`);
  }
}
