/** Which hosts are connected to this package, and what keeps one from working. */
import { existsSync } from "node:fs";
import path from "node:path";
import { hostFolders } from "../../config/host-folders.ts";
import { messageOf } from "../../errors.ts";
import { counted } from "../../text/counted.ts";
import { type HostSetup, installedPrograms, type ProgramStart } from "../hosts/host-setup.ts";
import { HOST_SETUPS } from "../hosts/hosts.ts";
import { type FileChange, planSetup, planUndo } from "../hosts/plan-setup.ts";
import { checkServer, type ServerCheck } from "./check-server.ts";
import { checkTrust } from "./check-trust.ts";
import { checkVersion } from "./check-version.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const SERVER_MS = 15_000;
const VERSION_MS = 10_000;

/** Hosts that are not on this machine are not mentioned. */
export async function checkHosts(dataDir: string): Promise<Finding[]> {
  const servers = new ServerChecks();
  const hosts = HOST_SETUPS.filter(isInstalled);
  return (await Promise.all(hosts.map((host) => checkHost(host, dataDir, servers)))).flat();
}

function isInstalled(host: HostSetup): boolean {
  return host
    .edits(hostFolders(), installedPrograms())
    .some((edit) => existsSync(edit.path) || existsSync(path.dirname(edit.path)));
}

async function checkHost(host: HostSetup, dataDir: string, servers: ServerChecks): Promise<Finding[]> {
  try {
    const [missing, present] = [planSetup(host), planUndo(host, dataDir)];
    const again = `Run: lcm setup ${host.name}`;
    if (present.length === 0) return [ok(host.name, `${host.label} is not connected`)];
    if (missing.length > 0) return [warn(host.name, outdated(host, missing), again)];
    const [version, server] = await Promise.all([checkVersion(host, VERSION_MS), serverOf(host, servers)]);
    return [ok(host.name, `${host.label} is connected`), ...version, ...server, ...checkTrust(host)];
  } catch (error) {
    return [warn(host.name, messageOf(error), null)];
  }
}

function outdated({ label }: HostSetup, missing: readonly FileChange[]): string {
  const files = missing.map((change) => change.path).join(", ");
  return `${label} is connected to another version or copy of this package, in ${files}`;
}

/** The configuration says what we would write, so the server is started as the host starts it. */
async function serverOf({ name, label, server }: HostSetup, servers: ServerChecks): Promise<Finding[]> {
  if (server === undefined) return [];
  const start = withoutHooks(server(installedPrograms()));
  const found = await servers.of(start);
  const check = `${name} server`;
  if ("tools" in found)
    return [ok(check, `the MCP server starts and offers ${counted(found.tools, "tool")}`)];
  const advice = `Until it starts, ${label} has no tools of Palimpsest. Try it with: ${[start.command, ...start.args].join(" ")}`;
  return [fail(check, `the MCP server does not start: ${found.problem}`, advice)];
}

/** A server that answers hooks makes a store and works in the background. */
function withoutHooks({ command, args }: ProgramStart): ProgramStart {
  const at = args.indexOf("--hooks");
  return { command, args: at < 0 ? args : args.toSpliced(at, 2) };
}

/** Most hosts start the same server, which is tried once. */
class ServerChecks {
  readonly #known = new Map<string, Promise<ServerCheck>>();

  of(start: ProgramStart): Promise<ServerCheck> {
    const name = JSON.stringify(start);
    const known = this.#known.get(name) ?? checkServer(start, SERVER_MS);
    this.#known.set(name, known);
    return known;
  }
}
