import path from "node:path";
import { PalimpsestError } from "../../errors.ts";

/** A folder was named that holds no store: likely a slip, so none is made. */
export function noStoreIn(file: string): PalimpsestError {
  const folder = path.dirname(file);
  return new PalimpsestError("not-found", `no store in ${folder}`, {
    advice: `Create one with: lcm import <file or folder> dataDir=${folder}, or with: lcm memory store <text> dataDir=${folder}. Or set another folder with \`dataDir\` or LCM_DATA_DIR.`,
  });
}
