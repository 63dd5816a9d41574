/** A hit, for people: type, position and text with highlighted matches. */
import { counted } from "../../text/counted.ts";
import { escapeControls, oneLine } from "../../text/escape-controls.ts";
import type { Look, Style } from "../../text/terminal/look.ts";
import { fitWidth, indented } from "../../text/terminal/table.ts";
import type { Role } from "../../types.ts";
import { ROLE_STYLES } from "./message-page.ts";

interface Found {
  readonly id: string;
  readonly role: Role | null;
  readonly tools: readonly string[];
  readonly createdAt: string;
  readonly tokenCount: number;
  readonly conversation: string;
  readonly title: string | null;
}

interface Marked {
  readonly text: string;
  readonly marks: readonly { readonly start: number; readonly end: number }[];
}

const SUMMARY_STYLE: Style = ["bold", "magenta"];

export function renderFound(found: Found, words: Marked, look: Look, more: readonly string[] = []): string {
  const { id, role, tools, createdAt, tokenCount } = found;
  const who = look.style(role === null ? SUMMARY_STYLE : ROLE_STYLES[role], role ?? "summary");
  const about = [...tools.map(oneLine), look.time(createdAt), counted(tokenCount, "token"), ...more, id];
  const head = `${who}${look.style("dim", about.map((text) => ` · ${text}`).join(""))}`;
  return `${head}\n${placeOf(found, look)}\n${indented(withMarks(words, look))}`;
}

/** The conversation of a hit, on a separate line. */
function placeOf({ conversation, title }: Found, look: Look): string {
  const place = title === null ? `in ${conversation}` : `in ${conversation} · ${oneLine(title)}`;
  return look.style("dim", fitWidth(place, look.columns));
}

export function withMarks({ text, marks }: Marked, look: Look): string {
  let shown = "";
  let position = 0;
  for (const { start, end } of marks) {
    shown +=
      escapeControls(text.slice(position, start)) + look.style(["bold", "red"], text.slice(start, end));
    position = end;
  }
  return shown + escapeControls(text.slice(position));
}
