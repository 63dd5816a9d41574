/**
 * Adds a table at the end of a TOML file, and settings of the file itself at its beginning, each between two comments. The
 * host also writes to the file: it inserts its own tables between the comments, and drops comments. So the comments or the
 * record of the set-up identify our table, and only its known keys are removed. The file is parsed before and after the
 * change: a host that cannot read its configuration does not start.
 */
import { isDeepStrictEqual } from "node:util";
import { parse, TomlError } from "smol-toml";
import { messageOf, PalimpsestError } from "../../errors.ts";
import type { FileEdit, KnownFile } from "./host-setup.ts";
import { valueAt } from "./json-values.ts";

const MARK = "\ufeff";
const BEGIN = "# palimpsest: begin, written by lcm setup";
const END = "# palimpsest: end";

/** The prefix of each line of a replaced table of the same name. Removing it restores the line. */
const REPLACED = "# palimpsest: replaced: ";

interface TomlChange {
  readonly table: string;
  /** The keys of the table. Undefined: it is not written now, but an earlier set-up may have written it. */
  readonly values: Readonly<Record<string, string | undefined>>;
  /** Settings outside of any table. An existing one is not changed. */
  readonly settings: Readonly<Record<string, number>>;
}

export function editToml(path: string, change: TomlChange): FileEdit {
  const { table, values, settings } = change;
  const lines = Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : `${key} = ${value}`,
  );
  return {
    path,
    add: (before, known) => {
      const root = tomlIn(path, before ?? "");
      const owned = ownedIn(root, before ?? "", change, known, path);
      const { rest: found, added } = withoutOurs(before ?? "", change, owned, false);
      const isThere = !owned.isTableOurs && holds(root, table);
      const rest = isThere ? withoutTable(path, found, table) : found;
      const missing = Object.entries(settings).filter(
        ([name]) => owned.settings.includes(name) || !holds(root, name),
      );
      const first = missing.length === 0 ? "" : blockOf(missing.map(([name, value]) => `${name} = ${value}`));
      const last = blockOf([`[${table}]`, ...lines, ...added]);
      const mark = rest.startsWith(MARK) ? MARK : "";
      const gap = rest === "" || rest.endsWith("\n") ? "\n" : "\n\n";
      const after = `${mark}${first}${rest.slice(mark.length)}${gap}${last}`.replace(/^\n/, "");
      requireRoom(path, after, table);
      // The host may have moved or reformatted our part, which is not an outdated set-up.
      if (before !== null && isSame(tomlIn(path, after), root)) return { text: before, replaced: [] };
      return { text: after, replaced: isThere ? [table] : [] };
    },
    remove: (now, known) => {
      const owned = ownedIn(tomlIn(path, now), now, change, known, path);
      const { rest } = withoutOurs(now, change, owned, true);
      const restored = rest.replaceAll(REPLACED, "");
      requireRemoved(path, table, owned.isTableOurs ? rest : "", restored);
      return restored;
    },
  };
}

interface Owned {
  readonly isTableOurs: boolean;
  /** The names of our settings. */
  readonly settings: readonly string[];
  /** Whether the table has this value from the last set-up. */
  isRecorded(key: string): boolean;
}

function ownedIn(
  root: unknown,
  text: string,
  { table, settings }: TomlChange,
  known: KnownFile,
  path: string,
): Owned {
  const written = tomlIn(path, known.written ?? "");
  const found = tomlIn(path, known.found ?? "");
  const at = table.split(".");
  const isRecorded = (...keys: readonly string[]) => {
    const value = valueAt(root, keys);
    return value !== undefined && isSame(value, valueAt(written, keys));
  };
  const isMarked = (line: string) =>
    new RegExp(`^\ufeff?${BEGIN}\\r?\\n${line.replace(/[[\].]/g, "\\$&")}\\s*$`, "m").test(text);
  return {
    isTableOurs: isMarked(`[${table}]`) || ["command", "args"].every((key) => isRecorded(...at, key)),
    settings: Object.entries(settings).flatMap(([name, value]) =>
      isMarked(`${name} = ${value}`) || (isRecorded(name) && !holds(found, name)) ? [name] : [],
    ),
    isRecorded: (key) => isRecorded(...at, key),
  };
}

/**
 * The text without our comments, settings and table. Other comments are kept. `added` are the other keys in our table, which an
 * undo removes with it, like the tables inside it. An undo keeps keys below our last comment.
 */
