/** Code and output of tools. Diffs and known languages are coloured; long text is folded until the user opens it. */
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { count } from "./format.ts";

const FOLDED_LINES = 24;
/** Longer text is cut until the user opens it, since laying out a megabyte on one line blocks the page. */
const FOLDED_CHARACTERS = 4_000;
/** Longer text is not coloured, since its elements would block the page. */
const COLOURED_CHARACTERS = 60_000;

interface CodeProps {
  readonly text: string;
  /** The language name of a code fence, or a file extension. */
  readonly language?: string;
  /** Shown in the corner. */
  readonly label?: string;
}

export function Code({ text, language = "", label = language }: CodeProps) {
  const [isOpen, setOpen] = useState(false);
  const lines = text.split("\n");
  const folded = lines.slice(0, FOLDED_LINES).join("\n").slice(0, FOLDED_CHARACTERS);
  const shown = isOpen ? text : folded;
  return (
    <div className="code">
      {label === "" ? null : <span className="language">{label}</span>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>
        {isDiff(lines, language) ? diffLines(shown) : <Coloured text={shown} language={language} />}
      </pre>
      {folded.length === text.length ? null : (
        <button type="button" className="quiet" onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Show less" : `Show all ${count(lines.length)} lines, ${count(text.length)} characters`}
        </button>
      )}
    </div>
  );
}

type Highlight = typeof import("./highlight.ts").highlight;
/** Loaded with the first code that has a language. */
let loaded: Highlight | null = null;

function Coloured({ text, language }: { readonly text: string; readonly language: string }): ReactNode {
  const [highlight, setHighlight] = useState<Highlight | null>(() => loaded);
  const isWanted = language !== "" && text.length <= COLOURED_CHARACTERS;
  useEffect(() => {
    if (!isWanted || highlight !== null) return;
    import("./highlight.ts").then(
      (module) => {
        loaded = module.highlight;
        setHighlight(() => module.highlight);
      },
      // If the server has stopped or was replaced, the code is shown without colours.
      () => undefined,
    );
  }, [isWanted, highlight]);
  const pieces = useMemo(
    () => (isWanted ? highlight?.(text, language) : null) ?? null,
    [isWanted, highlight, text, language],
  );
  if (pieces === null) return text;
  return pieces.map(([kind, piece], index) =>
    kind === null ? (
      piece
    ) : (
      <span key={`${index} ${kind}`} className={`code-${kind}`}>
        {piece}
      </span>
    ),
  );
}

/** The language of a file, by its name. */
export function languageOf(file: string): string {
  return /[^./\\]+$/.exec(file)?.[0] ?? "";
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
