/** `integer 1–999`, `date 2020-01-01 – 2024-12-31`, `text, 4 distinct: open, closed, …`: values in a few words. */
import { count } from "../../../text/counted.ts";
import { isCatchAllName, isPlainValue, isSensitiveName } from "./safe-to-show.ts";
import type { ValueType } from "./value-type.ts";
import type { Values } from "./values.ts";

/** Numbers beyond this may be those of cards and accounts. */
const LARGEST_SHOWN = 1e12;
const EXAMPLES = 3;
/** An enumeration is worth naming whole. */
const ENUMERATION = 6;
const ORDER: readonly ValueType[] = ["text", "number", "integer", "date", "boolean"];

export interface ValueContext {
  readonly name: string;
  /** A neighbour names a credential, so that no text is shown here. */
  readonly isNearCredential: boolean;
}

export function describeValues(values: Values, context: ValueContext): string {
  const types = ORDER.filter((type) => values.types[type] > 0);
  if (types.length === 0) return "empty";
  const type = typeName(values, types);
  const detail = isSensitiveName(context.name) ? "not shown" : detailOf(values, type, context);
  const empty = values.types.empty === 0 ? "" : `, ${count(values.types.empty)} empty`;
  return `${type}${detail === "" ? "" : type === "text" ? `, ${detail}` : ` ${detail}`}${empty}`;
}

function typeName(values: Values, types: readonly ValueType[]): string {
  const [only] = types;
  if (only !== undefined && types.length === 1) return only;
  if (types.every((type) => type === "integer" || type === "number")) return "number";
  const filled = values.count - values.types.empty;
  const main = types.toSorted((a, b) => values.types[b] - values.types[a])[0];
  if (main !== undefined && values.types[main] >= filled * 0.95 && main === "text") return "text";
  return types.toSorted((a, b) => values.types[b] - values.types[a]).join(" or ");
}

function detailOf(values: Values, type: string, context: ValueContext): string {
  if (type === "integer" || type === "number") return range(values);
  if (type === "date") return dateRange(values);
  if (type === "boolean") return "";
  return textDetail(values, context);
}

function range({ smallest, largest }: Values): string {
  if (Math.abs(smallest) >= LARGEST_SHOWN || Math.abs(largest) >= LARGEST_SHOWN) return "";
  return smallest === largest ? figure(smallest) : `${figure(smallest)} – ${figure(largest)}`;
}

function figure(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
}

function dateRange({ earliest, latest }: Values): string {
  if (!isPlainValue(earliest) || !isPlainValue(latest)) return "";
  return earliest === latest ? earliest : `${earliest} – ${latest}`;
}

/** One value that could be anything hides all others of its column. */
function textDetail(values: Values, { name, isNearCredential }: ValueContext): string {
  const size = values.distinct.size;
  const number = values.isDistinctFull ? "many distinct" : size > 1 ? `${count(size)} distinct` : "";
  const isHidden = isNearCredential || values.hasCredentialName || isCatchAllName(name);
  const examples = isHidden || values.longest > 200 ? [] : plainExamples(values);
  if (examples.length === 0)
    return [number, values.longest > 60 ? `up to ${count(values.longest)} characters` : ""]
      .filter(Boolean)
      .join(", ");
  const isWhole = examples.length === size && !values.isDistinctFull;
  return `${number === "" ? "" : `${number}: `}${examples.join(" | ")}${isWhole ? "" : " …"}`;
}

function plainExamples(values: Values): string[] {
  const all = [...values.distinct.keys()];
  const looked = all.slice(0, 40);
  const plain = looked.filter(isPlainValue);
  // Names of places have odd letters now and then; a column of identifiers has hardly a plain one.
  if (plain.length < looked.length * 0.7) return [];
  const isEnumeration = !values.isDistinctFull && all.length <= ENUMERATION;
  if (values.isDistinctFull) return plain.slice(0, EXAMPLES);
  const often = plain.toSorted((a, b) => (values.distinct.get(b) ?? 0) - (values.distinct.get(a) ?? 0));
  return often.slice(0, isEnumeration ? ENUMERATION : EXAMPLES + 1);
}
