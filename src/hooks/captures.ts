/**
 * Imports transcripts as they grow: one import per file at a time, and for any number of events meanwhile, one
 * more after it. Callers need not wait, and the next import repairs a failed one.
 */
import { existsSync } from "node:fs";
import type { ImportReport } from "../context/ingest/import-transcript.ts";
import type { Engine } from "../engine.ts";
import { messageOf, PalimpsestError } from "../errors.ts";
import type { Log } from "../log.ts";

/** The report of an import about a session. */
export type Captured = Pick<ImportReport, "path" | "formatLabel" | "sessionId" | "conversation" | "imported">;

type TakeIn = (file: string) => Promise<Iterable<Captured>>;

/** For files whose format is detected. */
export function importFrom(open: () => Promise<Engine>): TakeIn {
  return async (file) => (await open()).context.conversations.importAll(file, { follow: true });
}

export class Captures {
  readonly #takeIn: TakeIn;
  readonly #log: Log;
  readonly #tell: (report: Captured) => void;
  readonly #running = new Map<string, Promise<boolean>>();
  /** Every requested file. */
  readonly files = new Set<string>();
  readonly #next = new Map<string, Promise<boolean>>();

  /** `tell` is called after each import. */
  constructor(takeIn: TakeIn, log: Log, tell: (report: Captured) => void = () => {}) {
    this.#takeIn = takeIn;
    this.#log = log;
    this.#tell = tell;
  }

  /** Resolves when the current content of the file is stored or has failed; false: can be retried. Never throws. */
  capture(file: string): Promise<boolean> {
    this.files.add(file);
    const running = this.#running.get(file);
    if (running === undefined) return this.#start(file);
    const known = this.#next.get(file);
    if (known !== undefined) return known;
    const next = running.then(() => {
      this.#next.delete(file);
      return this.#start(file);
    });
    this.#next.set(file, next);
    return next;
  }

  /** Waits until no import is running. */
  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.values(), ...this.#next.values()]);
  }

  #start(file: string): Promise<boolean> {
    const started = this.#import(file).finally(() => this.#running.delete(file));
    this.#running.set(file, started);
    return started;
  }

  async #import(file: string): Promise<boolean> {
    // A host names the file before it writes to it.
    if (!existsSync(file)) return true;
    try {
      for (const report of await this.#takeIn(file)) this.#tell(report);
      return true;
    } catch (error) {
      this.#log.warn(
        { file, problem: messageOf(error) },
        "a transcript was not imported; the next event tries again",
      );
      return !(error instanceof PalimpsestError) || !error.retryable;
    }
  }
}
