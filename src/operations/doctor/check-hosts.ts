/** Checks which hosts are connected to this package, and whether the connections work. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { hostFolders } from "../../config/host-folders.ts";
import { messageOf } from "../../errors.ts";
import { isSupportedNode, OLDEST_NODE } from "../../store/supported-node.ts";
import { counted } from "../../text/counted.ts";
import { fileProblem } from "../../text/file-problem.ts";
import { type HostSetup, installedPrograms, type ProgramStart, type Programs } from "../hosts/host-setup.ts";
import { HOST_SETUPS } from "../hosts/hosts.ts";
import { type FileChange, planSetup, planUndo } from "../hosts/plan-setup.ts";
import { readRecord } from "../hosts/setup-record.ts";
import { checkServer, type ServerCheck } from "./check-server.ts";
import { checkTrust } from "./check-trust.ts";
import { checkVersion } from "./check-version.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const run = promisify(execFile);
const SERVER_MS = 15_000;
const VERSION_MS = 10_000;

/** Hosts that are not on this machine are not mentioned. */
export async function checkHosts(): Promise<Finding[]> {
  const servers = new ServerChecks();
  const hosts = HOST_SETUPS.filter(isInstalled);
  return (await Promise.all(hosts.map((host) => checkHost(host, servers)))).flat();
}

function isInstalled(host: HostSetup): boolean {
  return host
    .edits(hostFolders(), installedPrograms(), [])
    .some((edit) => existsSync(edit.path) || existsSync(path.dirname(edit.path)));
}

async function checkHost(host: HostSetup, servers: ServerChecks): Promise<Finding[]> {
  try {
    const { node, store = {} } = readRecord(host.name) ?? {};
    // The Node and the store in the host's configuration, which may differ from those of this process.
    const programs = installedPrograms(node);
    const variables = Object.entries(store);
    const [missing, present] = [planSetup(host, { programs, store: variables }), planUndo(host)];
    const again = `Run: lcm setup ${host.name}`;
    if (present.length === 0) return [ok(host.name, `${host.label} is not connected`)];
    if (missing.length === 0 && host.isRunning !== undefined)
      return [serviceState(host, await host.isRunning())];
    if (missing.length > 0) return [warn(host.name, outdated(host, missing), again)];
    const named = variables.map(([name, value]) => `${name}=${value}`).join(", ");
    const connected = ok(host.name, `${host.label} is connected${named === "" ? "" : `, with ${named}`}`);
    const problem = await nodeProblem(programs.node);
    if (problem !== null)
      return [
        connected,
        fail(`${host.name} node`, `${host.label} cannot start Palimpsest: ${problem}`, again),
      ];
    const [version, server] = await Promise.all([
      checkVersion(host, VERSION_MS),
      serverOf(host, programs, servers),
    ]);
    return [connected, ...version, ...server, ...checkTrust(host)];
  } catch (error) {
    return [warn(host.name, messageOf(error), null)];
  }
}

function serviceState({ name, label, notes }: HostSetup, isRunning: boolean | null): Finding {
  if (isRunning === false)
    return warn(name, `${label} is installed as a service, and does not run`, notes.join("\n"));
  return ok(name, `${label} is installed as a service${isRunning ? ", and runs" : ""}`);
}

/** An update may remove the configured Node; hooks then fail silently. */
async function nodeProblem(node: string): Promise<string | null> {
  try {
    const { stdout } = await run(node, ["--version"], { timeout: VERSION_MS, killSignal: "SIGKILL" });
    const version = stdout.trim().replace(/^v/, "");
    return isSupportedNode(version) ? null : `${node} is Node ${version}, and ${OLDEST_NODE} is needed`;
  } catch (error) {
    return `${node} cannot be run: ${fileProblem(error)}`;
  }
}

function outdated({ label }: HostSetup, missing: readonly FileChange[]): string {
  const files = missing.map((change) => change.path).join(", ");
  return `${label} is connected to another version or copy of this package, in ${files}`;
}

/** The configuration is up to date, so the server is started as the host starts it. */
async function serverOf(
  { name, label, server }: HostSetup,
  programs: Programs,
  servers: ServerChecks,
): Promise<Finding[]> {
  if (server === undefined) return [];
  const start = withoutHooks(server(programs));
  const found = await servers.of(start);
  const check = `${name} server`;
  if ("tools" in found)
    return [ok(check, `the MCP server starts and offers ${counted(found.tools, "tool")}`)];
  const advice = `Until it starts, ${label} has no tools of Palimpsest. Try it with: ${[start.command, ...start.args].join(" ")}`;
  return [fail(check, `the MCP server does not start: ${found.problem}`, advice)];
}

/** A server that answers hooks would create a store and start background work. */
function withoutHooks({ command, args }: ProgramStart): ProgramStart {
  const at = args.indexOf("--hooks");
  return { command, args: at < 0 ? args : args.toSpliced(at, 2) };
}

/** Most hosts start the same server, which is checked once. */
class ServerChecks {
  readonly #known = new Map<string, Promise<ServerCheck>>();

  of(start: ProgramStart): Promise<ServerCheck> {
    const name = JSON.stringify(start);
    const known = this.#known.get(name) ?? checkServer(start, SERVER_MS);
    this.#known.set(name, known);
    return known;
  }
}
