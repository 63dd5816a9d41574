import path from "node:path";
import { type Command, Option } from "commander";
import { isPalimpsestError, PalimpsestError } from "../../../errors.ts";
import type {
  importMemories,
  MemoryFileReport,
  MemoryImportStep,
} from "../../../operations/memory/memory-import.ts";
import { escapeControls, oneLine } from "../../../text/escape-controls.ts";
import { adviceForTerminals } from "../../../text/hints/advice-for-terminals.ts";
import { count, counted } from "../../amounts.ts";
import type { CommandLine } from "../../command-line.ts";
import { EXIT_CODES } from "../../exit-codes.ts";
import { quoted } from "../../global-options.ts";
import type { Look } from "../../look.ts";
import { repeated } from "../../look-in-options.ts";
import type { OutputOf } from "../../output-of.ts";
import { bar } from "../../progress.ts";

type Output = OutputOf<typeof importMemories>;
type Format = NonNullable<MemoryFileReport["format"]>;

/** Written out, so that help does not have to load the readers. */
const FORMATS = [
  "palimpsest-jsonl",
  "palimpsest-markdown",
  "lancedb-pro",
  "mem0",
  "memory-markdown",
] as const satisfies readonly Format[];

interface Options {
  readonly format?: Format;
  readonly scope?: string;
  readonly dryRun?: true;
}

const EXAMPLES = `
Examples:
  lcm memory import memories.jsonl                    an export of ours; again changes nothing
  lcm memory import memory-backup.json --dry-run      of memory-lancedb-pro: what would come in
  lcm memory import ~/.openclaw/workspace --scope project:web    MEMORY.md and memory/2026-11-16.md
  lcm memory import mem0.json --format mem0`;

export function addMemoryImport(memory: Command, cli: CommandLine): void {
  memory
    .command("import <path...>")
    .description("bring memories in: our exports, memory-lancedb-pro, mem0, MEMORY.md folders")
    .addOption(new Option("--format <format>", "which form it is (recognised)").choices(FORMATS))
    .option("--scope <scope>", "where all of them go (where the file says, else this agent's own)")
    .option("--dry-run", "only tell what would be done")
    .addHelpText("after", EXAMPLES)
    .action(async (given: readonly string[], options: Options) => {
      const { importMemories } = await import("../../../operations/memory/memory-import.ts");
      const again = cli.suggest(commandOf(given, options));
      const input = { path: given.length === 1 ? given[0] : given, ...options };
      const onProgress = (step: MemoryImportStep) => cli.progress.show(progressOf(step));
      const output = await cli.run(importMemories, input, onProgress).catch((error: unknown) => {
        throw explainStop(error, again);
      });
      const { created, superseded, alreadyThere, passedOver } = output.totals;
      if (created + superseded + alreadyThere === 0 && passedOver > 0)
        cli.exitCode = EXIT_CODES["not-supported"];
      await cli.answer(output, (look) => render(output, again, look, cli));
    });
}

function commandOf(given: readonly string[], { format, scope }: Options): string {
  const options = repeated([
    ["--format", format],
    ["--scope", scope],
  ]);
  return `memory import ${given.map(quoted).join(" ")}${options}`;
}

function progressOf({ file, done, total }: MemoryImportStep): string {
  return `${bar(done, total)} ${path.basename(file)} ${count(done)} of ${counted(total, "memory", "memories")}`;
}

/** What was stored stays, and its ids are the same the next time. */
function explainStop(error: unknown, again: string): unknown {
  if (!isPalimpsestError(error, "cancelled")) return error;
  return new PalimpsestError("cancelled", "the import was stopped; what was stored stays", {
    advice: `Go on with: ${again}`,
    cause: error,
  });
}

function render(output: Output, again: string, look: Look, cli: CommandLine): string {
  const { dryRun, files, totals } = output;
  const shown = files.filter(({ format }) => format !== null || files.length === 1);
  const others = files.length - shown.length;
  return [
    ...shown.map((file) => renderFile(file, dryRun, look)),
    ...(others === 0
      ? []
      : [look.style("dim", `${counted(others, "file")} in no form of memories that is known`)]),
    ...lossesOf(shown, look),
    ...(files.length === 1 ? [] : [`All together: ${amounts(totals, totals.passedOver, dryRun)}.`]),
    ...(dryRun ? [`Nothing was stored. Do it with: ${again}`] : missingVectors(output, cli)),
  ].join("\n\n");
}

function missingVectors({ withoutVectors }: Output, cli: CommandLine): string[] {
  if (withoutVectors === 0) return [];
  const which = counted(
    withoutVectors,
    "memory has no vectors yet and is",
    "memories have no vectors yet and are",
  );
  return [`${which} found by words only. Make them with: ${cli.suggest("memory reembed")}`];
}

/** Once for each form that something new came in. */
function lossesOf(files: readonly MemoryFileReport[], look: Look): string[] {
  const used = files.filter(({ created, superseded }) => created + superseded > 0);
  return [...new Map(used.map(({ format, losses }) => [format, losses]))].map(([format, losses]) =>
    look.style("dim", [`${format} does not carry:`, ...losses.map((loss) => `  ${loss}`)].join("\n")),
  );
}

type Counts = Pick<MemoryFileReport, "created" | "superseded" | "alreadyThere">;

function amounts({ created, superseded, alreadyThere }: Counts, passedOver: number, dryRun: boolean): string {
  return [
    `${counted(created + superseded, "memory", "memories")} ${dryRun ? "would be " : ""}stored`,
    ...(superseded === 0 ? [] : [`${count(superseded)} of them in place of an older value`]),
    `${count(alreadyThere)} already there`,
    ...(passedOver === 0 ? [] : [`${count(passedOver)} passed over`]),
  ].join(", ");
}

const MOST_SHOWN = 20;

function renderFile(file: MemoryFileReport, dryRun: boolean, look: Look): string {
  const { format, passedOver, changes } = file;
  const head = `${look.style("bold", path.basename(file.path))}${look.style("dim", ` · ${format ?? "unknown"}`)}`;
  return [
    head,
    `  ${amounts(file, passedOver.length, dryRun)}`,
    ...cutList(passedOver.map((problem) => look.style("yellow", describeProblem(problem)))),
    ...cutList(changes.map(escapeControls)),
  ].join("\n");
}

function describeProblem({ line, row, reason }: MemoryFileReport["passedOver"][number]): string {
  const which = row === undefined ? "" : `, row ${count(row)}`;
  return `line ${count(line)}${which}: ${oneLine(adviceForTerminals(reason))}`;
}

function cutList(lines: readonly string[]): string[] {
  const rest = lines.length - MOST_SHOWN;
  const shown = lines.slice(0, MOST_SHOWN).map((line) => `  ${line}`);
  return rest > 0 ? [...shown, `  … and ${count(rest)} more (--json has all of them)`] : shown;
}
