/** The typed arguments of a command: parsed into the operation's input, and repeated in suggested commands. */
import { PalimpsestError } from "../errors.ts";
import type { Changes } from "../operations/command.ts";
import { quoted } from "../text/terminal/quoted.ts";
import type { Parameter } from "./parameters.ts";

/** Longer texts are not repeated in suggested commands. */
const LONGEST_REPEATED = 500;

export interface Typed {
  /** The command: `files list`. */
  readonly words: string;
  readonly parameters: readonly Parameter[];
  /** The texts of each parameter that was given; empty for a switch. */
  readonly texts: ReadonlyMap<Parameter, readonly string[]>;
  /** `--yes`: skips confirmations. */
  readonly isConfirmed: boolean;
}

/** The fields of the input, or of the view, that were given. */
export function fieldsIn({ texts }: Typed, of: "input" | "view"): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const givenBy = new Map<string, Parameter>();
  for (const [parameter, list] of texts)
    for (const [field, value] of Object.entries(fieldsOf(parameter, list, of))) {
      const other = givenBy.get(field);
      if (other !== undefined && fields[field] !== value) throw twice(parameter, texts);
      givenBy.set(field, parameter);
      fields[field] = value;
    }
  return fields;
}

function fieldsOf(parameter: Parameter, texts: readonly string[], of: "input" | "view"): object {
  if (parameter.of === "also") return of === "input" ? Object(parameter.read(texts[0] ?? "")) : {};
  return parameter.of === of ? { [parameter.field]: valueFrom(parameter, texts) } : {};
}

function valueFrom(parameter: Parameter, texts: readonly string[]): unknown {
  const { value, several, name } = parameter;
  if (value === null) return !name.startsWith("no-");
  if (several === "joined") return texts.join(" ");
  if (several === "no") return parameter.read(texts.at(-1) ?? "");
  const values = several === "by comma" ? texts.flatMap(split) : texts;
  return [...new Set(values.flatMap((text) => parameter.read(text)))];
}

/** One or more names, separated by commas. */
function split(text: string): string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** Throws the reason if the text cannot be parsed. */
export function checkText(parameter: Parameter, text: string): void {
  if (parameter.several !== "by comma") parameter.read(text);
  else if (split(text).length === 0) throw new Error("It must not be empty.");
  else for (const one of split(text)) parameter.read(one);
}

function twice(parameter: Parameter, texts: Typed["texts"]): PalimpsestError {
  const field = (one: Parameter) => Object.keys(fieldsOf(one, texts.get(one) ?? [], "input"));
  const [shared] = field(parameter);
  const flags = [...texts.keys()].filter((one) => field(one).includes(shared ?? ""));
  const names = flags.map(({ name }) => `--${name}`);
  return new PalimpsestError("invalid-input", `use only one of ${names.join(" and ")}`);
}

/** The command line with some fields changed, also for another command with the same parameters. */
export function typedAgain(typed: Typed, input: object, changes: Changes = {}, words = typed.words): string {
  const kept = [...typed.texts].filter(([{ field }]) => !(field in changes));
  const texts = kept.map(([parameter, list]) => [parameter, textsOf(parameter, list, input)] as const);
  const plain = texts.filter(([{ isPositional }]) => isPositional).flatMap(([, list]) => list.map(repeated));
  const flags = texts.filter(([{ isPositional }]) => !isPositional).map(([one, list]) => flagged(one, list));
  const changed = typed.parameters.flatMap((one) => {
    const value = changes[one.field];
    return value === undefined ? [] : [flagged(one, value === true ? [] : [String(value)])];
  });
  const isDashed = plain.some((text) => /^'?-/.test(text));
  const order = isDashed ? [...flags, ...changed, "--", ...plain] : [...plain, ...flags, ...changed];
  return [words, ...order].join(" ");
}

/** The texts as parsed, with ids without surrounding characters. */
function textsOf(parameter: Parameter, texts: readonly string[], input: object): readonly string[] {
  if (parameter.of !== "input" || parameter.hasOwnWords) return texts;
  const value: unknown = Object.entries(input).find(([name]) => name === parameter.field)?.[1];
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.map(String) : texts;
}

function flagged({ name, value, several }: Parameter, texts: readonly string[]): string {
  if (value === null) return `--${name}`;
  const values = several === "by comma" ? [texts.join(",")] : texts;
  return values.map((text) => `--${name} ${repeated(text)}`).join(" ");
}

function repeated(text: string): string {
  return text.length > LONGEST_REPEATED ? "…" : quoted(text);
}
