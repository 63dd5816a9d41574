/** The elements of a document as an outline with counts, attributes and text. */
import { count } from "../../../../text/counted.ts";
import { describeValues } from "../describe-values.ts";
import type { Section } from "../exploration.ts";
import { isPlainName } from "../safe-to-show.ts";
import type { Element } from "./element.ts";

const DEEPEST_LINE = 6;
const ATTRIBUTES_SHOWN = 8;
/** Attributes with more to say than this are named only. */
const LONGEST_DETAIL = 60;

interface Line {
  readonly text: string;
  readonly depth: number;
  readonly count: number;
  readonly position: number;
}

export function describeElements(document: Element): Section[] {
  const lines: Line[] = [];
  addLines(document, 0, lines);
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

function addLines(parent: Element, depth: number, lines: Line[]): void {
  if (depth > DEEPEST_LINE) return;
  const isNearCredential = [...parent.children.values()].some(({ text }) => text.hasCredentialName);
  for (const element of parent.children.values()) {
    if (isPlainName(element.name))
      lines.push({
        text: describe(element, isNearCredential),
        depth,
        count: element.count,
        position: lines.length,
      });
    addLines(element, depth + 1, lines);
  }
}

function describe(element: Element, isNearCredential: boolean): string {
  const times = element.count > 1 ? ` ×${count(element.count)}` : "";
  const attributes = describeAttributes(element);
  const { text, name } = element;
  const hasText = text.count > text.types.empty;
  const inside = hasText ? `: ${describeValues(text, { name, isNearCredential })}` : "";
  return `${name}${times}${attributes === "" ? "" : ` [${attributes}]`}${inside}`;
}

function describeAttributes({ attributes, text }: Element): string {
  const isNearCredential =
    text.hasCredentialName || [...attributes.values()].some((one) => one.hasCredentialName);
  const plain = [...attributes].filter(([name]) => isPlainName(name));
  const shown = plain.slice(0, ATTRIBUTES_SHOWN).map(([name, values]) => {
    const detail = describeValues(values, { name, isNearCredential });
    const isTelling = !/^text(?:$|, [^:]*$)| or /.test(detail) && detail.length <= LONGEST_DETAIL;
    return isTelling ? `${name}: ${detail.replace(/^text, \d+ distinct: /, "")}` : name;
  });
  return (plain.length < attributes.size || shown.length < plain.length ? [...shown, "…"] : shown).join("; ");
}
