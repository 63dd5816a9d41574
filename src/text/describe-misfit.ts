/**
 * Describes a schema error for people: the path, the expected value, and a short form of the given value.
 * All schema errors that callers see are written here.
 */
import type { z } from "zod";

interface Misfit {
  /** The path, such as `roles[0]`; empty for the whole value. */
  readonly place: string;
  /** The problem: `must be a whole number, not "x"`. */
  readonly problem: string;
}

export interface MisfitOptions {
  /** Whether given texts must not be repeated, such as messages. Default false. */
  readonly isPrivate?: boolean;
  /** Whether the given value must not be described at all, such as a key. Default false. */
  readonly isSecret?: boolean;
}

type Issue = z.core.$ZodIssue;

export function describeMisfits(error: z.ZodError, given: unknown, options: MisfitOptions = {}): Misfit[] {
  return error.issues.map((issue) => describeMisfit(issue, given, options));
}

export function describeMisfit(issue: Issue, given: unknown, options: MisfitOptions = {}): Misfit {
  return { place: placeOf(issue.path), problem: problemOf(issue, valueAt(given, issue.path), options) };
}

/** All errors as one line. */
export function sentenceOf(misfits: readonly Misfit[]): string {
  return misfits.map(({ place, problem }) => atPlace(place, problem)).join("; ");
}

/** A problem that begins with a verb follows the path; any other is a separate sentence. */
export function atPlace(place: string, problem: string): string {
  if (place === "") return problem;
  return /^(must|needs|is|does) /.test(problem) ? `${place} ${problem}` : `${place}: ${problem}`;
}

function problemOf(issue: Issue, value: unknown, options: MisfitOptions): string {
  if (issue.code === "unrecognized_keys") return `does not take ${issue.keys.map(quoted).join(", ")}`;
  if (value === "") return "must not be empty";
  if (issue.code === "too_big" && typeof value === "string")
    return `must have at most ${String(issue.maximum)} characters, not ${value.length}`;
  if (issue.code === "too_big" && Array.isArray(value))
    return `must have at most ${String(issue.maximum)} entries, not ${value.length}`;
  if (typeof value === "string" && value.trim() === "" && issue.code === "too_small")
    return "must not be blank";
  if (issue.code === "custom") return customProblem(issue.message, value, options);
  if (Array.isArray(value) && value.length === 0 && issue.code === "too_small")
    return "must not be empty: pass at least one value, or omit it";
  const expected = expectedOf(issue);
  return value === undefined
    ? `is missing${expected === "nonoptional" ? "" : `; it must be ${expected}`}`
    : `must be ${expected}${butWas(value, options)}`;
}

/** A requirement is followed by the given value, if there is one; other messages are complete. */
function customProblem(message: string, value: unknown, options: MisfitOptions): string {
  const isDemand = message.startsWith("must ") && value !== undefined && value !== null;
  return isDemand ? message + butWas(value, options) : message;
}

function butWas(value: unknown, options: MisfitOptions): string {
  return options.isSecret === true ? "" : `, not ${shortly(value, options)}`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function expectedOf(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return KINDS[issue.expected] ?? issue.expected;
    case "invalid_value":
      return oneOf(issue.values);
    case "invalid_union":
      return "options" in issue && Array.isArray(issue.options)
        ? oneOf(issue.options)
        : alternatives(issue.errors);
    case "too_small":
      if (issue.origin === "array") return "a list that is not empty";
      return `${issue.inclusive === false ? "more than" : "at least"} ${String(issue.minimum)}`;
    case "too_big":
      return `${issue.inclusive === false ? "less than" : "at most"} ${String(issue.maximum)}`;
    case "invalid_format":
      return formOf(issue.format, issue.pattern);
    default:
      return "something else";
  }
}

function oneOf(values: readonly unknown[]): string {
  const names = values.map(String).join(", ");
  return values.length === 1 ? names : `one of ${names}`;
}

function alternatives(branches: readonly (readonly Issue[])[]): string {
  const expected = branches.flatMap(([first]) => (first === undefined ? [] : [expectedOf(first)]));
  return [...new Set(expected)].join(" or ");
}

function formOf(format: string, pattern: string | undefined): string {
  if (format === "datetime") return "a time such as 2026-03-01T10:00:00.000Z";
  return format === "regex" && pattern !== undefined ? `text of the form ${pattern}` : format;
}

function placeOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((place, key) => {
    if (typeof key === "number") return `${place}[${key}]`;
    return place === "" ? String(key) : `${place}.${String(key)}`;
  }, "");
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inside, key) => (typeof inside === "object" && inside !== null ? Reflect.get(inside, key) : undefined),
    value,
  );
}

const SHOWN_CHARACTERS = 40;

function shortly(value: unknown, { isPrivate = false }: MisfitOptions): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value !== "string") return String(value);
  return isPrivate ? "other text" : quoted(value);
}

/** Addresses may contain passwords, so at most the scheme of an address is shown. */
function quoted(text: string): string {
  if (text.includes("://")) return JSON.stringify(`${text.split("://")[0]}://…`);
  if (/[@=]/.test(text)) return "other text";
  return JSON.stringify(text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text);
}
