// Runs a script on Node 24 or newer: the installed one if it is new enough, otherwise the one that
// `npm ci` installed as an optional dependency.
import { spawn } from "node:child_process";
import path from "node:path";
import { findNode } from "../bin/find-node.mjs";

const node = findNode();
const env = { ...process.env, PATH: path.dirname(node) + path.delimiter + process.env.PATH };
const child = spawn(node, process.argv.slice(2), { stdio: "inherit", env });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
