/**
 * Markdown as elements: headings, lists, tables, code, quotes, emphasis and links. Text becomes text nodes and never
 * markup, whatever it contains. Unknown syntax is shown as written.
 */
import { Fragment, type ReactNode } from "react";
import { Code } from "./code.tsx";

export function Markdown({ text }: { readonly text: string }) {
  return <div className="markdown">{blocksOf(text.split("\n"))}</div>;
}

const FENCE = /^(\s*)(`{3,}|~{3,})\s*([\w+#.-]*)/;
const HEADING = /^(#{1,6})\s+(.*)/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)/;
const RULE = /^\s*([-*_])(\s*\1){2,}\s*$/;
const TABLE_RULE = /^\s*\|?\s*:?-{1,}:?\s*(\|\s*:?-{1,}:?\s*)*\|?\s*$/;

function blocksOf(lines: readonly string[]): ReactNode[] {
  const blocks: ReactNode[] = [];
  for (let at = 0; at < lines.length; ) {
    const { node, next } = blockAt(lines, at);
    blocks.push(<Fragment key={at}>{node}</Fragment>);
    at = next;
  }
  return blocks;
}

interface Block {
  readonly node: ReactNode;
  readonly next: number;
}

function blockAt(lines: readonly string[], at: number): Block {
  const line = lines[at] ?? "";
  if (line.trim() === "") return { node: null, next: at + 1 };
  const fence = FENCE.exec(line);
  if (fence !== null) return fenced(lines, at, fence);
  const heading = HEADING.exec(line);
  if (heading !== null)
    return { node: <p className={`h${heading[1]?.length}`}>{inline(heading[2] ?? "")}</p>, next: at + 1 };
  if (RULE.test(line)) return { node: <hr />, next: at + 1 };
  if (line.includes("|") && TABLE_RULE.test(lines[at + 1] ?? "") && (lines[at + 1] ?? "").includes("-"))
    return table(lines, at);
  if (ITEM.test(line)) return list(lines, at);
  if (line.startsWith(">")) return quote(lines, at);
  return paragraph(lines, at);
}

function fenced(
  lines: readonly string[],
  at: number,
  [, , mark = "```", language = ""]: RegExpExecArray,
): Block {
  const isEnd = (line: string) =>
    line.trim().startsWith(mark) && line.trim().replaceAll(mark[0] ?? "`", "") === "";
  const end = lines.findIndex((line, index) => index > at && isEnd(line));
  const last = end === -1 ? lines.length : end;
  return { node: <Code text={lines.slice(at + 1, last).join("\n")} language={language} />, next: last + 1 };
}

function table(lines: readonly string[], at: number): Block {
  let end = at + 2;
  while (end < lines.length && (lines[end] ?? "").includes("|")) end++;
  const cells = (line: string) =>
    line
      .trim()
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => cell.trim());
  const [head = "", , ...rows] = lines.slice(at, end);
  const row = (line: string, Cell: "th" | "td") =>
    cells(line).map((cell, index) => <Cell key={`${index} ${cell}`}>{inline(cell)}</Cell>);
  const node = (
    <div className="scroll-x">
      <table>
        <thead>
          <tr>{row(head, "th")}</tr>
        </thead>
        <tbody>
          {rows.map((line, index) => (
            <tr key={`${index} ${line}`}>{row(line, "td")}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
  return { node, next: end };
}

interface ListItem {
  readonly text: string;
  readonly indent: number;
  /** Null: it has a bullet. */
  readonly number: number | null;
}

function list(lines: readonly string[], at: number): Block {
  const items: ListItem[] = [];
  let next = at;
  for (; next < lines.length; next++) {
    const [found, indent = "", mark = "", text = ""] = ITEM.exec(lines[next] ?? "") ?? [];
    const last = items.at(-1);
    if (found !== undefined) {
      const number = Number.parseInt(mark, 10);
      items.push({ text, indent: indent.length, number: Number.isNaN(number) ? null : number });
    } else if (/^\s+\S/.test(lines[next] ?? "") && last !== undefined)
      items.splice(-1, 1, { ...last, text: `${last.text} ${lines[next]?.trim()}` });
    else break;
  }
  return { node: listOf(items), next };
}

/** Items that are indented further are a list in the item before them. */
function listOf(items: readonly ListItem[]): ReactNode {
  const { indent = 0, number = null } = items[0] ?? {};
  const starts = items.flatMap((item, index) => (item.indent <= indent + 1 ? [index] : []));
  const shown = starts.map((start, place) => {
    const inner = items.slice(start + 1, starts[place + 1]);
    return (
      <li key={start}>
        {inline(items[start]?.text ?? "")}
        {inner.length === 0 ? null : listOf(inner)}
      </li>
    );
  });
  return number === null ? <ul>{shown}</ul> : <ol start={number}>{shown}</ol>;
}

function quote(lines: readonly string[], at: number): Block {
  let next = at;
  while ((lines[next] ?? "").startsWith(">")) next++;
  const inner = lines.slice(at, next).map((line) => line.replace(/^>\s?/, ""));
  return { node: <blockquote>{blocksOf(inner)}</blockquote>, next };
}

function paragraph(lines: readonly string[], at: number): Block {
  let next = at + 1;
  const isOther = (line: string) =>
    line.trim() === "" || FENCE.test(line) || HEADING.test(line) || ITEM.test(line) || line.startsWith(">");
  while (next < lines.length && !isOther(lines[next] ?? "")) next++;
  return { node: <p>{inline(lines.slice(at, next).join("\n"))}</p>, next };
}

const INLINE =
  /(`[^`\n]+`)|(\*\*[^*\n]+\*\*)|(\*[^*\s][^*\n]*\*)|!?\[([^\]\n]{1,300})\]\((https?:\/\/[^\s)]{1,2000})\)/g;

function inline(text: string): ReactNode[] {
  const nodes: ReactNode[] = [];
  let last = 0;
  for (const match of text.matchAll(INLINE)) {
    nodes.push(text.slice(last, match.index), <Fragment key={match.index}>{inlineNode(match)}</Fragment>);
    last = match.index + match[0].length;
  }
  return [...nodes, text.slice(last)];
}

function inlineNode([whole, code, strong, emphasis, label, address]: RegExpMatchArray): ReactNode {
  if (code !== undefined) return <code>{code.slice(1, -1)}</code>;
  if (strong !== undefined) return <strong>{strong.slice(2, -2)}</strong>;
  if (emphasis !== undefined) return <em>{emphasis.slice(1, -1)}</em>;
  // External links are followed only on a click, without a referrer.
  if (label !== undefined)
    return (
      <a href={address} target="_blank" rel="noreferrer noopener">
        {label}
      </a>
    );
  return whole;
}
