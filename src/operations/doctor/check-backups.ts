import { type Engine, internalsOf } from "../../engine.ts";
import { counted } from "../../text/counted.ts";
import { knownBackups } from "../store/backup-records.ts";
import { type Finding, ok, warn } from "./finding.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const OLD_DAYS = 7;

export async function checkBackups(engine: Engine, kept: number): Promise<Finding> {
  if (kept === 0) return ok("backup", "nothing to back up yet");
  const [newest] = (await knownBackups(engine)).backups;
  if (newest === undefined) return warn("backup", "there is no backup yet", "Create one with: lcm backup");
  const days = Math.floor((internalsOf(engine).clock() - Date.parse(newest.at)) / DAY_MS);
  const message = `${newest.file} (${days < 1 ? "made today" : `${counted(days, "day")} old`})`;
  return days > OLD_DAYS
    ? warn("backup", message, "Create a new one with: lcm backup")
    : ok("backup", message);
}
