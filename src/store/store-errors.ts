import path from "node:path";
import { PalimpsestError } from "../errors.ts";

/** Calling again does not help: whoever closed it has to open it again. */
export function storeClosed(): PalimpsestError {
  return new PalimpsestError("store-unavailable", "the store is closed", {
    advice: "Open it again, and close it only after all other calls.",
    isRetryable: false,
  });
}

/** What both engines answer to the second who wants to compact a conversation. */
export function compactionBusy(advice = "Try again later; nothing was written."): PalimpsestError {
  return new PalimpsestError("busy", "another process is compacting this conversation", { advice });
}

/** The content of a file is not what was stored. Says what is wrong with it, and never what is in it. */
export function damagedContent(problem: string, cause?: unknown): PalimpsestError {
  return new PalimpsestError("store-corrupt", `the content of a file cannot be read: ${problem}`, {
    advice: "List what is damaged with: lcm verify",
    ...(cause === undefined ? {} : { cause }),
  });
}

/** A folder was named that holds no store: likely a slip, so none is made. */
export function noStoreIn(file: string): PalimpsestError {
  const folder = path.dirname(file);
  return new PalimpsestError("not-found", `no store in ${folder}`, {
    advice: `Create one with: lcm import <file or folder> dataDir=${folder}, or with: lcm memory store <text> dataDir=${folder}. Or set another folder with \`dataDir\` or LCM_DATA_DIR.`,
  });
}
