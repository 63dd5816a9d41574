/**
 * A block at the end of a TOML file, between two comments. The rest of the file is not touched, and only read as far as it
 * takes to refuse a file in which the block would mean something else.
 */
import { PalimpsestError } from "../../errors.ts";
import type { FileEdit } from "./host-setup.ts";

const BEGIN = "# palimpsest: begin, written by lcm setup";
const END = "# palimpsest: end";
const BLOCK = new RegExp(`\\n?${BEGIN}\\n[\\s\\S]*?${END}\\n?`);
/** Whole strings and comments, so that what is in them is not read as anything else. */
const TOKENS = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*/g;
const LINE =
  /^\s*(?:\[\[?\s*[\w".-]+(?:\s*\.\s*[\w".-]+)*\s*\]\]?|[\w"-]+(?:\s*\.\s*[\w"-]+)*\s*=\s*\S.*)?\s*$/;

export function editToml(path: string, table: string, lines: readonly string[]): FileEdit {
  return {
    path,
    add: (before) => {
      const rest = (before ?? "").replace(BLOCK, "");
      requireReadable(path, rest);
      if (rest.includes(`[${table}]`))
        throw new PalimpsestError(
          "invalid-input",
          `${path} has a table [${table}] already; the file was not changed`,
          {
            advice: "Remove it and run the command again.",
          },
        );
      const gap = rest === "" || rest.endsWith("\n") ? "" : "\n";
      return `${rest}${gap}\n${[BEGIN, `[${table}]`, ...lines, END].join("\n")}\n`.replace(/^\n/, "");
    },
    remove: (now) => now.replace(BLOCK, ""),
  };
}

function requireReadable(path: string, text: string): void {
  const plain = flattened(text.replaceAll(TOKENS, (token) => (token.startsWith("#") ? "" : '"text"')));
  const wrong = plain.split("\n").findIndex((line) => !LINE.test(line));
  if (wrong < 0) return;
  throw new PalimpsestError("invalid-input", `${path} is not valid TOML; the file was not changed`, {
    advice: "Correct the file, and run the command again.",
  });
}

/** Values that go over several lines on one line each. One that is not closed takes in the rest, and is refused. */
function flattened(text: string): string {
  let [plain, depth, isValue] = ["", 0, false];
  for (const character of text) {
    if (character === "\n" && depth === 0) isValue = false;
    else if (character === "=") isValue = true;
    else if (isValue && /[[{]/.test(character)) depth++;
    else if (isValue && /[\]}]/.test(character)) depth--;
    plain += character === "\n" && depth > 0 ? " " : character;
  }
  return depth === 0 ? plain : `${plain}\n= not closed`;
}
