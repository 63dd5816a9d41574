/** What `lcm setup` knows of a host: which files it changes, and how the change is taken out again. */
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { StoreVariables } from "../../config/daemon-address.ts";
import type { HostFolders } from "../../config/host-folders.ts";

export interface FileEdit {
  readonly path: string;
  /** The file with our part in it. `before` is null when there is no file. Refuses what the host could not read. */
  add(before: string | null, known: KnownFile): EditedFile;
  /** The file without our part, for one that was changed since. Null: the file goes. */
  remove(now: string, known: KnownFile): string | null;
}

/** What is recorded of a file: as the first set-up found it, and as the last one wrote it. Null: nothing. */
export interface KnownFile {
  readonly found: string | null;
  readonly written: string | null;
}

export interface EditedFile {
  readonly text: string;
  /** The names of entries in it that were there, and that no set-up wrote. */
  readonly replaced: readonly string[];
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
  edits(folders: HostFolders, programs: Programs, store: StoreVariables): readonly FileEdit[];
  /** It does not have the environment of a shell, so the variables in it that name a store are written too. */
  readonly hasOwnEnvironment?: boolean;
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

export function installedPrograms(node: string = lastingNode()): Programs {
  const at = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
  return {
    node,
    lcm: at("bin/lcm.mjs"),
    hook: at("bin/hook.mjs"),
    opencode: [at("dist/plugins/opencode/index.js"), at("plugins/opencode/index.ts")].find(existsSync) ?? "",
    folder: at("").replace(/\/$/, ""),
  };
}

const LASTING_PLACES = ["/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin", "/usr/local/bin", "/usr/bin"];

/** The Node that runs this, by a link that leads to the next one after an update where there is such a link. */
function lastingNode(): string {
  const links = LASTING_PLACES.map((folder) => path.join(folder, "node")).filter(existsSync);
  return links.find((link) => realpathSync(link) === realpathSync(process.execPath)) ?? process.execPath;
}

export function mcpServer({ node, lcm }: Programs): ProgramStart {
  return { command: node, args: [lcm, "mcp"] };
}

/** A file that is ours alone. */
export function wholeFile(file: string, text: string): FileEdit {
  return { path: file, add: () => ({ text, replaced: [] }), remove: () => null };
}
