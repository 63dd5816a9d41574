/** Names of input fields in `backticks`, alone or with a value, as they are typed: `maxTokens` is `--max-tokens`. */
import type { AnyOperation } from "../operations/registry.ts";
import type { Parameter } from "./parameters.ts";

const FIELD = /`([a-z][a-zA-Z]*)(?:=(\w+))?`/g;

export function inFlags(
  text: string,
  parameters: readonly Parameter[],
  also: AnyOperation["command"]["also"] = {},
): string {
  return text.replaceAll(FIELD, (quoted, field: string, value?: string) => {
    const typed = typedName(field, parameters);
    if (typed === undefined || value === undefined) return typed ?? quoted;
    return value in also ? `--${value}` : `${typed} ${value}`;
  });
}

export function typedName(field: string, parameters: readonly Parameter[]): string | undefined {
  const found = parameters.find((one) => one.of !== "also" && one.field === field);
  if (found === undefined) return undefined;
  return found.isPositional ? (found.value ?? field).replace(/\.\.\.$/, "") : `--${found.name}`;
}
