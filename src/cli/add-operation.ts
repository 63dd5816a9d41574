/** A command of the program, made from the definition of its operation. */
import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { messageOf } from "../errors.ts";
import type { AnyOperation } from "../operations/registry.ts";
import { inTypedNames } from "./in-typed-names.ts";
import { type Parameter, parametersOf } from "./parameters.ts";
import { checkText, type Typed } from "./typed.ts";

/** `words` is its full name: `files list`. */
export function addOperation(
  command: Command,
  words: string,
  operation: AnyOperation,
  run: (typed: Typed) => Promise<void>,
): void {
  const parameters = parametersOf(operation);
  const { examples = [], question } = operation.command;
  command.description(operation.summary).summary(firstSentence(operation.summary));
  for (const parameter of parameters)
    if (parameter.isPositional) command.addArgument(argumentFor(parameter));
    else command.addOption(optionFor(parameter));
  if (question !== undefined) command.option("--yes", "Skip the confirmation.");
  if (examples.length > 0) command.addHelpText("after", examplesText(examples));
  command.action(async () => {
    const typed = typedIn(command, words, parameters);
    try {
      await run(typed);
    } catch (error) {
      throw inTypedNames(error, operation, typed);
    }
  });
}

/** The description in a list of commands. */
export function firstSentence(summary: string): string {
  return summary.replace(/(\. |; ).*$|\.$/s, "");
}

function argumentFor(parameter: Parameter): Argument {
  const { isRequired, value, choices, description } = parameter;
  const name = value ?? "";
  const argument = new Argument(isRequired ? `<${name}>` : `[${name}]`, description);
  if (choices !== undefined) argument.choices(choices);
  return name.endsWith("...") ? argument : argument.argParser((text) => checked(parameter, text));
}

/** `-C, --context <lines>` */
export function flagsText({ letter, name, value }: Parameter): string {
  const short = letter === undefined ? "" : `-${letter}, `;
  return `${short}--${name}${value === null ? "" : ` <${value}>`}`;
}

function optionFor(parameter: Parameter): Option {
  const { value, description, choices, isRequired, several } = parameter;
  const option = new Option(flagsText(parameter), description);
  if (choices !== undefined) option.choices(choices);
  if (parameter.conflicts !== undefined) option.conflicts(parameter.conflicts);
  if (value !== null)
    option.argParser((text: string, before: readonly string[] = []) => {
      checked(parameter, text);
      return several === "no" ? [text] : [...before, text];
    });
  return option.makeOptionMandatory(isRequired);
}

function checked(parameter: Parameter, text: string): string {
  try {
    checkText(parameter, text);
    return text;
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error));
  }
}

function typedIn(command: Command, words: string, parameters: readonly Parameter[]): Typed {
  const options: Readonly<Record<string, unknown>> = command.opts();
  const texts = new Map<Parameter, readonly string[]>();
  const positional = parameters.filter(({ isPositional }) => isPositional);
  command.processedArgs.forEach((given: unknown, index) => {
    const parameter = positional[index];
    if (parameter !== undefined && given !== undefined) texts.set(parameter, [given].flat().map(String));
  });
  for (const parameter of parameters.filter(({ isPositional }) => !isPositional)) {
    const given = optionOf(options, parameter);
    if (given !== undefined) texts.set(parameter, given);
  }
  return { words, parameters, texts, isConfirmed: options.yes === true };
}

/** Its texts; empty for a switch; undefined if it was not given. */
function optionOf(
  options: Readonly<Record<string, unknown>>,
  { name, value }: Parameter,
): readonly string[] | undefined {
  const isNegated = value === null && name.startsWith("no-");
  const given = options[camel(isNegated ? name.slice("no-".length) : name)];
  if (value === null) return given === !isNegated ? [] : undefined;
  return Array.isArray(given) ? given.map(String) : undefined;
}

/** `dry-run` → `dryRun`, as commander names it. */
function camel(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** A longer line would wrap. */
const WIDEST_EXAMPLE = 80;

/** Remarks are in a separate column, or all below their commands if one of them does not fit there. */
export function examplesText(examples: readonly (readonly [command: string, remark?: string])[]): string {
  const column = Math.max(
    ...examples.map(([example, remark]) => (remark === undefined ? 0 : example.length)),
  );
  const remarked = (gap: (example: string) => string) =>
    examples.map(([example, remark]) =>
      remark === undefined ? `  ${example}` : `  ${example}${gap(example)}${remark}`,
    );
  const beside = remarked((example) => " ".repeat(column - example.length + 2));
  const isNarrow = beside.every(
    (line, index) => examples[index]?.[1] === undefined || line.length <= WIDEST_EXAMPLE,
  );
  const lines = isNarrow ? beside : remarked(() => "\n      ");
  return `\n${examples.length === 1 ? "Example" : "Examples"}:\n${lines.join("\n")}`;
}
