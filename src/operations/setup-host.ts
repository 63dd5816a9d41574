import { mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { PalimpsestError } from "../errors.ts";
import { escapeControls } from "../text/escape-controls.ts";
import { fileProblem } from "../text/file-problem.ts";
import { diffLines } from "./hosts/diff-lines.ts";
import { type FileChange, hostNamed, planSetup, planUndo } from "./hosts/plan-setup.ts";
import { readRecord, removeRecord, type SetupRecord, writeRecord } from "./hosts/setup-record.ts";
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
  dryRun: z.boolean().exactOptional().describe("Only show the change. Default false."),
});

const outputSchema = z.strictObject({
  host: z.string().describe("The host's name."),
  files: z
    .array(
      z.strictObject({
        path: z.string().describe("The file."),
        diff: z.string().describe("The removed and added lines."),
      }),
    )
    .describe("The files that change."),
  written: z.boolean().describe("Whether they were changed."),
  notes: z.array(z.string()).describe("What the user should know or do afterwards."),
});
type Output = z.infer<typeof outputSchema>;

export const setUpHost = defineOperation({
  name: "setup",
  summary: "Connect a host to this store: show the change to its configuration, ask, and write it.",
  input: inputSchema,
  output: outputSchema,
  command: {
    positional: ["host"],
    examples: [
      ["lcm setup claude-code", "shows the change and asks"],
      ["lcm setup codex --dry-run"],
      ["lcm setup watch", "installs a user service that imports all sessions"],
      ["lcm setup claude-code --undo", "restores the configuration byte for byte"],
    ],
    question: (setup: Setup, input) => {
      const changes = planned(setup, input);
      if (input.dryRun === true || changes.length === 0) return null;
      return `${changes.map(shownChange).join("\n\n")}\n\nWrite ${changes.length === 1 ? "this file" : "these files"}?`;
    },
    text: shownOutput,
  },
  runsOn: "setup",
  run: async (setup: Setup, input) => {
    const { host: name, dryRun = false, undo = false } = input;
    const host = hostNamed(name);
    const changes = planned(setup, input);
    if (!dryRun) write(setup.loadUsable().config.dataDir, name, undo, changes);
    return {
      host: host.label,
      files: changes.map((change) => ({ path: change.path, diff: diffOf(change) })),
      written: !dryRun && changes.length > 0,
      notes: undo || dryRun ? [] : [...host.notes],
    };
  },
});

function planned(setup: Setup, { host, undo = false }: Input): readonly FileChange[] {
  return undo ? planUndo(hostNamed(host), setup.loadUsable().config.dataDir) : planSetup(hostNamed(host));
}

function write(dataDir: string, host: string, undo: boolean, changes: readonly FileChange[]): void {
  if (changes.length === 0) return;
  if (!undo) writeRecord(dataDir, host, recordOf(changes, readRecord(dataDir, host)));
  writeAll(changes);
  if (undo) removeRecord(dataDir, host);
}

/** All files or none: what was written before one that cannot be is put back. */
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

/** What a set-up before this one found counts, and not what it wrote itself. */
function recordOf(changes: readonly FileChange[], known: SetupRecord | null): SetupRecord {
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
  return { files: [...others, ...files] };
}

/** Whole or not at all: a host may read the file at any time. */
function writeChange({ path: file, before, after }: Omit<FileChange, "original">): void {
  if (after === null) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(path.dirname(file), { recursive: true });
  // People keep configurations elsewhere and link to them: the link stays.
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

function shownOutput({ host, files, written, notes }: Output): string {
  if (files.length === 0) return `Nothing to change for ${host}.`;
  const done = files.map(({ path: file, diff }) => (written ? file : `${file}\n${escapeControls(diff)}`));
  return [written ? "Written:" : "Would change:", ...done, ...notes].join("\n");
}
