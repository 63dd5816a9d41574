/**
 * A block at the end of a TOML file, between two comments. The rest of the file is not touched. The file is parsed before and
 * after the change: a host that cannot read its configuration does not start.
 */
import { parse } from "smol-toml";
import { messageOf, PalimpsestError } from "../../errors.ts";
import { isObject } from "./edit-json.ts";
import type { FileEdit } from "./host-setup.ts";

const BEGIN = "# palimpsest: begin, written by lcm setup";
const END = "# palimpsest: end";
const BLOCK = new RegExp(`(?:\\r?\\n)?${BEGIN}\\r?\\n[\\s\\S]*?${END}(?:\\r?\\n)?`);

export function editToml(path: string, table: string, lines: readonly string[]): FileEdit {
  return {
    path,
    add: (before) => {
      const block = `${[BEGIN, `[${table}]`, ...lines, END].join("\n")}\n`;
      // The host may have added tables after it, which stay where they are.
      if (before?.match(BLOCK)?.[0].replaceAll("\r", "").trim() === block.trim()) return before;
      const rest = (before ?? "").replace(BLOCK, "");
      if (holdsTable(read(path, rest), table))
        throw new PalimpsestError(
          "invalid-input",
          `${path} has a table [${table}] already; the file was not changed`,
          { advice: "Remove the table, and run the command again." },
        );
      const gap = rest === "" || rest.endsWith("\n") ? "" : "\n";
      const after = `${rest}${gap}\n${block}`.replace(/^\n/, "");
      requireRoom(path, after, table);
      return after;
    },
    remove: (now) => now.replace(BLOCK, ""),
  };
}

function read(path: string, text: string): unknown {
  try {
    return parse(text, { integersAsBigInt: true });
  } catch (error) {
    throw new PalimpsestError("invalid-input", `${path} is not valid TOML; the file was not changed`, {
      advice: "Correct the file, and run the command again.",
      cause: error,
    });
  }
}

function holdsTable(root: unknown, table: string): boolean {
  let value = root;
  for (const name of table.split(".")) value = isObject(value) ? value[name] : undefined;
  return value !== undefined;
}

/** An inline table cannot be extended by a table of its own. */
function requireRoom(path: string, after: string, table: string): void {
  try {
    parse(after, { integersAsBigInt: true });
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
