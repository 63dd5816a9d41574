/** Code and output of tools. A unified diff is coloured; long text is folded until it is asked for. */
import { type ReactNode, useState } from "react";
import { count } from "./format.ts";

const FOLDED_LINES = 24;
/** Longer lines are cut until the whole is asked for: laying out a megabyte without a break stops the page. */
const FOLDED_CHARACTERS = 4_000;

export function Code({ text, language = "" }: { readonly text: string; readonly language?: string }) {
  const [isOpen, setOpen] = useState(false);
  const lines = text.split("\n");
  const folded = lines.slice(0, FOLDED_LINES).join("\n").slice(0, FOLDED_CHARACTERS);
  const shown = isOpen ? text : folded;
  return (
    <div className="code">
      {language === "" ? null : <span className="language">{language}</span>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>{isDiff(lines, language) ? diffLines(shown) : shown}</pre>
      {folded.length === text.length ? null : (
        <button type="button" className="quiet" onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Show less" : `Show all ${count(lines.length)} lines, ${count(text.length)} characters`}
        </button>
      )}
    </div>
  );
}

function isDiff(lines: readonly string[], language: string): boolean {
  if (["diff", "patch"].includes(language)) return true;
  return lines.some((line) => line.startsWith("@@ -")) && lines.some((line) => /^[+-]/.test(line));
}

function diffLines(text: string): ReactNode[] {
  return text.split("\n").map((line, index) => (
    <span key={`${index} ${line}`} className={classOf(line)}>
      {line}
      {"\n"}
    </span>
  ));
}

function classOf(line: string): string | undefined {
  if (line.startsWith("@@")) return "hunk";
  if (/^\+(?!\+\+)/.test(line)) return "added";
  return /^-(?!--)/.test(line) ? "removed" : undefined;
}
