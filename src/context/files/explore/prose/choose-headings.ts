/** Selects the headings for the outline of a text from the lines that look like headings. */
import { collapseSpaces } from "../../../../text/spaces.ts";
import type { Heading } from "./find-heading.ts";

export interface PlacedHeading extends Heading {
  /** 0 if unknown. */
  readonly line: number;
}

interface ChosenHeadings {
  readonly headings: readonly PlacedHeading[];
  /** The entries are from the text's own table of contents. */
  readonly isContents: boolean;
}

/** Fewer entries are not a table of contents. */
const FEWEST_CONTENTS = 6;
/** Entries further apart belong to different lists: the index at the end is not part of the contents. */
const LARGEST_GAP = 60;

/** A table of contents is preferred to the headings it lists, and marked headings to lines that only look like headings. */
export function chooseHeadings(all: readonly PlacedHeading[]): ChosenHeadings {
  const others = all.filter(({ source }) => source !== "contents");
  const contents = firstList(all.filter(({ source }) => source === "contents"));
  if (contents.length >= FEWEST_CONTENTS)
    return { headings: distinct(placed(contents, others)), isContents: true };
  const marked = others.filter(({ source }) => source === "markdown");
  const numbered = others.filter(({ source }) => source === "numbered");
  const best = [marked, numbered].find((some) => some.length > 2) ?? others;
  return { headings: distinct(best), isContents: false };
}

function firstList(contents: readonly PlacedHeading[]): readonly PlacedHeading[] {
  const end = contents.findIndex(({ line }, i) => i > 0 && line - (contents[i - 1]?.line ?? 0) > LARGEST_GAP);
  return end < 0 ? contents : contents.slice(0, end);
}

/** The position of the section itself instead of that of its entry in the contents. */
function placed(contents: readonly PlacedHeading[], others: readonly PlacedHeading[]): PlacedHeading[] {
  const last = contents.at(-1)?.line ?? 0;
  const lines = new Map<string, number>();
  for (const { title, line } of others)
    if (line > last && !lines.has(titleKey(title))) lines.set(titleKey(title), line);
  return contents.map((entry) => ({ ...entry, line: lines.get(titleKey(entry.title)) ?? 0 }));
}

function titleKey(title: string): string {
  return collapseSpaces(title).toLowerCase();
}

/** Running heads of pages repeat. */
function distinct(headings: readonly PlacedHeading[]): PlacedHeading[] {
  const seen = new Set<string>();
  return headings.filter(({ title }) => {
    const isNew = !seen.has(title);
    seen.add(title);
    return isNew;
  });
}
