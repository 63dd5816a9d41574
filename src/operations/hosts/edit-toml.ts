/**
 * Blocks in a TOML file, between two comments: a table at its end, and settings of the file itself at its beginning. The rest
 * of the file is not touched. The file is parsed before and after the change: a host that cannot read its configuration does
 * not start.
 */
import { parse } from "smol-toml";
import { messageOf, PalimpsestError } from "../../errors.ts";
import type { FileEdit } from "./host-setup.ts";
import { valueAt } from "./json-values.ts";

const MARK = "\ufeff";
const BEGIN = "# palimpsest: begin, written by lcm setup";
const END = "# palimpsest: end";
const BLOCK = new RegExp(`(?:\\r?\\n)?${BEGIN}\\r?\\n[\\s\\S]*?${END}(?:\\r?\\n)?`, "g");

/** The prefix of each line of a replaced table of the same name. Removing it restores the line. */
const REPLACED = "# palimpsest: replaced: ";

export interface TomlChange {
  readonly table: string;
  readonly lines: readonly string[];
  /** Settings outside of any table. An existing one is not changed. */
  readonly settings: Readonly<Record<string, number>>;
}

export function editToml(path: string, { table, lines, settings }: TomlChange): FileEdit {
  return {
    path,
    add: (before) => {
      const found = (before ?? "").replace(BLOCK, "");
      const known = read(path, found);
      const missing = Object.entries(settings).filter(([name]) => !holds(known, name));
      const first = missing.length === 0 ? "" : blockOf(missing.map(([name, value]) => `${name} = ${value}`));
      const last = blockOf([`[${table}]`, ...lines]);
      // The host may have added tables after it, which are not moved.
      const blocks = before?.match(BLOCK)?.map((block) => `${block.replaceAll("\r", "").trim()}\n`);
      if (before !== null && blocks?.join("") === first + last) return { text: before, replaced: [] };
      const isThere = holds(known, table);
      const rest = isThere ? withoutTable(path, found, table) : found;
      const mark = rest.startsWith(MARK) ? MARK : "";
      const gap = rest === "" || rest.endsWith("\n") ? "\n" : "\n\n";
      const after = `${mark}${first}${rest.slice(mark.length)}${gap}${last}`.replace(/^\n/, "");
      requireRoom(path, after, table);
      return { text: after, replaced: isThere ? [table] : [] };
    },
    remove: (now) => now.replace(BLOCK, "").replaceAll(REPLACED, ""),
  };
}

function blockOf(lines: readonly string[]): string {
  return `${[BEGIN, ...lines, END].join("\n")}\n`;
}

function read(path: string, text: string): unknown {
  try {
    return parse(text.replace(MARK, ""), { integersAsBigInt: true });
  } catch (error) {
    throw new PalimpsestError("invalid-input", `${path} is not valid TOML; the file was not changed`, {
      advice: "Correct the file, and run the command again.",
      cause: error,
    });
  }
}

function holds(root: unknown, table: string): boolean {
  return valueAt(root, table.split(".")) !== undefined;
}

/** Comments the table out. Parsing verifies that the lines between two headings were the whole table. */
function withoutTable(path: string, text: string, table: string): string {
  let isInside = false;
  const changed = text.split("\n").map((line) => {
    const heading = /^\s*\[+([^\]]+)\]/.exec(line)?.[1]?.replaceAll(/["'\s]/g, "");
    if (heading !== undefined) isInside = heading === table || heading.startsWith(`${table}.`);
    return isInside && line.trim() !== "" ? REPLACED + line : line;
  });
  const rest = changed.join("\n");
  if (!holds(read(path, rest), table)) return rest;
  throw new PalimpsestError(
    "invalid-input",
    `${path} has a table [${table}] already; the file was not changed`,
    { advice: "Remove the table, and run the command again." },
  );
}

/** An inline table cannot be extended by a separate table. */
function requireRoom(path: string, after: string, table: string): void {
  try {
    parse(after.replace(MARK, ""), { integersAsBigInt: true });
  } catch (error) {
    throw new PalimpsestError(
      "invalid-input",
      `[${table}] cannot be added to ${path}: ${messageOf(error).split("\n", 1)[0]}; the file was not changed`,
      {
        advice:
          "Write inline tables such as `a = { b = 1 }` as `[a]` with lines of its own, and run the command again.",
      },
    );
  }
}
