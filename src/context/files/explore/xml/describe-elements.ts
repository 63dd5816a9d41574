/** The elements of a document as an outline with counts, attributes and text. */
import { count } from "../../../../text/counted.ts";
import { holdsCredentials, isPlainName } from "../../../../text/credentials/safe-to-show.ts";
import { describeValues } from "../describe-values.ts";
import type { Section } from "../exploration.ts";
import type { Element } from "./element.ts";

const DEEPEST_LINE = 6;
const ATTRIBUTES_SHOWN = 8;
/** Attributes with longer details are only named. */
const LONGEST_DETAIL = 60;

/** Below this number of lines there is room for more examples. */
const FEW_LINES = 12;
const MANY_EXAMPLES = 8;
const FEW_EXAMPLES = 3;

interface Context {
  readonly examples: number;
  readonly isInsideCredential: boolean;
}

interface Line {
  readonly text: string;
  readonly depth: number;
  readonly count: number;
  readonly position: number;
}

export function describeElements(document: Element): Section[] {
  const few = linesOf(document, FEW_EXAMPLES);
  const lines = few.length < FEW_LINES ? linesOf(document, MANY_EXAMPLES) : few;
  const byWorth = lines.toSorted((a, b) => a.depth - b.depth || b.count - a.count || a.position - b.position);
  return [
    {
      lead: "Elements (attributes in brackets):",
      items: byWorth.map(({ text, depth }) => `${"  ".repeat(depth)}${text}`),
      positions: byWorth.map(({ position }) => position),
      layout: "outline",
      share: 0.9,
    },
  ];
}

function linesOf(document: Element, examples: number): Line[] {
  const lines: Line[] = [];
  addLines(document, 0, lines, { examples, isInsideCredential: false });
  return lines;
}

function addLines(parent: Element, depth: number, lines: Line[], context: Context): void {
  if (depth > DEEPEST_LINE) return;
  const isInsideCredential = context.isInsideCredential || holdsCredentials(parent.name);
  const children = [...parent.children.values()];
  const isNearCredential = isInsideCredential || children.some(({ text }) => text.hasCredentialName);
  for (const element of children) {
    const { count: times } = element;
    const text = describe(element, isNearCredential, context.examples);
    if (isPlainName(element.name)) lines.push({ text, depth, count: times, position: lines.length });
    addLines(element, depth + 1, lines, { ...context, isInsideCredential });
  }
}

function describe(element: Element, isNearCredential: boolean, examples: number): string {
  const times = element.count > 1 ? ` ×${count(element.count)}` : "";
  const attributes = describeAttributes(element, isNearCredential);
  const { text, name } = element;
  const hasText = text.count > text.types.empty;
  const inside = hasText ? `: ${describeValues(text, { name, isNearCredential, examples })}` : "";
  return `${name}${times}${attributes === "" ? "" : ` [${attributes}]`}${inside}`;
}

function describeAttributes({ attributes, text }: Element, isInsideCredential: boolean): string {
  const isNearCredential =
    isInsideCredential ||
    text.hasCredentialName ||
    [...attributes.values()].some((one) => one.hasCredentialName);
  const plain = [...attributes].filter(([name]) => isPlainName(name));
  const shown = plain.slice(0, ATTRIBUTES_SHOWN).map(([name, values]) => {
    const detail = describeValues(values, { name, isNearCredential });
    const isTelling = !/^text(?:$|, [^:]*$)| or /.test(detail) && detail.length <= LONGEST_DETAIL;
    return isTelling ? `${name}: ${detail.replace(/^text, \d+ distinct: /, "")}` : name;
  });
  return (plain.length < attributes.size || shown.length < plain.length ? [...shown, "…"] : shown).join("; ");
}
