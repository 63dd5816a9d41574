/** The commands and options of the program, for shell completion scripts. */
import type { Command, Option } from "commander";

export interface ProgramShape {
  /** Every command, groups first. The program itself is one of them, without a name. */
  readonly commands: readonly CommandShape[];
  /** Options that every command takes. */
  readonly everywhere: readonly OptionShape[];
}

export interface CommandShape {
  /** Its name with those of its parent commands: `conversations list`. Empty for the program itself. */
  readonly path: string;
  readonly options: readonly OptionShape[];
  /** The words after it: subcommands, or the known values of its argument. */
  readonly words: readonly WordShape[];
  /** Whether its argument is the id of something in the store. */
  readonly takesId: boolean;
}

export interface WordShape {
  readonly word: string;
  readonly description: string;
  readonly isCommand: boolean;
}

export interface OptionShape {
  /** `--limit`, or `-C` and `--context`. */
  readonly names: readonly string[];
  readonly description: string;
  /** The type of its value, or the possible values; null for a switch. */
  readonly value: "file" | "id" | "text" | readonly string[] | null;
}

/** Words in an option's `<placeholder>` that name a path. */
const PLACES = /file|folder|path/;
/** Names of arguments, and placeholders of options, that are ids. */
const IDS = /^(?:id|conversation|summary)$/;
const HELP: OptionShape = { names: ["-h", "--help"], description: "Show help.", value: null };

export function programShape(program: Command): ProgramShape {
  const [version, ...everywhere] = program.options.map(optionShape);
  const [root, ...commands] = shapesOf(program, "");
  return {
    commands:
      root === undefined ? [] : [{ ...root, options: version === undefined ? [] : [version] }, ...commands],
    everywhere: [...everywhere, HELP],
  };
}

function shapesOf(command: Command, path: string): CommandShape[] {
  const below = command.commands.flatMap((one) =>
    namesOf(one).flatMap((name) => shapesOf(one, `${path} ${name}`.trim())),
  );
  const takesId = IDS.test(command.registeredArguments[0]?.name() ?? "");
  return [{ path, options: command.options.map(optionShape), words: wordsOf(command), takesId }, ...below];
}

function wordsOf(command: Command): WordShape[] {
  const values = command.registeredArguments[0]?.argChoices ?? [];
  return [
    ...command.commands.flatMap((one) =>
      namesOf(one).map((word) => ({ word, description: one.description(), isCommand: true })),
    ),
    ...values.map((word) => ({ word, description: "", isCommand: false })),
  ];
}

function namesOf(command: Command): string[] {
  return [command.name(), ...command.aliases()];
}

function optionShape(option: Option): OptionShape {
  const names = [option.short, option.long].filter((name) => typeof name === "string");
  return { names, description: option.description, value: valueTaken(option) };
}

function valueTaken({ flags, required, optional, argChoices }: Option): OptionShape["value"] {
  if (!required && !optional) return null;
  if (argChoices !== undefined) return argChoices;
  const placeholder = flags.replace(/^[^<[]*/, "");
  if (IDS.test(placeholder.slice(1, -1))) return "id";
  return PLACES.test(placeholder) ? "file" : "text";
}

/** Names of the options with this kind of value, without duplicates. */
export function optionsWith({ commands, everywhere }: ProgramShape, value: "file" | "id" | "text"): string[] {
  const all = [...commands.flatMap(({ options }) => options), ...everywhere];
  return [...new Set(all.filter((option) => option.value === value).flatMap(({ names }) => names))];
}

/** Options whose values are known, with the commands that accept them. */
export function optionsWithValues({
  commands,
}: ProgramShape): { path: string; name: string; values: readonly string[] }[] {
  return commands.flatMap(({ path, options }) =>
    options.flatMap(({ names, value }) =>
      typeof value === "object" && value !== null ? names.map((name) => ({ path, name, values: value })) : [],
    ),
  );
}
