import { type Command, Option } from "commander";
import type { GrepMode } from "../../context/retrieve/grep-messages.ts";
import { PalimpsestError } from "../../errors.ts";
import type { GREP_SCOPES, grep } from "../../operations/retrieve/grep.ts";
import { escapeHint } from "../../text/hints/escape-hint.ts";
import { filesApartHint } from "../../text/hints/files-apart-hint.ts";
import { matchCount } from "../../text/hints/match-count.ts";
import { meaningHint } from "../../text/hints/meaning-hint.ts";
import { nearToolsHint } from "../../text/hints/near-tools-hint.ts";
import { count, counted } from "../amounts.ts";
import type { CommandLine } from "../command-line.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { quoted } from "../global-options.ts";
import {
  addLookInOptions,
  type LookInOptions,
  lookInOf,
  repeated,
  repeatLookIn,
} from "../look-in-options.ts";
import { wholeNumber } from "../option-values.ts";
import type { OutputOf } from "../output-of.ts";
import { renderFileHits } from "../render/render-file-hits.ts";
import { renderFound } from "../render/render-hit.ts";
import { writeAll } from "../write-all.ts";

/** A longer pattern is not written out again where a command is suggested. */
const LONGEST_REPEATED = 500;

type Output = OutputOf<typeof grep>;
type Hit = Output["hits"][number];

/** Written out, so that help does not have to load the search. */
const MODES = ["full_text", "regex", "exact", "hybrid"] as const satisfies readonly GrepMode[];

type Scope = (typeof GREP_SCOPES)[number];
const SCOPES = ["both", "messages", "summaries", "files"] as const satisfies readonly Scope[];

const EXAMPLES = `
Examples:
  lcm grep "which port"                          any of the words, best first
  lcm grep --regex 'ECONN\\w+' -C 2               every match of a pattern, newest first
  lcm grep --mode hybrid "how do we ship it"     by words and by meaning, where searchByMeaning is on
  lcm grep --scope files --exact 'Traceback (most'   lines inside files, whatever their size`;

interface Options extends LookInOptions {
  readonly scope?: Scope;
  readonly mode?: GrepMode;
  readonly regex?: true;
  readonly exact?: true;
  readonly ignoreCase?: true;
  readonly sort?: "relevance" | "time";
  readonly context?: number;
}

export function addGrep(program: Command, cli: CommandLine): void {
  const command = program
    .command("grep <pattern>")
    .description("search everything that was said: by words, best first, or by a pattern, complete")
    .addOption(new Option("--mode <mode>", "how the pattern is read (full_text)").choices(MODES))
    .option("-e, --regex", "the pattern is a regular expression: every match, newest first")
    .option("-F, --exact", "the pattern is text as it is written: every match, newest first")
    .option("-i, --ignore-case", "for --regex and --exact")
    .addOption(
      new Option(
        "--scope <scope>",
        "what is searched; files: their lines, whatever their size (both)",
      ).choices(SCOPES),
    );
  addLookInOptions(command)
    .addOption(new Option("--sort <order>", "best or newest first").choices(["relevance", "time"]))
    .option("-C, --context <lines>", "whole lines around the first match", wholeNumber)
    .addHelpText("after", EXAMPLES)
    .action(async (pattern: string, options: Options) => {
      const output = await search(pattern, options, cli);
      if (output?.hits.length === 0 && output.fileHits.length === 0) cli.exitCode = EXIT_CODES["not-found"];
    });
}

/** Hits are written as they come, where they come one by one. */
async function search(pattern: string, options: Options, cli: CommandLine): Promise<Output | null> {
  const { grep } = await import("../../operations/retrieve/grep.ts");
  const input = { pattern, ...inputOf(options), ...lookInOf(options) };
  if (cli.json) {
    const output = await cli.run(grep, input);
    await cli.answer(output, () => "");
    return output;
  }
  if (options.scope === "files") {
    cli.progress.show("looking into files …");
    const output = await cli.run(grep, input);
    await cli.answer(output, (look) =>
      renderFileHits(output, look, {
        isContinued: options.cursor !== undefined,
        suggest: (words) => cli.suggest(words),
        wayOn: (next) => wayOn(pattern, options, next, cli),
      }),
    );
    return output;
  }
  const looking = cli.steps("searching");
  return writeAll<Hit, Output>(cli, {
    run: (onHit, signal) =>
      cli.run(grep, input, (step) => ("done" in step ? looking(step) : onHit(step)), signal),
    itemsOf: ({ hits }) => hits,
    render: (hit, look) => renderFound(hit, hit.snippet, look, matchCount(hit.matches)),
    closing: (output) => closing(output, pattern, options, cli),
  });
}

function inputOf({ mode, regex, exact, ignoreCase, sort, context, scope }: Options) {
  const modes = new Set([mode, regex && "regex", exact && "exact"].filter((one) => one !== undefined));
  if (modes.size > 1)
    throw new PalimpsestError("invalid-input", "only one of --mode, --regex and --exact can be meant");
  return { mode: [...modes][0], ignoreCase, sort, contextLines: context, scope };
}

function closing(
  { hits, next, total, searched, nearTools, filesApart, meaning }: Output,
  pattern: string,
  options: Options,
  cli: CommandLine,
): string {
  const scope = counted(searched, "message or summary", "messages and summaries");
  const told = meaningHint(meaning, cli.suggest("embed"));
  if (hits.length === 0 && options.cursor !== undefined) return `Nothing more matches in ${scope}.${told}`;
  if (hits.length === 0)
    return `Nothing matches; ${scope} were searched.${told}${escapeHint(pattern)}${nearToolsHint(options.tool, nearTools)}${filesApartHint(filesApart, cli.suggest(again(pattern, { ...onlyModes(options), scope: "files" })))}`;
  const amount = total === null ? count(hits.length) : `${count(hits.length)} of ${count(total)}`;
  const found = `${amount} found ${total === null && next !== null ? "so far " : ""}in ${scope}.`;
  return `${found}${told}${wayOn(pattern, options, next, cli)}`;
}

function wayOn(pattern: string, options: Options, next: string | null, cli: CommandLine): string {
  return next === null ? "" : `\nThere is more: ${cli.suggest(again(pattern, options, next))}`;
}

/** What a search inside files has in common with one of what was said. */
function onlyModes({ mode, regex, exact, ignoreCase, conversation }: Options): Options {
  const readable = mode === "hybrid" ? undefined : mode;
  const given = Object.entries({ mode: readable, regex, exact, ignoreCase, conversation });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** The same search as it would be typed to go on. */
function again(pattern: string, options: Options, cursor?: string): string {
  const { mode, regex, exact, ignoreCase, sort, context, scope } = options;
  const flags = [regex && " --regex", exact && " --exact", ignoreCase && " --ignore-case"];
  const values = repeated([
    ["--mode", mode],
    ["--scope", scope],
    ["--sort", sort],
    ["--context", context?.toString()],
  ]);
  const given = `${flags.filter((flag) => flag !== undefined).join("")}${values}${repeatLookIn(options)}`;
  const from = cursor === undefined ? "" : ` --cursor ${cursor}`;
  const repeatedPattern = pattern.length > LONGEST_REPEATED ? "…" : quoted(pattern);
  return `grep${given}${from} ${pattern.startsWith("-") ? "-- " : ""}${repeatedPattern}`;
}
