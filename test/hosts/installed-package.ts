/**
 * The package as it is installed: built code, and no sources beside it. Hosts start it many times, so they must start what
 * people have. `npm run test:hosts` builds it first.
 */
import { cpSync, existsSync, symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../temporary-store.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SHIPPED = [".claude-plugin", "bin", "dist", "package.json", "plugins/claude-code"];

let folder: string | undefined;

/** A file of the installed package. */
export function installed(file: string): string {
  folder ??= install();
  return path.join(folder, file);
}

function install(): string {
  if (!existsSync(path.join(ROOT, "dist"))) throw new Error("the package is not built: npm run build");
  const to = path.join(temporaryFolder(), "palimpsest");
  for (const name of SHIPPED) cpSync(path.join(ROOT, name), path.join(to, name), { recursive: true });
  symlinkSync(path.join(ROOT, "node_modules"), path.join(to, "node_modules"));
  return to;
}
