/**
 * Runs the command, with nothing of this machine's own configuration: in this process by the function that the launcher
 * calls, or as a child process where signals, users, pipes or other processes matter.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs, { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { main } from "../../src/cli/main.ts";
import { builtCode } from "../built-code-options.ts";

const COMMAND = fileURLToPath(new URL("../../bin/lcm.mjs", import.meta.url));

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly bytes: Buffer;
}

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly folder?: string;
  /** Width of the terminal. Default: output goes to a pipe. */
  readonly columns?: number;
}

export interface SpawnOptions extends RunOptions {
  /** Run as a user whom permissions bind: root may write anywhere. */
  readonly ordinaryUser?: boolean;
  /** `pipe`: the caller writes to its standard input. */
  readonly input?: "pipe";
  /** An open file for its standard output. Default: a pipe. */
  readonly output?: number;
}

/** Commands in this process wait for each other: environment and folder belong to the whole process. */
let before: Promise<unknown> = Promise.resolve();

/** Runs the command in this process. */
export function lcm(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const outcome = before.then(() => runHere(args, options));
  before = outcome.catch(() => undefined);
  return outcome;
}

async function runHere(args: readonly string[], options: RunOptions): Promise<Outcome> {
  const [stdout, stderr] = [new Collector(options.columns), new Collector()];
  const restore = enter(options, stderr);
  try {
    const code = await main(args, { stdin: Readable.from([]), stdout, stderr });
    return { code, bytes: stdout.bytes, stdout: stdout.bytes.toString(), stderr: stderr.bytes.toString() };
  } finally {
    restore();
  }
}

class Collector extends Writable {
  readonly #pieces: Buffer[] = [];
  readonly columns: number;

  /** Zero columns: a stream without a width. */
  constructor(columns = 0) {
    super();
    this.columns = columns;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  override _write(piece: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#pieces.push(piece);
    done();
  }
}

/** Makes this process look like the command's own, and gives what undoes it. */
function enter(options: RunOptions, stderr: Writable): () => void {
  const own = { environment: { ...process.env }, folder: process.cwd(), writeSync: fs.writeSync };
  replaceEnvironment(environmentOf(options));
  process.chdir(options.folder ?? os.tmpdir());
  // The log writes to the file descriptor of standard error, and not to the stream.
  fs.writeSync = ((file: number, ...rest: [string]) => {
    if (file !== process.stderr.fd) return own.writeSync(file, ...rest);
    stderr.write(rest[0]);
    return Buffer.byteLength(rest[0]);
  }) as typeof fs.writeSync;
  return () => {
    replaceEnvironment(own.environment);
    process.chdir(own.folder);
    fs.writeSync = own.writeSync;
  };
}

function replaceEnvironment(environment: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
}

/** Starts the command as a process of its own. */
export function startLcm(args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  return spawn(process.execPath, [COMMAND, ...args], {
    cwd: options.folder ?? os.tmpdir(),
    env: environmentOf(options),
    stdio: [options.input ?? "ignore", options.output ?? "pipe", "pipe"],
    ...(options.ordinaryUser === true && process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}),
  });
}

/** The outcome of the command as a process of its own. */
export async function spawnLcm(args: readonly string[], options: SpawnOptions = {}): Promise<Outcome> {
  return outcomeOf(startLcm(args, options));
}

function environmentOf({ environment }: RunOptions): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(([name]) => !/^(LCM_|NODE_OPTIONS|FORCE_COLOR)/.test(name));
  return { ...Object.fromEntries(own), ...builtCode(), LCM_TIMEZONE: "UTC", ...environment };
}

export async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const out: Buffer[] = [];
  const error: Buffer[] = [];
  child.stdout?.on("data", (piece: Buffer) => out.push(piece));
  child.stderr?.on("data", (piece: Buffer) => error.push(piece));
  const [code] = await once(child, "close");
  const bytes = Buffer.concat(out);
  return { code: Number(code), bytes, stdout: bytes.toString(), stderr: Buffer.concat(error).toString() };
}

/** Expects success, and one JSON document on standard output. */
export async function lcmJson<Answer>(args: readonly string[], options: RunOptions = {}): Promise<Answer> {
  const { code, stdout, stderr } = await lcm([...args, "--json"], options);
  if (code !== 0) throw new Error(`lcm ${args.join(" ")} ended with ${code}: ${stdout}${stderr}`);
  return JSON.parse(stdout);
}

/** A folder that is gone after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "palimpsest-cli-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
