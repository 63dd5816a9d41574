/** The commands and their options. The implementation of a command is loaded when it is called. */
import { Command, CommanderError, type Help } from "commander";
import { PalimpsestError } from "../errors.ts";
import { packageVersion } from "../package-version.ts";
import { nearest } from "../text/hints/nearest.ts";
import { quoted } from "../text/terminal/quoted.ts";
import { CommandLine } from "./command-line.ts";
import { addCommands } from "./commands/index.ts";
import { EXIT_CODE_HELP, EXIT_CODES } from "./exit-codes.ts";
import { addGlobalOptions, type GlobalOptions } from "./global-options.ts";
import { reportError } from "./report-error.ts";
import type { Terminal } from "./terminal.ts";

const IDS = "Ids: a unique prefix with at least 3 digits is enough: conv_012, msg_012_42.";

const EXAMPLES = `Examples:
  lcm import ~/.claude/projects         import all transcripts below a folder
  lcm conversations                     list conversations
  lcm read conv_0123456789abcdef        read a conversation, word for word
  lcm read msg_0123456789abcdef_42      read one message
  lcm grep "which port"                 search messages by words
  lcm grep --regex 'ECONN\\w+' -C 2      find every match of a pattern
  lcm recent --since 1d                 list messages of the last day
  lcm compact conv_0123456789abcdef     summarise older messages
  lcm context conv_0123456789abcdef     show what the model would see now
  lcm ask "what did we decide on X?"    get an answer with its sources
  lcm memory recall "which editor"      find facts from all conversations
  lcm mcp                               serve the tools to an agent over MCP
  lcm backup                            back up the whole store into one file
  lcm status --json                     print JSON for scripts`;

/** A list of commands has only descriptions; parameters are on each command's own help page. */
const HELP: Partial<Help> = {
  showGlobalOptions: true,
  subcommandTerm: (command) => [command.name(), ...command.aliases()].join(", "),
  optionDescription: ({ description, argChoices = [] }) => {
    const isTold = argChoices.every((choice) => description.includes(choice));
    return isTold ? description : `${description} One of ${argChoices.join(", ")}.`;
  },
};

export async function runProgram(
  argv: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const cli = new CommandLine(terminal, signal);
  const help: string[] = [];
  const program = buildProgram(cli, (text) => help.push(text));
  await addCommands(program, cli, argv);
  // Read before parsing, so that errors in the arguments have the same format.
  const style = { json: argv.includes("--json"), debug: asksForDebug(argv) };
  try {
    await program.parseAsync(withHelpAsOption(argv), { from: "user" });
    return cli.exitCode;
  } catch (error) {
    await terminal.finishPaging();
    if (!(error instanceof CommanderError)) return await reportError(error, terminal, style);
    const text = help.join("");
    const unknown = error.code === "commander.version" ? undefined : unknownIn(program, program.args);
    if (unknown !== undefined) {
      await reportError(noSuchCommand(unknown), terminal, style);
      return EXIT_CODES["invalid-input"];
    }
    if (error.exitCode === 0) {
      await terminal.write(style.json ? `${JSON.stringify(infoDocument(error, text))}\n` : text);
      return 0;
    }
    if (error.code === "commander.help" && !style.json) terminal.note(text);
    else await reportError(usageError(error, program, argv), terminal, style);
    return EXIT_CODES["invalid-input"];
  } finally {
    await cli.close();
    await terminal.finishPaging();
  }
}

function buildProgram(cli: CommandLine, writeHelp: (text: string) => void): Command {
  const program = new Command("lcm")
    .description("Stores every word an agent ever saw, and returns it exactly.")
    .usage("<command> [options]")
    .version(packageVersion(), "-V, --version", "Print the version.")
    .helpOption("-h, --help", "Show help.")
    .helpCommand("help [command]", "Show help for a command")
    .addHelpText("after", `\n${EXAMPLES}\n\n${IDS}\n\n${EXIT_CODE_HELP}`)
    .configureHelp(HELP)
    .configureOutput({ writeOut: writeHelp, writeErr: writeHelp, outputError: () => {} })
    .exitOverride();
  addGlobalOptions(program);
  program.hook("preAction", (_, command) => {
    cli.options = command.optsWithGlobals<GlobalOptions>();
  });
  return program;
}

