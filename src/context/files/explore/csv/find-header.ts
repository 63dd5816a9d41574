/** The names of the columns, if the first row holds names and not values. */
import { isPlainName } from "../../../../text/credentials/safe-to-show.ts";
import { valueType } from "../value-type.ts";

export function findHeader(rows: readonly (readonly string[])[]): readonly string[] | null {
  const [first, ...body] = rows;
  if (first === undefined) return null;
  const names = first.map((name) => name.trim());
  if (names.some((name, column) => name !== "" && valueType(name) !== "text" && !isYear(name, column)))
    return null;
  if (new Set(names).size < names.length - names.filter((name) => name === "").length) return null;
  if (names.filter((name) => name === "").length > names.length / 2) return null;
  return isUnlikeBody(names, body) ? names : null;
}

/** Tables with a column for each year have numbers for names. */
function isYear(name: string, column: number): boolean {
  return column > 0 && /^(?:19|20)\d\d$/.test(name);
}

/** A column of numbers or dates under a word has that word for a name. Among words alone, names must look like names. */
function isUnlikeBody(names: readonly string[], body: readonly (readonly string[])[]): boolean {
  const isTyped = names.some((_, column) => isColumnTyped(body, column));
  if (isTyped || body.length === 0) return names.every((name) => name === "" || !/[=@]/.test(name));
  return (
    names.every((name) => /^\p{L}[\p{L} _\-()./%]*$/u.test(name) && isPlainName(name)) &&
    hasOtherForm(names, body)
  );
}

function isColumnTyped(body: readonly (readonly string[])[], column: number): boolean {
  const types = body.map((row) => valueType(row[column] ?? "")).filter((type) => type !== "empty");
  const typed = types.filter((type) => type !== "text").length;
  return typed > 0 && typed >= types.length * 0.8;
}

/** Somewhere below stand digits, spaces or capitals that no name above has. */
function hasOtherForm(names: readonly string[], body: readonly (readonly string[])[]): boolean {
  return names.some((name, column) => {
    const others = body.filter((row) => formOf(row[column] ?? "") !== formOf(name)).length;
    return body.length > 0 && others >= body.length * 0.7;
  });
}

function formOf(text: string): string {
  return [/\d/, /\s/, /^\p{Lu}/u, /[^\p{L}\p{N}\s_]/u]
    .map((pattern) => (pattern.test(text) ? 1 : 0))
    .join("");
}
