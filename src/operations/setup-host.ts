import { mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { StoreVariables } from "../config/daemon-address.ts";
import { hostFolders } from "../config/host-folders.ts";
import { PalimpsestError } from "../errors.ts";
import { escapeControls } from "../text/escape-controls.ts";
import { fileProblem } from "../text/file-problem.ts";
import { commandsForTerminals } from "../text/hints/advice-for-terminals.ts";
import { quoted } from "../text/terminal/quoted.ts";
import { diffLines } from "./hosts/diff-lines.ts";
import { type HostSetup, installedPrograms } from "./hosts/host-setup.ts";
import { type FileChange, hostNamed, planSetup, planUndo } from "./hosts/plan-setup.ts";
import { readRecord, removeRecord, type SetupRecord, writeRecord } from "./hosts/setup-record.ts";
import { storeVariables } from "./hosts/store-variables.ts";
import { defineOperation } from "./operation.ts";
import type { Setup } from "./setup.ts";

type Input = z.infer<typeof inputSchema>;
const inputSchema = z.strictObject({
  host: z
    .string()
    .min(1)
    .describe(
      "claude-code, codex, gemini, opencode or copilot. `watch` installs `lcm watch` as a user service.",
    ),
  undo: z.boolean().exactOptional().describe("Remove what the setup added. Default false."),
  replace: z
    .boolean()
    .exactOptional()
    .describe("Replace an entry or file of the same name that lcm setup did not write. Default false."),
  dryRun: z.boolean().exactOptional().describe("Only show the change. Default false."),
});

const outputSchema = z.strictObject({
  host: z.string().describe("The host's name."),
  files: z
    .array(
      z.strictObject({
        path: z.string().describe("The file."),
        diff: z.string().describe("The removed and added lines."),
        action: z
          .enum(["write", "restore", "take-out", "remove"])
          .describe("Undoing restores a file, or takes our part out of one that was changed since."),
        replaced: z
          .array(z.string())
          .describe("Entries in it that lcm setup did not write, or its path if it did not write the file."),
      }),
    )
    .describe("The files that change."),
  written: z.boolean().describe("Whether they were changed."),
  notes: z.array(z.string()).describe("What the user should know or do afterwards."),
});
type Output = z.infer<typeof outputSchema>;

export const setUpHost = defineOperation({
  name: "setup",
  summary:
    "Connect a host to this store. Shows the change to the host's configuration and asks for confirmation.",
  input: inputSchema,
  output: outputSchema,
  command: {
    positional: ["host"],
    examples: [
      ["lcm setup claude-code", "shows the change and asks for confirmation"],
      ["lcm setup codex --dry-run"],
      ["lcm setup watch", "installs a user service that imports all sessions"],
      ["lcm setup claude-code --undo", "restores the configuration byte for byte"],
    ],
    question: (setup: Setup, input) => {
      const changes = planned(setup, input);
      if (input.dryRun === true || changes.length === 0) return null;
      const files = changes.length === 1 ? "this file" : "these files";
      return [...changes.map(shownChange), ...changes.flatMap(replacement), `Write ${files}?`].join("\n\n");
    },
    text: shownOutput,
  },
  runsOn: "setup",
  run: async (setup: Setup, input) => {
    const { host: name, dryRun = false, undo = false } = input;
    const host = hostNamed(name);
    const changes = planned(setup, input);
    if (!dryRun) write(name, undo, changes, undo ? [] : storeOf(setup));
    const notes = dryRun
      ? changes.flatMap(replacement)
      : [storeNote(setup, host), ...host.notes, ...hooksNote(host)];
    return {
      host: host.label,
      files: changes.map((change) => ({
        path: change.path,
        diff: diffOf(change),
        action: actionOf(change, undo),
        replaced: [...change.replaced],
      })),
      written: !dryRun && changes.length > 0,
      notes: undo ? [...(host.undoNotes ?? [])] : notes,
    };
  },
});

function planned(setup: Setup, { host, undo, replace, dryRun }: Input): readonly FileChange[] {
  if (undo === true) return planUndo(hostNamed(host));
  const changes = planSetup(hostNamed(host), { store: storeOf(setup) });
  const [other] = changes.filter(({ replaced }) => replaced.length > 0);
  if (other === undefined || replace === true || dryRun === true) return changes;
  const [what, problem] = other.replaced.includes(other.path)
    ? ["file", "was not written by lcm setup"]
    : ["entry", `has an entry ${other.replaced.join(", ")} that lcm setup did not write`];
  throw new PalimpsestError("invalid-input", `${other.path} ${problem}`, {
    advice: `The file was not changed. See the change with \`dryRun\`. Rename the ${what}, or allow the change with \`replace\`; \`undo\` puts the ${what} back.`,
  });
}

/** The store variables for the host's configuration. Those of the environment are not copied. */
function storeOf(setup: Setup): StoreVariables {
  if (typeof setup.options.databaseUrl !== "string") return storeVariables(setup);
  throw new PalimpsestError(
    "invalid-input",
    "the address of a database is not written, because it may contain a password",
    { advice: "Set LCM_DATABASE_URL where the host is started, or databaseUrl in the configuration file." },
  );
}

function storeNote(setup: Setup, { name, label, hasOwnEnvironment = false }: HostSetup): string {
  const { config, sources } = setup.loadUsable();
  const folder = path.resolve(config.dataDir);
  if (config.databaseUrl !== null) {
    if (sources.databaseUrl !== "environment") return `${label} uses the PostgreSQL database.`;
    return hasOwnEnvironment
      ? "LCM_DATABASE_URL may contain a password and is not written. Set databaseUrl in the configuration file instead."
      : `${label} will use the PostgreSQL database only if it is started with LCM_DATABASE_URL. Or set databaseUrl in the configuration file.`;
  }
  if (sources.dataDir !== "environment" || hasOwnEnvironment) return `${label} uses the store in ${folder}.`;
  const [shown, again] = [
    quoted(folder),
    commandsForTerminals(`lcm setup ${name} dataDir=${quoted(folder)}`),
  ];
  return `${label} will use ${folder} only if it is started with LCM_DATA_DIR=${shown}. To write the folder into the configuration, run: ${again}`;
}

function hooksNote(host: HostSetup): string[] {
  const off = host.hooksOff?.(hostFolders());
  return off ? [`${off.problem}. ${off.advice}`] : [];
}

function actionOf({ after, isWhole }: FileChange, undo: boolean) {
  if (!undo) return "write";
  if (after === null) return "remove";
  return isWhole ? "restore" : "take-out";
}

function write(host: string, undo: boolean, changes: readonly FileChange[], store: StoreVariables): void {
  if (changes.length === 0) return;
  if (!undo) writeRecord(host, recordOf(changes, readRecord(host), store));
  writeAll(changes);
  if (undo) removeRecord(host);
}

/** All files or none: after a failed write, earlier ones are restored. */
function writeAll(changes: readonly FileChange[]): void {
  const written: FileChange[] = [];
  for (const change of changes)
    try {
      writeChange(change);
      written.push(change);
    } catch (error) {
      for (const { path: file, before, after } of written)
        writeChange({ path: file, before: after, after: before });
      throw new PalimpsestError("invalid-input", `${change.path} cannot be written: ${fileProblem(error)}`, {
        advice: "Nothing was changed. Make the file and its folder writable, and run the command again.",
        cause: error,
      });
    }
}

/** The original is the content before the first set-up, not what a set-up wrote. */
function recordOf(
  changes: readonly FileChange[],
  known: SetupRecord | null,
  store: StoreVariables,
): SetupRecord {
  const earlier = known?.files ?? [];
  const files = changes.map(({ path: file, before, after, original }) => {
    const found = before?.toString("base64") ?? null;
    const own = earlier.find((one) => one.path === file && one.after === found);
    return {
      path: file,
      before: own === undefined ? (original?.toString("base64") ?? null) : own.before,
      after: after?.toString("base64") ?? "",
    };
  });
  const others = earlier.filter((one) => changes.every((change) => change.path !== one.path));
  return { node: installedPrograms().node, store: Object.fromEntries(store), files: [...others, ...files] };
}

/** Atomic, since a host may read the file at any time. */
function writeChange({ path: file, before, after }: Pick<FileChange, "path" | "before" | "after">): void {
  if (after === null) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(path.dirname(file), { recursive: true });
  // The configuration may be a symbolic link, which is kept.
  const place = before === null ? file : realpathSync(file);
  const mode = before === null ? 0o600 : statSync(place).mode & 0o777;
  const beside = `${place}.palimpsest-${process.pid}`;
  writeFileSync(beside, after, { mode });
  renameSync(beside, place);
}

function diffOf({ before, after }: FileChange): string {
  return diffLines(before?.toString("utf8") ?? "", after?.toString("utf8") ?? "");
}

function shownChange(change: FileChange): string {
  return `${change.path}\n${escapeControls(diffOf(change))}`;
}

function replacement({ replaced, path: file }: FileChange): string[] {
  return replaced.map(
    (name) =>
      `${name === file ? file : `${name} in ${file}`} was not written by lcm setup, and is replaced. Undoing the setup puts it back.`,
  );
}

const DONE = {
  write: "Written:",
  restore: "Restored to its content before setup:",
  "take-out": "Removed the part of Palimpsest; the rest of the file stays:",
  remove: "Removed:",
} as const;

function shownOutput({ host, files, written, notes }: Output): string {
  if (files.length === 0) return `Nothing to change for ${host}.`;
  const shown = files.map(({ path: file, diff, action }) =>
    written ? `${DONE[action]} ${file}` : `Would change: ${file}\n${escapeControls(diff)}`,
  );
  return [...shown, ...notes].join("\n");
}
