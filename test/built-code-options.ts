/** Variables that make a process run what `built-code.ts` has built, for those that do not get all of ours. */
import { fileURLToPath } from "node:url";

const HOOK = fileURLToPath(new URL("./use-built-code.mjs", import.meta.url));

export function builtCode(): Record<string, string> {
  const { BUILT_CODE } = process.env;
  return BUILT_CODE === undefined ? {} : { BUILT_CODE, NODE_OPTIONS: `--import=${HOOK}` };
}
