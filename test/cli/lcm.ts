/** Runs the real command as a child process, with nothing of this machine's own configuration. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

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
  /** Run as a user whom permissions bind: root may write anywhere. */
  readonly ordinaryUser?: boolean;
  /** `pipe`: the caller writes to its standard input. */
  readonly input?: "pipe";
}

export function startLcm(args: readonly string[], options: RunOptions = {}): ChildProcess {
  const own = Object.entries(process.env).filter(([name]) => !/^(LCM_|NODE_OPTIONS|FORCE_COLOR)/.test(name));
  return spawn(process.execPath, [COMMAND, ...args], {
    cwd: options.folder ?? os.tmpdir(),
    env: { ...Object.fromEntries(own), LCM_TIMEZONE: "UTC", ...options.environment },
    stdio: [options.input ?? "ignore", "pipe", "pipe"],
    ...(options.ordinaryUser === true && process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}),
  });
}

export async function lcm(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  return outcomeOf(startLcm(args, options));
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
