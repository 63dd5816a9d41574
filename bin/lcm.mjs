#!/usr/bin/env node
// The command. Re-executes itself on a Node that is new enough, then runs the sources of a checkout or the
// built files of an installed package.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import module from "node:module";
import os from "node:os";
import { fileURLToPath } from "node:url";
import { findNode } from "./find-node.mjs";

const node = findNode();
if (node !== process.execPath) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(signal ? 128 + os.constants.signals[signal] : (code ?? 1)));
} else {
  // Compiled code is kept between calls, which more than halves the start. Threads read it from the variable.
  const { directory } = module.enableCompileCache();
  if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= directory;
  const source = new URL("../src/cli/main.ts", import.meta.url);
  const built = new URL("../dist/cli/main.js", import.meta.url);
  const { main } = await import((existsSync(source) ? source : built).href);
  process.exitCode = await main(process.argv.slice(2));
}
