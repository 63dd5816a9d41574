// Builds dist/: JavaScript and declarations by the compiler, then the files that are read at run time.
import { execFileSync } from "node:child_process";
import { cpSync, globSync, rmSync } from "node:fs";

rmSync("dist", { recursive: true, force: true });
execFileSync("node_modules/.bin/tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
for (const file of globSync("src/**/*.sql")) cpSync(file, file.replace(/^src/, "dist"));
console.log("built dist/");
