/**
 * The daemon: one process per store that answers command hooks, so that each event costs only the start of a small
 * program. It listens on a socket that only its user can open, and exits when it is idle.
 */
import { chmod, mkdir, stat, unlink } from "node:fs/promises";
import net from "node:net";
import path from "node:path";
import { PalimpsestError } from "../../errors.ts";
import { packageVersion } from "../../package-version.ts";
import { fileProblem } from "../../text/file-problem.ts";
import type { HookRunner } from "../hook-runner.ts";
import { type DaemonRequest, type DaemonStatus, parseRequest } from "./request.ts";

interface ServeHooksOptions {
  readonly address: string;
  readonly runner: HookRunner;
  /** Ends after this long without a request. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
  /** The request that started the daemon. */
  readonly first?: string;
}

/** A request may contain a long tool result. */
const MOST_BYTES = 64 * 1024 * 1024;
const CHECK_MS = 500;

/** Runs until it is idle or stopped. False if another daemon serves this store, which then gets the first request. */
export async function serveHooks(options: ServeHooksOptions): Promise<boolean> {
  const { address, runner, idleMs, signal, first } = options;
  const server = net.createServer({ allowHalfOpen: true });
  /** The response per connection, after its request. */
  const sockets = new Map<net.Socket, Promise<void>>();
  let usedAt = Date.now();
  let isEnding = false;
  const take = async (text: string): Promise<string> => {
    usedAt = Date.now();
    const request = parseRequest(text);
    if (request === null) return "";
    if ("control" in request) {
      isEnding ||= request.control === "stop";
      return JSON.stringify({ pid: process.pid, version: packageVersion() } satisfies DaemonStatus);
    }
    isEnding ||= request.version !== packageVersion();
    return answerTo(runner, request);
  };
  // Before it listens: an unhandled connection would wait for ever.
  server.on("connection", (socket) => {
    sockets.set(socket, Promise.resolve());
    socket.on("close", () => sockets.delete(socket));
    answer(socket, (text) => {
      const answered = take(text);
      sockets.set(
        socket,
        answered.then(() => {}),
      );
      return answered;
    });
  });
  if (!(await listen(server, address).catch((error) => refuse(error, address)))) {
    if (first !== undefined) await forward(address, first);
    return false;
  }
  void runner.warmUp();
  const inode = await inodeOf(address);
  if (first !== undefined) void take(first);
  await new Promise<void>((done) => {
    const check = async () => {
      const isReplaced = (await inodeOf(address)) !== inode;
      if (isReplaced || isEnding || Date.now() - usedAt >= idleMs) done();
    };
    const timer = setInterval(check, Math.min(CHECK_MS, idleMs));
    const stop = () => done();
    signal.addEventListener("abort", stop, { once: true });
    server.on("close", () => clearInterval(timer));
    if (signal.aborted) done();
  });
  server.close();
  // Imports what hosts wrote after their last event, or before they were killed.
  await runner.catchUp();
  await Promise.all(sockets.values());
  // A connected client without a request does not keep the process alive.
  for (const socket of sockets.keys()) socket.destroySoon();
  return true;
}

/** Requests without a waiting client are imported and not answered. */
async function answerTo(runner: HookRunner, { host, given, isAnswered }: DaemonRequest): Promise<string> {
  const event = parsed(given);
  if (isAnswered) return runner.run(host, event);
  runner.note(host, event);
  return "";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function answer(socket: net.Socket, take: (text: string) => Promise<string>): void {
  let text = "";
  let isTaken = false;
  // A request is one line, ended by a line feed or by closing the connection.
  const finish = () => {
    if (isTaken) return;
    isTaken = true;
    void take(text).then((said) => socket.end(said));
  };
  socket.setEncoding("utf8");
  socket.on("error", () => socket.destroy());
  socket.on("data", (piece: string) => {
    text += piece;
    if (text.length > MOST_BYTES) socket.destroy();
    else if (piece.endsWith("\n")) finish();
  });
  socket.on("end", finish);
}

/** False when another process listens there already. The stale socket of a killed daemon is removed. */
async function listen(server: net.Server, address: string): Promise<boolean> {
  const isPipe = address.startsWith("\\\\.\\pipe\\");
  if (!isPipe) await mkdir(path.dirname(address), { recursive: true, mode: 0o700 });
  for (let attempt = 0; attempt < 2; attempt++) {
    if (await tryListen(server, address)) {
      if (!isPipe) await chmod(address, 0o600);
      return true;
    }
    if (isPipe || (await isAnswering(address))) return false;
    await unlink(address).catch(() => {});
  }
  throw new PalimpsestError("busy", `the daemon cannot listen on ${address}`, {
    advice: "Remove that file if no daemon is running.",
  });
}

/** The same error as a store that cannot be opened there. */
function refuse(error: unknown, address: string): never {
  if (error instanceof PalimpsestError) throw error;
  throw new PalimpsestError(
    "store-readonly",
    `the daemon cannot listen on ${address}: ${fileProblem(error)}`,
    { advice: "Choose a folder this user may write to, with `dataDir` or LCM_DATA_DIR.", cause: error },
  );
}

function tryListen(server: net.Server, address: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(false) : reject(error);
    server.once("error", failed);
    // No other user may open it, not even before its mode is set.
    const before = process.umask(0o177);
    server.listen(address, () => {
      server.off("error", failed);
      resolve(true);
    });
    process.umask(before);
  });
}

function isAnswering(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(address);
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}

function forward(address: string, request: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = net.connect(address);
    socket.on("close", () => resolve());
    socket.on("error", () => resolve());
    socket.resume().end(`${request}\n`);
  });
}

async function inodeOf(address: string): Promise<number | null> {
  return stat(address).then(
    ({ ino }) => ino,
    () => null,
  );
}
