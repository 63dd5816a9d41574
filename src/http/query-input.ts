/** The input of an operation from the query of a URL: texts become numbers and booleans where the schema says so. */
import { Refusal } from "./problem.ts";
import type { JsonSchema } from "./routes.ts";

export function queryInput(query: URLSearchParams, { properties = {} }: JsonSchema): object {
  const names = [...new Set(query.keys())];
  return Object.fromEntries(
    names.map((name) => [name, inputOf(name, query.getAll(name), properties[name] ?? {})]),
  );
}

function inputOf(name: string, texts: readonly string[], schema: JsonSchema): unknown {
  const types = typesOf(schema);
  if (types.has("array")) return texts.map((text) => scalarOf(text, typesOf(schema.items ?? {})));
  const [text = "", ...more] = texts;
  if (more.length > 0) throw new Refusal("invalid-input", `${name} is repeated`);
  return scalarOf(text, types);
}

function scalarOf(text: string, types: ReadonlySet<string>): unknown {
  if (types.has("boolean") && ["true", "false"].includes(text)) return text === "true";
  if ((types.has("integer") || types.has("number")) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return text;
}

function typesOf({ type = [], anyOf = [] }: JsonSchema): ReadonlySet<string> {
  const own = typeof type === "string" ? [type] : type;
  return new Set([...own, ...anyOf.flatMap((one) => [...typesOf(one)])]);
}
