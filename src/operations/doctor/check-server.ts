/** Starts an MCP server as a host would, and asks it for its tools. Nothing else is called, so no store is created. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileProblem } from "../../text/file-problem.ts";
import type { ProgramStart } from "../hosts/host-setup.ts";

export type ServerCheck = { readonly tools: number } | { readonly problem: string };

const END_MS = 2_000;
const MOST_SHOWN = 4_000;
const LONGEST_LINE = 200;
const PROTOCOL = "2025-06-18";
const REQUESTS = [
  {
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: PROTOCOL,
      capabilities: {},
      clientInfo: { name: "lcm doctor", version: "1" },
    },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list" },
];

/** A server that has not answered after `deadlineMs` is ended. */
export async function checkServer(start: ProgramStart, deadlineMs: number): Promise<ServerCheck> {
  const server = spawn(start.command, start.args, { stdio: ["pipe", "pipe", "pipe"] });
  // A program that exits early closes the pipe: its exit code is more useful than the failed write.
  server.stdin.on("error", () => {});
  for (const request of REQUESTS) server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`);
  const ended = once(server, "close").catch(() => {});
  try {
    const problem = `it did not answer within ${deadlineMs / 1000} s`;
    return await within(deadlineMs, answerOf(server, start), { problem });
  } finally {
    // A server ends when its input does.
    server.stdin.destroy();
    if (server.pid !== undefined) await within(Math.min(deadlineMs, END_MS), ended, undefined);
    server.kill("SIGKILL");
  }
}

async function within<Value>(milliseconds: number, value: Promise<Value>, otherwise: Value): Promise<Value> {
  const done = new AbortController();
  const late = delay(milliseconds, otherwise, { signal: done.signal }).catch(() => otherwise);
  return Promise.race([value, late]).finally(() => done.abort());
}

function answerOf(server: ChildProcess, { command }: ProgramStart): Promise<ServerCheck> {
  const { stdout, stderr } = server;
  return new Promise((resolve) => {
    let errors = "";
    stderr?.on("data", (piece) => {
      errors = `${errors}${piece}`.slice(-MOST_SHOWN);
    });
    if (stdout !== null)
      createInterface(stdout).on("line", (line) => {
        const answer = toolsIn(line);
        if (answer !== null) resolve(answer);
      });
    server.on("error", (error) => resolve({ problem: `${command} cannot be run: ${fileProblem(error)}` }));
    server.on("close", (code, signal) => {
      const end = code === null ? `it was ended by ${signal}` : `it exited with code ${code}`;
      resolve({ problem: `${end}${lastLineOf(errors)}` });
    });
  });
}

/** Null for a line that is not the response about tools. */
function toolsIn(line: string): ServerCheck | null {
  try {
    const { id, result, error } = Object(JSON.parse(line));
    if (error !== undefined)
      return { problem: `it answered with an error: ${String(Object(error).message)}` };
    const { tools } = Object(result);
    return id === 2 && Array.isArray(tools) ? { tools: tools.length } : null;
  } catch {
    return null;
  }
}

/** The error message of a failed program. Stack traces follow the message and end with the version of Node. */
function lastLineOf(output: string): string {
  const lines = output.split("\n").map((line) => line.trim());
  const said = lines.filter((line) => line !== "" && !/^(at |Node\.js v|\^|throw )/.test(line));
  const line = said.findLast((one) => /error/i.test(one)) ?? said.at(-1);
  return line === undefined ? "" : `: ${line.slice(0, LONGEST_LINE)}`;
}