function withoutOurs(
  text: string,
  { table, values }: TomlChange,
  { isTableOurs, settings, isRecorded }: Owned,
  isUndo: boolean,
) {
  const mark = text.startsWith(MARK) ? MARK : "";
  const rest: string[] = [];
  const added: string[] = [];
  /** The table of the current line. */
  let section = "";
  let isOwnKey = false;
  let isAfterBegin = false;
  let isBelow = false;
  const dropBlankBefore = () => {
    if (!isAfterBegin && rest.at(-1)?.trim() === "") rest.pop();
  };
  const isDropped = (inner: string) =>
    isTableOurs && inner.startsWith(`${table}.`) && (isUndo || isRecorded(inner.slice(table.length + 1)));
  for (const line of text.slice(mark.length).split("\n")) {
    const bare = line.trim();
    const key = /^([\w.-]+)\s*=/.exec(bare)?.[1];
    const heading = headingOf(line);
    if (bare === BEGIN) dropBlankBefore();
    if (bare === BEGIN || bare === END) {
      isAfterBegin = bare === BEGIN;
      isBelow = bare === END;
      continue;
    }
    if (heading !== undefined) [section, isOwnKey, isBelow] = [heading, false, false];
    const isOurs = isTableOurs && section === table;
    if (heading !== undefined && (isOurs || isDropped(section))) {
      dropBlankBefore();
      continue;
    }
    isAfterBegin = false;
    if (key !== undefined)
      isOwnKey = section === "" ? settings.includes(key) : isOurs && Object.hasOwn(values, key);
    const isContent = bare !== "" && !bare.startsWith("#");
    if (isContent && (isOwnKey || isDropped(section))) continue;
    if (isContent && isOurs && !(isUndo && isBelow)) added.push(line.trimEnd());
    else rest.push(line);
  }
  return { rest: mark + rest.join("\n"), added };
}

function headingOf(line: string): string | undefined {
  return /^\s*\[+([^\]]+)\]/.exec(line)?.[1]?.replaceAll(/["'\s]/g, "");
}

/** Compares what the host reads: 30 and 30.0 are the same. */
function isSame(one: unknown, other: unknown): boolean {
  const plain = (value: unknown) =>
    JSON.parse(
      JSON.stringify(value ?? null, (_, inner) => (typeof inner === "bigint" ? Number(inner) : inner)),
    );
  return isDeepStrictEqual(plain(one), plain(other));
}

function blockOf(lines: readonly string[]): string {
  return `${[BEGIN, ...lines, END].join("\n")}\n`;
}

export function tomlIn(path: string, text: string): unknown {
  try {
    return parse(text.replace(MARK, ""), { integersAsBigInt: true });
  } catch (error) {
    throw new PalimpsestError("invalid-input", `${path} is not valid TOML (${problemOf(error)})`, {
      advice: "The file was not changed. Correct the file, and run the command again.",
      cause: error,
    });
  }
}

function problemOf(error: unknown): string {
  return error instanceof TomlError ? `line ${error.line}: ${messageWithin(error)}` : messageWithin(error);
}

/** Without the prefix and the excerpt of the parser's message. */
function messageWithin(error: unknown): string {
  return messageOf(error).replace("Invalid TOML document: ", "").split("\n", 1)[0] ?? "";
}

function holds(root: unknown, table: string): boolean {
  return valueAt(root, table.split(".")) !== undefined;
}

/** Comments the table out. Parsing verifies that the lines between two headings were the whole table. */
function withoutTable(path: string, text: string, table: string): string {
  let isInside = false;
  const changed = text.split("\n").map((line) => {
    const heading = headingOf(line);
    if (heading !== undefined) isInside = heading === table || heading.startsWith(`${table}.`);
    return isInside && line.trim() !== "" ? REPLACED + line : line;
  });
  const rest = changed.join("\n");
  if (!holds(tomlIn(path, rest), table)) return rest;
  throw new PalimpsestError("invalid-input", `${path} has a table [${table}] already`, {
    advice: "The file was not changed. Remove the table, and run the command again.",
  });
}

/** An inline table cannot be extended by a separate table. */
function requireRoom(path: string, after: string, table: string): void {
  try {
    parse(after.replace(MARK, ""), { integersAsBigInt: true });
  } catch (error) {
    throw new PalimpsestError(
      "invalid-input",
      `[${table}] cannot be added to ${path} (${messageWithin(error)})`,
      {
        advice:
          "The file was not changed. Write inline tables such as `a = { b = 1 }` as `[a]` with lines of its own, and run the command again.",
      },
    );
  }
}

/** Throws if our table is still in `rest`, or if the host could not read the restored file. */
function requireRemoved(path: string, table: string, rest: string, restored: string): void {
  const isRemoved = () => {
    try {
      return !holds(tomlIn(path, rest), table) && tomlIn(path, restored) !== undefined;
    } catch {
      return false;
    }
  };
  if (isRemoved()) return;
  throw new PalimpsestError(
    "invalid-input",
    `[${table}] cannot be removed from ${path}, where it was rewritten`,
    { advice: `The file was not changed. Remove [${table}] from the file, and run the command again.` },
  );
}
