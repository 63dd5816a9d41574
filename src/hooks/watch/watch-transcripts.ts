/**
 * Follows the transcripts that hosts write, for hosts without hooks. The system reports changes; a scan every few seconds
 * finds what it did not report: folders that appear later, network drives, events that were dropped.
 */
import { type FSWatcher, watch } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Captures } from "../captures.ts";
import type { OpenclawAgents } from "./openclaw-agents.ts";

interface WatchOptions {
  readonly folders: readonly string[];
  /** Databases in which hosts keep their sessions. They are checked every second. */
  readonly databases: readonly string[];
  /** Null: OpenClaw is not watched. */
  readonly openclaw: OpenclawAgents | null;
  readonly captures: Captures;
  /** Files that were written before this time are imported only when they change. Milliseconds since the epoch. */
  readonly since: number;
  readonly signal: AbortSignal;
}

const SCAN_MS = 5_000;
const POLL_MS = 1_000;

/** Runs until the signal. Everything written by then is stored. */
export async function watchTranscripts(options: WatchOptions): Promise<void> {
  const { folders, databases, openclaw, captures, since, signal } = options;
  const watchers = new Map<string, FSWatcher>();
  const scan = new Scan(captures, since);
  const poll = async () => {
    for (const database of databases) await scan.lookAtDatabase(database, captures);
    if (openclaw === null) return;
    for (const database of await openclaw.databases()) await scan.lookAtDatabase(database, openclaw.captures);
  };
  const rescan = async () => {
    for (const folder of folders) if (!watchers.has(folder)) watchFolder(folder, watchers, scan);
    await scan.run(folders);
  };
  await Promise.all([every(POLL_MS, signal, poll), every(SCAN_MS, signal, rescan)]);
  for (const watcher of watchers.values()) watcher.close();
  await scan.run(folders);
  await poll();
  await captures.settle();
  await openclaw?.close();
}

async function every(milliseconds: number, signal: AbortSignal, run: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await run();
    await delay(milliseconds, undefined, { signal }).catch(() => {});
  }
}

/** A folder that does not exist yet, or cannot be watched, is left to the scans. */
function watchFolder(folder: string, watchers: Map<string, FSWatcher>, scan: Scan): void {
  try {
    const watcher = watch(folder, { recursive: true }, (_, name) => {
      if (name !== null) void scan.look(path.join(folder, name));
    });
    watcher.on("error", () => {
      watcher.close();
      watchers.delete(folder);
    });
    watchers.set(folder, watcher);
  } catch {
    watchers.delete(folder);
  }
}

/** Gemini CLI wrote its chats as documents before it wrote lines. */
const TRANSCRIPT = /\.jsonl$|[\\/]chats[\\/]session-[^\\/]*\.json$/;

/** The state of each file at the last check. */
class Scan {
  readonly #captures: Captures;
  readonly #since: number;
  readonly #seen = new Map<string, string>();

  constructor(captures: Captures, since: number) {
    this.#captures = captures;
    this.#since = since;
  }

  async run(folders: readonly string[]): Promise<void> {
    for (const folder of folders) {
      const names = await readdir(folder, { recursive: true }).catch(() => []);
      for (const name of names) await this.look(path.join(folder, name));
    }
  }

  /** Imports the file if it is a transcript and has changed. */
  async look(file: string): Promise<void> {
    if (TRANSCRIPT.test(file)) await this.#lookAt(file, [file], this.#captures);
  }

  /** New rows are in the write-ahead log until they are moved into the database. */
  async lookAtDatabase(file: string, captures: Captures): Promise<void> {
    await this.#lookAt(file, [file, `${file}-wal`], captures);
  }

  async #lookAt(file: string, places: readonly string[], captures: Captures): Promise<void> {
    const stats = await Promise.all(places.map((place) => stat(place).catch(() => null)));
    if (stats[0]?.isFile() !== true) return;
    const found = stats.filter((one) => one !== null);
    const state = found.map(({ size, mtimeMs }) => `${size} ${mtimeMs}`).join(" ");
    const known = this.#seen.get(file);
    if (known === state) return;
    this.#seen.set(file, state);
    if (known === undefined && found.every(({ mtimeMs }) => mtimeMs < this.#since)) return;
    void captures.capture(file).then((isDone) => isDone || this.#seen.delete(file));
  }
}
