#!/usr/bin/env node
// The program of a command hook: `hook.mjs <host> [LCM_DATA_DIR=/data …]` reads an event on standard input and prints the answer. Hosts wait for
// it, so it runs on the Node that they found, and never fails visibly.
import { existsSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";

const source = new URL("../src/hooks/daemon/client.ts", import.meta.url);
const built = new URL("../dist/hooks/daemon/client.js", import.meta.url);
try {
  module.enableCompileCache?.();
  const { runHook } = await import((existsSync(built) ? built : source).href);
  const lcm = fileURLToPath(new URL("lcm.mjs", import.meta.url));
  const [, , host = "", ...variables] = process.argv;
  await runHook(host, [process.execPath, lcm], variables);
} catch (error) {
  process.stderr.write(`palimpsest: ${error instanceof Error ? error.message : error}\n`);
}
