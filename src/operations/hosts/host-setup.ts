/** What `lcm setup` knows of a host: which files it changes, and how the change is taken out again. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { HostFolders } from "../../config/host-folders.ts";

export interface FileEdit {
  readonly path: string;
  /** The file with our part in it. `before` is null when there is no file. Refuses what it cannot read. */
  add(before: string | null): string;
  /** The file without our part, for one that was changed since. Null: the file goes. */
  remove(now: string): string | null;
}

/** How a host starts a program. */
export interface ProgramStart {
  readonly command: string;
  readonly args: readonly string[];
}

export interface HostSetup {
  readonly name: string;
  readonly label: string;
  /** The host itself. */
  readonly program?: {
    readonly command: string;
    /** The version that the connection was tested with. */
    readonly tested: string;
  };
  /** The MCP server that the host starts when its configuration has our part. */
  server?(programs: Programs): ProgramStart;
  edits(folders: HostFolders, programs: Programs): readonly FileEdit[];
  /** What a person has to know or do beside it. */
  readonly notes: readonly string[];
}

/** Absolute paths: hosts start them from anywhere. */
export interface Programs {
  readonly node: string;
  readonly lcm: string;
  readonly hook: string;
  /** The plugin for OpenCode. */
  readonly opencode: string;
  /** The folder of this package. */
  readonly folder: string;
}

export function installedPrograms(): Programs {
  const at = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
  return {
    node: process.execPath,
    lcm: at("bin/lcm.mjs"),
    hook: at("bin/hook.mjs"),
    opencode: [at("dist/plugins/opencode/index.js"), at("plugins/opencode/index.ts")].find(existsSync) ?? "",
    folder: at("").replace(/\/$/, ""),
  };
}

export function mcpServer({ node, lcm }: Programs): ProgramStart {
  return { command: node, args: [lcm, "mcp"] };
}

/** A file that is ours alone. */
export function wholeFile(file: string, text: string): FileEdit {
  return { path: file, add: () => text, remove: () => null };
}
