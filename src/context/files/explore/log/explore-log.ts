/** Logs: time span, levels, the most common problems, and the templates of most lines. */
import { count, counted } from "../../../../text/counted.ts";
import { clip } from "../../../../text/cut-text.ts";
import type { Findings, Reading, Section } from "../exploration.ts";
import { LineSplitter } from "../line-splitter.ts";
import { findLevel, LEVELS, type Level } from "./find-level.ts";
import { TimeFinder } from "./find-time.ts";
import { LineMasker, MASK, showTemplate } from "./mask-line.ts";
import { type Template, TemplateTable } from "./template-table.ts";

/** Number of characters within which a level must occur. */
const HEADER = 160;
const LONGEST_TEMPLATE = 120;
const LONGEST_MODULE = 32;
const LONGEST_MESSAGE = 600;
const PROBLEM =
  /\b(?:error|exception|fail(?:ed|ure|s)?|fatal|refused|denied|timeout|timed|unable|cannot|invalid|panic|abort(?:ed|ing)?|lost|killed)\b/i;

export class LogReading implements Reading {
  readonly isDone = false;
  readonly #times = new TimeFinder();
  readonly #masker = new LineMasker();
  readonly #table = new TemplateTable();
  readonly #levels = new Map<Level, number>();
  readonly #worst = new Map<Template, Level>();
  #lines = 0;
  #entries = 0;
  #blankLines = 0;
  #earliest = "";
  #latest = "";
  readonly #splitter = new LineSplitter((line) => this.#line(line));

  write(text: string): void {
    this.#splitter.write(text);
  }

  finish(): Findings {
    this.#splitter.finish();
    return {
      kind: "log",
      label: "Log",
      facts: this.#facts(),
      sections: [this.#problems(), this.#templates()],
    };
  }

  #line(line: string): void {
    this.#lines++;
    if (line === "") {
      this.#blankLines++;
      return;
    }
    const found = this.#times.find(line);
    const level = findLevel(line.slice(0, HEADER));
    // A line without time and level continues the previous entry, like a stack trace.
    if (found === null && level === null && this.#entries > 0) return;
    this.#entries++;
    if (found !== null) this.#addTime(found.time);
    if (level !== null) this.#levels.set(level, (this.#levels.get(level) ?? 0) + 1);
    // The last word of a long line may be cut in two and unrecognisable, so it is dropped.
    const message = line
      .slice(found?.end ?? 0, LONGEST_MESSAGE)
      .replace(line.length > LONGEST_MESSAGE ? /\S*$/ : "", "");
    const template = this.#table.add(this.#masker.tokens(message), this.#lines);
    if (template !== null && template.count === 1) this.#judge(template, level);
  }

  #addTime(time: string): void {
    if (this.#earliest === "" || time < this.#earliest) this.#earliest = time;
    if (time > this.#latest) this.#latest = time;
  }

  #judge(template: Template, level: Level | null): void {
    if (level === "fatal" || level === "error" || level === "warning") this.#worst.set(template, level);
    else if (PROBLEM.test(template.tokens.join(" "))) this.#worst.set(template, level ?? "info");
  }

  #facts(): string[] {
    const facts = this.#earliest === "" ? [] : [`from ${this.#earliest} to ${this.#latest}`];
    const levels = LEVELS.filter((level) => this.#levels.has(level)).map(
      (level) => `${level} ${count(this.#levels.get(level) ?? 0)}`,
    );
    if (levels.length > 0) facts.push(`levels: ${levels.join(", ")}`);
    const others = this.#lines - this.#entries - this.#blankLines;
    if (others > 0) facts.push(`${counted(others, "line")} of traces and the like`);
    return facts;
  }

  #problems(): Section {
    const all = [...this.#worst.keys()].toSorted(
      (a, b) => this.#severity(a) - this.#severity(b) || b.count - a.count || a.line - b.line,
    );
    return {
      lead: `Problems (${counted(all.length, "template")}, ${MASK} marks variable parts):`,
      items: all.map(describe),
      layout: "lines",
      share: 0.55,
    };
  }

  #severity(template: Template): number {
    const level = this.#worst.get(template);
    return level === "fatal" || level === "error" ? 0 : 1;
  }

  #templates(): Section {
    const all = this.#table.templates
      .filter((template) => !this.#worst.has(template))
      .toSorted((a, b) => b.count - a.count || a.line - b.line);
    const others = this.#table.others > 0 ? `, ${counted(this.#table.others, "line")} beyond them` : "";
    return {
      lead: `Most frequent of ${counted(all.length, "other template")}${others}:`,
      items: all.map(describe),
      layout: "lines",
      share: 0.45,
    };
  }
}

/** The last two segments of a module name are enough to find it. */
function shortModule(token: string): string {
  return token.length > LONGEST_MODULE ? token.replace(/^(?:[\w$]+\.)+(?=[\w$]+\.[\w$]+\W*$)/, "…") : token;
}

function describe({ tokens, count: times, line }: Template): string {
  const words = showTemplate(tokens).map(shortModule);
  const text = clip(words.join(" "), LONGEST_TEMPLATE);
  return `${count(times)}× ${text} (${times === 1 ? "" : "first in "}line ${count(line)})`;
}
