/** The parameters of a command, derived from the definition of its operation. */
import { z } from "zod";
import type { Flag, OtherWay } from "../operations/command.ts";
import type { AnyOperation } from "../operations/registry.ts";
import { count } from "../text/counted.ts";
import { readWholeNumber } from "../text/read-whole-number.ts";
import { inFlags } from "./in-flags.ts";

export interface Parameter {
  /** Its name in the input, in the view, or among the other ways. */
  readonly field: string;
  readonly of: "input" | "view" | "also";
  /** Of the flag, without dashes. */
  readonly name: string;
  readonly letter: string | undefined;
  /** The placeholder for the value in help; null for a switch. */
  readonly value: string | null;
  readonly description: string;
  /** Whether it is positional, without a flag. */
  readonly isPositional: boolean;
  readonly isRequired: boolean;
  readonly choices: readonly string[] | undefined;
  /** The name of a conflicting flag. */
  readonly conflicts: string | undefined;
  /** How several values are given. Positional ones are a list, or joined to one text. */
  readonly several: "no" | "by comma" | "repeated" | "listed" | "joined";
  /** Whether its text has more information than the parsed value. */
  readonly hasOwnWords: boolean;
  /** Throws an error with the reason. */
  read(text: string): unknown;
}

interface Property {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly items?: Property;
  readonly anyOf?: readonly Property[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
}

export function parametersOf({ input, command }: Pick<AnyOperation, "input" | "command">): Parameter[] {
  const { positional = [], flags = {}, also = {}, view, sets = {} } = command;
  const isOffered = (field: string) => flags[field] !== false && !(field in sets);
  const derived = [
    ...fieldsOf(input, "input", flags, positional),
    ...Object.entries(also).map(([field, way]) => otherWay(field, way, positional)),
    ...(view === undefined ? [] : fieldsOf(view, "view", flags, positional)),
  ].filter(({ field }) => isOffered(field));
  const words = positional.flatMap((field) => derived.find((one) => one.field === field) ?? []);
  const ordered = [...words, ...derived.filter(({ isPositional }) => !isPositional)];
  return ordered.map((one) => ({ ...one, description: inFlags(one.description, derived, also) }));
}

function fieldsOf(
  schema: z.ZodType,
  of: "input" | "view",
  flags: Readonly<Record<string, Flag | string | false>>,
  positional: readonly string[],
): Parameter[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input" });
  return Object.entries(properties as Record<string, Property>).map(([field, property]) => {
    const given = flags[field];
    const flag = typeof given === "string" ? { name: given } : given === false ? {} : (given ?? {});
    const isPositional = positional.includes(field);
    const isRequired = flag.isRequired ?? required.includes(field);
    return { ...parameter(field, property, flag), of, isPositional, isRequired };
  });
}

function parameter(field: string, property: Property, flag: Flag) {
  const isList = typesOf(property).includes("array");
  const name = flag.name ?? kebab(isList ? singular(field) : field);
  const item = isList ? (property.items ?? {}) : property;
  const words = Object.keys(flag.words ?? {});
  const choices = item.enum === undefined ? undefined : [...item.enum, ...words];
  const value = flag.value ?? valueName(field, name, item, isList);
  const several = severalOf(value, isList, flag);
  const isSwitch = typesOf(property).includes("boolean");
  const thousands = value === "tokens" ? thousandsIn(item) : 0;
  const such = thousands === 0 ? "" : `, such as ${thousands}000 or ${thousands}k`;
  const read = flag.read ?? readerOf(item, choices, such);
  return {
    field,
    name,
    letter: flag.letter,
    value: isSwitch ? null : value,
    description: describe(property, several, flag),
    choices,
    conflicts: undefined,
    several,
    hasOwnWords: flag.read !== undefined || flag.words !== undefined,
    read: (text: string): unknown => (words.includes(text) ? flag.words?.[text] : read(text)),
  };
}

/** An example of a number of tokens in the range of the field; 0 if there is none. */
function thousandsIn({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Property): number {
  return [32, 2, 1].find((one) => one * 1_000 >= minimum && one * 1_000 <= maximum) ?? 0;
}

function describe(
  property: Property,
  several: Parameter["several"],
  { description: own, hint, value, words = {} }: Flag,
): string {
  const more = {
    no: "",
    joined: "",
    listed: "",
    "by comma": "Separate several with commas.",
    repeated: "Can be repeated.",
  };
  const thousands = value === "tokens" ? thousandsIn(property) : 0;
  const amount = thousands === 0 ? "" : `${thousands}k means ${thousands},000.`;
  const none = Object.keys(words).find((word) => words[word] === null);
  return [own ?? forPeople(property.description ?? "", none), hint ?? amount, more[several]]
    .filter((text) => text !== "")
    .join(" ");
}

/** A switch is off unless it is given, times are local, and a word stands for null. */
function forPeople(description: string, none = "null"): string {
  return description
    .replace(/ Default false\.$/, "")
    .replace(" (ISO 8601)", "")
    .replace("Without an offset: UTC.", "Without an offset, times are in the `timezone` setting.")
    .replace(/^null\b|(?<=; )null\b/, none);
}

function severalOf(value: string, isList: boolean, flag: Flag): Parameter["several"] {
  if (value.endsWith("...")) return isList ? "listed" : "joined";
  if (!isList) return "no";
  return flag.holdsCommas === true ? "repeated" : "by comma";
}

function otherWay(field: string, way: OtherWay<object>, positional: readonly string[]): Parameter {
  const { letter, value = null, description, conflicts, sets, toInput } = way;
  const isPositional = positional.includes(field);
  return {
    field,
    of: "also",
    name: kebab(field),
    letter,
    value: sets === undefined ? (value ?? kebab(field)) : null,
    description,
    isPositional,
    isRequired: isPositional,
    choices: undefined,
    conflicts,
    several: "no",
    hasOwnWords: true,
    read: (text) => sets ?? toInput?.(text),
  };
}

function valueName(field: string, name: string, item: Property, isList: boolean): string {
  if (TIMES.has(field)) return "time";
  if (isList) return kebab(field);
  return typesOf(item).some((type) => type === "integer" || type === "number") ? "number" : name;
}

/** Fields that are times, unless a flag says otherwise. */
const TIMES: ReadonlySet<string> = new Set(["since", "before", "at", "validFrom", "validUntil"]);

function typesOf({ type, anyOf = [] }: Property): string[] {
  return [...[type ?? []].flat(), ...anyOf.flatMap(typesOf)];
}

function readerOf(
  property: Property,
  choices: readonly string[] | undefined,
  such: string,
): (text: string) => unknown {
  if (choices !== undefined) return (text) => oneOf(choices, text);
  const types = typesOf(property);
  if (types.includes("integer")) return (text) => wholeNumber(text, property, such);
  if (types.includes("number")) return (text) => anyNumber(text, property);
  return (text) => text;
}

function oneOf(choices: readonly string[], text: string): string {
  if (choices.includes(text)) return text;
  throw new Error(`Allowed: ${choices.join(", ")}.`);
}

function wholeNumber(
  text: string,
  { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Property,
  such: string,
): number {
  const value = readWholeNumber(text);
  if (value !== undefined && value >= minimum && value <= maximum) return value;
  const isOpen = maximum === Number.MAX_SAFE_INTEGER;
  const range = isOpen ? ` of at least ${count(minimum)}` : ` from ${minimum} to ${count(maximum)}`;
  throw new Error(`It must be a whole number${range}${such}.`);
}

function anyNumber(text: string, { minimum = -Infinity, maximum = Infinity }: Property): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= minimum && value <= maximum) return value;
  throw new Error(`It must be a number from ${minimum} to ${maximum}.`);
}

/** `contextLines` → `context-lines`. */
function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `categories` → `category`, `roles` → `role`. */
function singular(name: string): string {
  return name.replace(/ies$/, "y").replace(/s$/, "");
}
