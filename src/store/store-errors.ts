import path from "node:path";
import { PalimpsestError } from "../errors.ts";

/** A retry does not help: the caller that closed the store has to open it again. */
export function storeClosed(): PalimpsestError {
  return new PalimpsestError("store-unavailable", "the store is closed", {
    advice: "Open it again, and close it only after all other calls.",
    isRetryable: false,
  });
}

/** The error of both engines for a second process that wants to compact a conversation. */
export function compactionBusy(advice = "Try again later; nothing was written."): PalimpsestError {
  return new PalimpsestError("busy", "another process is compacting this conversation", { advice });
}

/** The content of a file differs from what was stored. Names the problem, and never the content. */
export function damagedContent(problem: string, cause?: unknown): PalimpsestError {
  return new PalimpsestError("store-corrupt", `the content of a file cannot be read: ${problem}`, {
    advice: "List what is damaged with: lcm verify",
    ...(cause === undefined ? {} : { cause }),
  });
}

/** The given folder contains no store. This is likely a mistake, so none is created. */
export function noStoreIn(file: string): PalimpsestError {
  const folder = path.dirname(file);
  return new PalimpsestError("not-found", `no store in ${folder}`, {
    advice: `Create one with: lcm import <file or folder> dataDir=${folder}, or with: lcm memory store <text> dataDir=${folder}. Or set another folder with \`dataDir\` or LCM_DATA_DIR.`,
  });
}
