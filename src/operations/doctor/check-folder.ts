/** Checks the folder of the embedded store: exists, writable, private, with free space. */
import { access, constants, stat, statfs } from "node:fs/promises";
import path from "node:path";
import { fileErrorCode, fileProblem } from "../../text/file-problem.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const GIB = 1024 ** 3;
const LITTLE_SPACE = GIB;
const NO_SPACE = GIB / 16;

export async function checkFolder(dataDir: string): Promise<Finding[]> {
  const folder = path.resolve(dataDir);
  const found = await look(folder);
  if (found === "missing") return checkMissing(folder);
  if (typeof found === "string") return [fail("data folder", found, CHOOSE_ANOTHER)];
  return [await checkWritable(folder), checkPrivate(folder, found.mode), await checkSpace(folder)];
}

const CHOOSE_ANOTHER = "Choose another folder with `dataDir` or LCM_DATA_DIR.";

async function look(folder: string): Promise<"missing" | string | { mode: number }> {
  try {
    const stats = await stat(folder);
    return stats.isDirectory() ? { mode: stats.mode } : `${folder} is not a folder`;
  } catch (error) {
    if (fileErrorCode(error) === "ENOENT") return "missing";
    return `${folder} cannot be used: ${fileProblem(error)}`;
  }
}

/** A missing store is not a problem if it can be created. */
async function checkMissing(folder: string): Promise<Finding[]> {
  let parent = path.dirname(folder);
  while ((await look(parent)) === "missing") parent = path.dirname(parent);
  const writable = await checkWritable(parent);
  if (writable.status !== "ok") return [fail("data folder", `${folder} cannot be created`, CHOOSE_ANOTHER)];
  return [ok("data folder", `${folder} is created at the first use`), await checkSpace(parent)];
}

async function checkWritable(folder: string): Promise<Finding> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return ok("data folder", folder);
  } catch (error) {
    return fail("data folder", `${folder} is not writable: ${fileProblem(error)}`, CHOOSE_ANOTHER);
  }
}

function checkPrivate(folder: string, mode: number): Finding {
  const shown = `0${(mode & 0o777).toString(8)}`;
  // Windows has no such mode bits: every folder looks open there.
  if (process.platform === "win32" || (mode & 0o077) === 0)
    return ok("permissions", `only its owner (${shown})`);
  return warn(
    "permissions",
    `other users of this machine can read it (${shown})`,
    `Run: chmod 700 ${folder}`,
  );
}

async function checkSpace(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const message = `${(free / GIB).toFixed(1)} GiB free`;
  const advice = "Free some space: nothing can be stored on a full disk.";
  if (free < NO_SPACE) return fail("disk", message, advice);
  return free < LITTLE_SPACE ? warn("disk", message, advice) : ok("disk", message);
}
