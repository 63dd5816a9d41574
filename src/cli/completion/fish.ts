import type { CommandShape, OptionShape, ProgramShape } from "./program-shape.ts";

/** For `lcm completion fish | source`. */
export function fishScript({ commands, everywhere }: ProgramShape): string {
  const lines = [
    ...everywhere.map((option) => line(null, flagsOf(option), option.description)),
    ...commands.flatMap(linesFor),
  ];
  return `# fish completion for lcm. Load it with: lcm completion fish | source
for lcm in lcm palimpsest
${lines.join("\n")}
end
`;
}

/** The completions after a command. */
function linesFor({ path, words, options, takesId }: CommandShape): string[] {
  const below = words.map(({ word }) => word);
  const here = condition(path === "" ? [] : path.split(" "), below);
  return [
    ...words.map(({ word, description }) => line(here, `-f -a ${word}`, description)),
    ...(takesId ? [line(here, `-f -a ${IDS}`, "")] : []),
    ...options.map((option) => line(here, flagsOf(option), option.description)),
  ];
}

/** Ids of the store that begin like the word under the cursor. */
const IDS = `"($lcm complete-id (commandline -ct) 2>/dev/null)"`;

/** After these commands, and before any of those below them. */
function condition(typed: readonly string[], below: readonly string[]): string {
  const seen = typed.map((name) => `__fish_seen_subcommand_from ${name}`);
  const open = below.length === 0 ? [] : [`not __fish_seen_subcommand_from ${below.join(" ")}`];
  return [...seen, ...open].join("; and ");
}

function flagsOf({ names, value }: OptionShape): string {
  const flags = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  return [...flags, ...takes(value)].join(" ");
}

function takes(value: OptionShape["value"]): string[] {
  if (value === null) return [];
  if (value === "file") return ["-r -F"];
  if (value === "id") return [`-x -a ${IDS}`];
  return value === "text" ? ["-x"] : [`-x -a ${quoted(value.join(" "))}`];
}

function line(when: string | null, what: string, description: string): string {
  const condition = when === null ? "" : ` -n ${quoted(when)}`;
  return `  complete -c $lcm${condition} ${what}${description === "" ? "" : ` -d ${quoted(description)}`}`;
}

/** Inside single quotes, only the backslash and the quote are special in fish. */
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
