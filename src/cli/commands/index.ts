/** Every command: one for each operation, and those without an operation. A call loads only the named ones. */
import type { Command } from "commander";
import {
  type AnyOperation,
  COMMAND_WORDS,
  type CommandWords,
  loadOperation,
  OTHER_WORDS,
} from "../../operations/registry.ts";
import { addOperation, examplesText, firstSentence } from "../add-operation.ts";
import { runCommand } from "../call.ts";
import type { CommandLine } from "../command-line.ts";
import type { Typed } from "../typed.ts";
import { GROUPS } from "./groups.ts";

type Run = (cli: CommandLine, typed: Typed) => Promise<void>;

/** Commands that write as they go, or read from standard input. */
const SPECIAL: Readonly<Partial<Record<CommandWords, () => Promise<Run>>>> = {
  import: async () => (await import("./import.ts")).runImport,
  grep: async () => (await import("./grep.ts")).runGrep,
  read: async () => (await import("./read.ts")).runRead,
  compact: async () => (await import("./compact.ts")).runCompact,
  "files add": async () => (await import("./files-add.ts")).runFilesAdd,
  "memory store": async () => (await import("./memory-store.ts")).runMemoryStore,
  erase: async () => (await import("./erase.ts")).runErase,
};

/** Commands that are not operations. */
const OWN: Readonly<Record<string, () => Promise<(program: Command, cli: CommandLine) => void>>> = {
  ui: async () => (await import("./serve.ts")).addUi,
  serve: async () => (await import("./serve.ts")).addServe,
  top: async () => (await import("./top.ts")).addTop,
  mcp: async () => (await import("./mcp.ts")).addMcp,
  daemon: async () => (await import("./daemon.ts")).addDaemon,
  watch: async () => (await import("./watch.ts")).addWatch,
  completion: async () => (await import("./completion.ts")).addCompletion,
  "complete-id": async () => (await import("./completion.ts")).addCompleteId,
};

/** Called by scripts, and not listed for people. */
const UNLISTED: ReadonlySet<string> = new Set(["complete-id"]);

/** The commands that the arguments may name; all of them when they name none, or for help. */
export async function addCommands(
  program: Command,
  cli: CommandLine,
  argv: readonly string[] = [],
): Promise<void> {
  const own = Object.keys(OWN).filter((name) => argv.includes(name));
  const named = argv.includes("help") ? [] : namedIn(argv);
  const isAll = named.length + own.length === 0;
  const wanted = isAll ? COMMAND_WORDS : COMMAND_WORDS.filter((words) => named.includes(words));
  const operations = await Promise.all(wanted.map(loadOperation));
  wanted.forEach((words, index) => {
    const operation = operations[index];
    if (operation !== undefined) addOne(program, cli, words, operation);
  });
  for (const [name, load] of Object.entries(OWN))
    if ((isAll && !UNLISTED.has(name)) || own.includes(name)) (await load())(program, cli);
  for (const command of program.commands) command.summary(firstSentence(command.description()));
}

/** For a group without a valid subcommand, all of its commands, for the default one or an error. */
function namedIn(argv: readonly string[]): CommandWords[] {
  const isNamed = (words: string) => words.split(" ").every((word) => argv.includes(word));
  const others = Object.entries(OTHER_WORDS).flatMap(([words, meant]) => (isNamed(words) ? [meant] : []));
  const named = [...COMMAND_WORDS.filter(isNamed), ...others];
  const below = Object.entries(GROUPS).flatMap(([group, { byItself }]) => {
    if (!argv.includes(group)) return [];
    const commands = COMMAND_WORDS.filter((words) => words.startsWith(`${group} `));
    return commands.some((words) => named.includes(words)) ? [byItself] : commands;
  });
  return [...named, ...below];
}

function addOne(program: Command, cli: CommandLine, words: CommandWords, operation: AnyOperation): void {
  const [first = "", second] = words.split(" ");
  const parent = second === undefined ? program : groupIn(program, first);
  const command = parent.command(second ?? first, { isDefault: GROUPS[first]?.byItself === words });
  for (const [other, meant] of Object.entries(OTHER_WORDS))
    if (meant === words) command.alias(other.split(" ").at(-1) ?? other);
  addOperation(command, words, operation, async (typed) => {
    if (operation.command.paged === true) cli.page();
    const run = await SPECIAL[words]?.();
    await (run === undefined ? runCommand(cli, operation, typed) : run(cli, typed));
  });
}

function groupIn(program: Command, name: string): Command {
  const known = program.commands.find((command) => command.name() === name);
  const { summary = "", examples = [] } = GROUPS[name] ?? {};
  if (known !== undefined) return known;
  const group = program.command(name).description(summary);
  const byItself = GROUPS[name]?.byItself;
  const told = `\nWithout a command, it runs: lcm ${byItself}\nIts options: lcm ${byItself} --help`;
  return group.addHelpText("after", `${told}\n${examplesText(examples)}`);
}