function usageError(error: CommanderError, program: Command, argv: readonly string[]): PalimpsestError {
  const command = namedCommand(program, argv);
  const name = command === program ? "" : `${pathOf(command)} `;
  const advice = `See: lcm ${name}--help`;
  if (error.code === "commander.help")
    return new PalimpsestError("invalid-input", "missing command", { advice });
  // Commander passes an unknown subcommand to the default command, and lists the extra arguments: `… but got 2: recal, x.`
  if (error.code === "commander.excessArguments" && command.commands.length > 0)
    return noSuchCommand({
      command,
      word: / but got \d+: ([^,]*?)(?:,.*)?\.$/s.exec(error.message)?.[1] ?? "",
    });
  if (error.code === "commander.missingArgument") return missingArgument(command, error, advice);
  if (error.code === "commander.invalidArgument") return invalidValue(error, advice);
  // The second line, if there is one, suggests the nearest name.
  const [message = "", hint = ""] = error.message.replace(/^error: /, "").split("\n");
  const suggestion = hint.replace(/^\(|\)$/g, "");
  const wayOn = suggestion === "" ? advice : suggestion;
  const isWord = error.code === "commander.unknownOption" && command.registeredArguments.length > 0;
  return new PalimpsestError("invalid-input", message, {
    advice: isWord
      ? `${wayOn}\nIf it is not an option, put -- before it: lcm ${name}-- ${quotedIn(message)}`
      : wayOn,
  });
}

/** Names the missing argument with its description, which lists its values. */
function missingArgument(command: Command, { message }: CommanderError, advice: string): PalimpsestError {
  const name = /'(.*)'/s.exec(message)?.[1];
  const argument = command.registeredArguments.find((one) => one.name() === name);
  return new PalimpsestError("invalid-input", message.replace(/^error: /, ""), {
    advice: argument?.description ? `${name}: ${argument.description}\n${advice}` : advice,
  });
}

const OPTION_VALUE =
  /^error: option '(?:-\w, )?(?<name>--[\w-]+)[^']*' argument '(?<value>.*)' is invalid\. ?(?<why>.*)$/s;
const ARGUMENT_VALUE =
  /^error: command-argument value '(?<value>.*)' is invalid for argument '(?<name>[^']*)'\. ?(?<why>.*)$/s;

/** The value first, then what is allowed. */
function invalidValue({ message }: CommanderError, advice: string): PalimpsestError {
  const {
    name,
    value,
    why = "",
  } = (OPTION_VALUE.exec(message) ?? ARGUMENT_VALUE.exec(message))?.groups ?? {};
  if (name === undefined)
    return new PalimpsestError("invalid-input", message.replace(/^error: /, ""), { advice });
  const allowed = why.replace(/^Allowed choices are /, "Allowed: ");
  return new PalimpsestError("invalid-input", `invalid ${name} value '${value}'`, {
    advice: allowed === "" ? advice : `${allowed}\n${advice}`,
  });
}

/** Commands of other programs, with what does the same here. */
const CALLED_OTHERWISE: Readonly<Record<string, string>> = {
  "config unset": "Remove a setting, so that its default applies, with: lcm config set <key>",
  "config get": "See the settings with: lcm config show",
};

interface UnknownCommand {
  /** The program, or the group of commands that has no such command. */
  readonly command: Command;
  readonly word: string;
}

/** `help memory recall` → `memory recall --help`, since commander only reads the first word after `help`. */
function withHelpAsOption(argv: readonly string[]): readonly string[] {
  return argv[0] === "help" ? [...argv.slice(1), "--help"] : argv;
}

/** The first of these words that should name a command and does not: commander shows the help of its group then. */
function unknownIn(command: Command, [word, ...rest]: readonly string[]): UnknownCommand | undefined {
  if (word === undefined || word.startsWith("-") || command.commands.length === 0) return undefined;
  if (word === "help") return unknownIn(command, rest);
  const inner = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
  return inner === undefined ? { command, word } : unknownIn(inner, rest);
}

function noSuchCommand({ command, word }: UnknownCommand): PalimpsestError {
  const isProgram = command.parent === null;
  const path = isProgram ? "" : `${pathOf(command)} `;
  const [near] = nearest(
    word,
    command.commands.map((one) => one.name()),
  );
  const message = isProgram ? `unknown command '${word}'` : `lcm ${pathOf(command)} has no command '${word}'`;
  return new PalimpsestError("invalid-input", message, {
    advice:
      CALLED_OTHERWISE[path + word] ??
      (near === undefined ? `See: lcm ${path}--help` : `Did you mean ${near}?`),
  });
}

/** The deepest command that the words name. */
function namedCommand(command: Command, words: readonly string[]): Command {
  for (const [at, word] of words.entries()) {
    const inner = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (inner !== undefined) return namedCommand(inner, words.slice(at + 1));
  }
  return command;
}

/** `files cat`: its name with those of the commands that it belongs to, without the program's. */
function pathOf(command: Command): string {
  const { parent } = command;
  return parent === null || parent.parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`;
}

/** The part that commander quotes, quoted for a shell. */
function quotedIn(message: string): string {
  return quoted(/'(.*)'/s.exec(message)?.[1] ?? "…");
}

function infoDocument(error: CommanderError, text: string) {
  return error.code === "commander.version" ? { version: text.trim() } : { help: text };
}

function asksForDebug(argv: readonly string[]): boolean {
  const position = argv.indexOf("--log-level");
  return argv.includes("--log-level=debug") || (position >= 0 && argv[position + 1] === "debug");
}
