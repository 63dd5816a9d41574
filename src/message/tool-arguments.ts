/** Arguments of a tool call, read leniently: hosts send JSON, models sometimes send text. */

const PATH_ARGUMENTS = new Set(
  "path file_path filepath filename file notebook_path target_file relative_path absolute_path paths files cwd workdir directory dir folder database url".split(
    " ",
  ),
);

export type Arguments = readonly (readonly [name: string, value: unknown])[];

/** In their original order; undefined if the input is not a JSON object. */
export function readArguments(input: string): Arguments | undefined {
  if (!/^\s*\{/.test(input)) return undefined;
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === "object" && value !== null ? Object.entries(value) : undefined;
  } catch {
    // Malformed arguments are still useful as text.
    return undefined;
  }
}

export function isPathArgument(name: string): boolean {
  return PATH_ARGUMENTS.has(name.toLowerCase());
}
