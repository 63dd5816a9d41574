/** Whether a host is older or newer than the version that its connection was tested with. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { fileErrorCode } from "../../text/file-problem.ts";
import type { HostSetup } from "../hosts/host-setup.ts";
import { type Finding, note, ok, warn } from "./finding.ts";

const run = promisify(execFile);

/** A host that is not on the PATH is not reported: an editor or an application may bundle its own. */
export async function checkVersion(
  { name, label, program }: HostSetup,
  deadlineMs: number,
): Promise<Finding[]> {
  if (program === undefined) return [];
  const { command, tested } = program;
  const check = `${name} version`;
  const printed = await run(command, ["--version"], { timeout: deadlineMs, killSignal: "SIGKILL" }).catch(
    (error: unknown) => (fileErrorCode(error) === "ENOENT" ? null : { stdout: "" }),
  );
  if (printed === null) return [];
  const version = /\d+\.\d+\.\d+/.exec(printed.stdout)?.[0];
  if (version === undefined)
    return [warn(check, `${command} --version prints no version`, `Check that ${label} works.`)];
  if (version === tested) return [ok(check, version)];
  if (isOlder(tested, version))
    return [note(check, `${version} is newer than ${tested}, the version that was tested`)];
  const problem = `${version} is older than ${tested}, the version that was tested: hooks may not run`;
  return [warn(check, problem, `Update ${label}.`)];
}

function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, "en", { numeric: true }) < 0;
}
