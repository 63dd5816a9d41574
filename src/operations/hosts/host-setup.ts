/** The definition of a host for `lcm setup`: which files it changes, and how the change is removed. */
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { StoreVariables } from "../../config/daemon-address.ts";
import type { HostFolders } from "../../config/host-folders.ts";
import { isOurs } from "./ours.ts";

export interface FileEdit {
  readonly path: string;
  /** The file with our part added. `before` is null when there is no file. Throws if the host could not read it. */
  add(before: string | null, known: KnownFile): EditedFile;
  /** The file without our part, for a file that was changed since. Null: the file is removed. */
  remove(now: string, known: KnownFile): string | null;
}

/** The record of a file: before the first set-up, and after the last one. Null: no file. */
export interface KnownFile {
  readonly found: string | null;
  readonly written: string | null;
}

interface EditedFile {
  readonly text: string;
  /** Names of existing entries that no set-up wrote, or the path of such a file. */
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
  /** The host's executable. */
  readonly program?: {
    readonly command: string;
    /** The version that the connection was tested with. */
    readonly tested: string;
  };
  /** The MCP server that the host starts when its configuration has our part. */
  server?(programs: Programs): ProgramStart;
  edits(folders: HostFolders, programs: Programs, store: StoreVariables): readonly FileEdit[];
  /** The host does not inherit the environment of a shell, so the variables in it that name a store are written too. */
  readonly hasOwnEnvironment?: boolean;
  /** Notes for the user, including manual steps. */
  readonly notes: readonly string[];
  /** The same after an undo. */
  readonly undoNotes?: readonly string[];
  /** What switches its hooks off in its own configuration, and what to do; null if nothing does. */
  hooksOff?(folders: HostFolders): { readonly problem: string; readonly advice: string } | null;
  /** For a service instead of a host: null if the system cannot tell. */
  isRunning?(): Promise<boolean | null>;
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

/** The path of the running Node, through a symbolic link that survives updates if there is one. */
function lastingNode(): string {
  const links = LASTING_PLACES.map((folder) => path.join(folder, "node")).filter(existsSync);
  return links.find((link) => realpathSync(link) === realpathSync(process.execPath)) ?? process.execPath;
}

export function mcpServer({ node, lcm }: Programs): ProgramStart {
  return { command: node, args: [lcm, "mcp"] };
}

/** A file that contains only our content. */
export function wholeFile(file: string, text: string, looksOurs: (text: unknown) => boolean): FileEdit {
  const isOther = (present: string, known: KnownFile) => !isOurs(present, text, known, looksOurs);
  return {
    path: file,
    add: (before, known) => ({
      text,
      replaced: before !== null && isOther(before, known) ? [file] : [],
    }),
    remove: (now, known) => (isOther(now, known) ? now : known.found),
  };
}
