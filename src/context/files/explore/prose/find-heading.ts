import { collapseSpaces } from "../../../../text/spaces.ts";

/** Detects whether a line of plain text or Markdown is a heading, and its level. */
export interface Heading {
  readonly title: string;
  /** From 1, the highest. */
  readonly level: number;
  readonly source: "markdown" | "contents" | "numbered" | "capitals";
}

const MARKDOWN = /^ {0,3}(#{1,6})\s+(\S.*?)\s*#*$/;
/** `1.2 Title . . . . . . 12`, the usual form in tables of contents. */
const CONTENTS = /^\s{0,12}(\S.{0,120}?)\s?(?:\.\s?|·\s?|…\s?){4,}\s*([\divxlc]{1,5})\s*$/;
const LEADERS = /[.·…]\s?[.·…]\s?[.·…].*[\divxlc]\s*$/;
const NUMBERED =
  /^\s{0,4}((?:\d{1,2}\.){0,4}\d{1,2}\.?|[A-Z](?:\.\d{1,2}){1,3}|(?:Chapter|Appendix|Part|Section|Kapitel|Chapitre|Capítulo)\s+[\dA-Z]{1,4}[.:]?)\s+(\p{Lu}[^.!?;]{2,90})$/u;
const CHAPTER = /^\s{0,4}第\s?[一二三四五六七八九十百千\d]{1,6}\s?[章节節回部篇卷](?:\s.{0,40})?$/u;
const CAPITALS = /^\s{0,8}[\p{Lu}\p{N}][\p{Lu}\p{N} ,:&/'’()-]{3,70}$/u;

export function findHeading(line: string): Heading | null {
  if (line.length > 200) return null;
  const [, marks, marked] = MARKDOWN.exec(line) ?? [];
  if (marks !== undefined && marked !== undefined)
    return { title: plainTitle(marked), level: marks.length, source: "markdown" };
  const [, listed] = LEADERS.test(line) ? (CONTENTS.exec(line) ?? []) : [];
  if (listed !== undefined)
    return { title: collapseSpaces(listed).trim(), level: levelOf(listed, line), source: "contents" };
  return byForm(line);
}

function byForm(line: string): Heading | null {
  if (CHAPTER.test(line)) return { title: line.trim(), level: 1, source: "numbered" };
  const [, number = "", name] = NUMBERED.exec(line) ?? [];
  if (name !== undefined && !/\s{3,}/.test(name) && /\p{L}{3}/u.test(name))
    return { title: `${number} ${name.trim()}`, level: number.split(/\.(?=\d)/).length, source: "numbered" };
  if (!CAPITALS.test(line) || (line.match(/\p{Lu}/gu)?.length ?? 0) < 4 || /\s{4,}\S/.test(line.trim()))
    return null;
  return { title: line.trim(), level: 1, source: "capitals" };
}

/** By its number, or by its indentation. */
function levelOf(title: string, line: string): number {
  const [number] = /^[\dA-Z]{1,2}(?:\.\d{1,2})*(?=\s)/.exec(title) ?? [];
  if (number !== undefined) return number.split(".").length;
  return 1 + Math.floor(line.search(/\S/) / 3);
}

/** Without Markdown marks. */
export function plainTitle(title: string): string {
  return title.replaceAll(/[*`]|\[([^\]]*)\]\([^)]*\)/g, "$1").trim();
}
