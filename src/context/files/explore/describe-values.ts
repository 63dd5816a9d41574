/** `integer 1 – 999`, `date 2020-01-01 – 2024-12-31`, `4 distinct: open | closed | …`: a short description of values. */

import { count } from "../../../text/counted.ts";
import {
  isCatchAllName,
  isPlainSentence,
  isPlainValue,
  isSensitiveName,
} from "../../../text/credentials/safe-to-show.ts";
import { collapseSpaces } from "../../../text/spaces.ts";
import type { ValueType } from "./value-type.ts";
import type { Values } from "./values.ts";

/** Larger whole numbers may be card or account numbers. */
const LARGEST_SHOWN = 1e12;
/** Maximum characters of a number that is shown unrounded. */
const LONGEST_FIGURE = 13;
const EXAMPLES = 3;
/** An enumeration of this size is listed completely. */
const ENUMERATION = 8;
/** A text with fewer words is not a sentence. */
const FEWEST_WORDS = 4;
/** The length of longer texts is noted. */
const LONG = 60;
const ORDER: readonly ValueType[] = ["text", "number", "integer", "date", "boolean"];

interface ValueContext {
  readonly name: string;
  /** A neighbouring value names a credential, so no text is shown here. */
  readonly isNearCredential: boolean;
  /** Number of examples; default 3. */
  readonly examples?: number;
}

export function describeValues(values: Values, context: ValueContext): string {
  const types = ORDER.filter((type) => values.types[type] > 0);
  if (types.length === 0) return "empty";
  const type = typeName(values, types);
  const described = isSensitiveName(context.name)
    ? `${type} (not shown)`
    : describeType(values, type, context);
  return values.types.empty === 0 ? described : `${described}, ${count(values.types.empty)} empty`;
}

function typeName(values: Values, types: readonly ValueType[]): string {
  const [only] = types;
  if (only !== undefined && types.length === 1) return only;
  if (types.every((type) => type === "integer" || type === "number")) return "number";
  const often = types.toSorted((a, b) => values.types[b] - values.types[a]);
  const filled = values.count - values.types.empty;
  return values.types.text >= filled * 0.95 ? "text" : often.join(" or ");
}

function describeType(values: Values, type: string, context: ValueContext): string {
  if (type === "integer" || type === "number") return `${type}${range(values, type === "integer")}`;
  if (type === "date") return `date${dateRange(values)}`;
  return type === "text" ? describeText(values, context) : type;
}

function range({ smallest, largest }: Values, isWhole: boolean): string {
  const isLarge = Math.max(Math.abs(smallest), Math.abs(largest)) >= LARGEST_SHOWN;
  if (isLarge && isWhole) return "";
  return smallest === largest ? ` ${figure(smallest)}` : ` ${figure(smallest)} – ${figure(largest)}`;
}

/** Unchanged if short; a long number is rounded and marked as such. */
function figure(value: number): string {
  const exact = String(value);
  const isShort = exact.length <= LONGEST_FIGURE && Math.abs(value) < LARGEST_SHOWN;
  return isShort ? exact : `about ${Number(value.toPrecision(4))}`;
}

function dateRange({ earliest, latest }: Values): string {
  if (!isPlainValue(earliest) || !isPlainValue(latest)) return "";
  return earliest === latest ? ` ${earliest}` : ` ${earliest} – ${latest}`;
}

function describeText(values: Values, context: ValueContext): string {
  const examples = mayBeShown(values, context) ? plainExamples(values, context.examples ?? EXAMPLES) : [];
  const number = values.distinctCount;
  const size = number < 2 ? "" : `, ${values.isDistinctFull ? "about " : ""}${count(number)} distinct`;
  const sample =
    examples.length === 0 && mayBeShown(values, context) ? plainSample(values, context) : undefined;
  if (sample !== undefined) return `text${size}, e.g. "${sample}"`;
  if (examples.length === 0)
    return `text${size}${values.longest > LONG ? `, up to ${count(values.longest)} characters` : ""}`;
  if (number === 1) return `"${examples[0]}"`;
  const isWhole = examples.length === values.distinct.size && !values.isDistinctFull;
  return `text${size}: ${examples.join(" | ")}${isWhole ? "" : " …"}`;
}

/** Nothing is quoted if the field may contain anything or is near a credential. */
function mayBeShown(values: Values, { name, isNearCredential }: ValueContext): boolean {
  return !isNearCredential && !values.hasCredentialName && !isCatchAllName(name);
}

/** A sample sentence shows the topic of a text column, if there is room. */
function plainSample({ samples }: Values, { examples = EXAMPLES }: ValueContext): string | undefined {
  if (examples <= EXAMPLES) return undefined;
  return samples
    .filter(isPlainSentence)
    .map(collapseSpaces)
    .find((sample) => sample.split(" ").length >= FEWEST_WORDS);
}

function plainExamples(values: Values, room: number): string[] {
  const all = [...values.distinct.keys()];
  const plain = all.filter(isPlainValue);
  // Names of places sometimes have unusual letters; of identifiers, hardly any is plain.
  if (plain.length < all.length * 0.7) return [];
  if (values.isDistinctFull) return plain.slice(0, room);
  const often = plain.toSorted((a, b) => (values.distinct.get(b) ?? 0) - (values.distinct.get(a) ?? 0));
  return often.slice(0, all.length <= ENUMERATION ? ENUMERATION : room + 1);
}
