/**
 * Notebooks: language, cells, headings of the text between the code, imports and definitions of the code, and the kinds
 * of output. Cells are read from the stream one by one; outputs, which make notebooks large, are only counted.
 */
import { count, counted } from "../../../../text/counted.ts";
import { isPlainSentence } from "../../../../text/credentials/safe-to-show.ts";
import { outlineOf, outlineSections } from "../code/explore-code.ts";
import { GRAMMARS, type Language } from "../code/grammar.ts";
import type { Findings, Reading } from "../exploration.ts";
import { JsonScanner } from "../json/scan-json.ts";
import { NotebookCells } from "./notebook-cells.ts";

const LANGUAGES: Readonly<Record<string, Language>> = {
  ...{
    python: "python",
    javascript: "javascript",
    typescript: "typescript",
    rust: "rust",
    go: "go",
    java: "java",
  },
  ...{
    r: "r",
    julia: "julia",
    scala: "scala",
    "c++": "cpp",
    ruby: "ruby",
    bash: "shell",
    csharp: "csharp",
    "c#": "csharp",
  },
};

export class NotebookReading implements Reading {
  readonly #cells = new NotebookCells();
  readonly #scanner = new JsonScanner(this.#cells, false);

  get isDone(): boolean {
    return this.#scanner.isStopped;
  }

  write(text: string): void {
    this.#scanner.write(text);
  }

  async finish(): Promise<Findings> {
    this.#scanner.finish();
    const { kinds, outputs, headings, code } = this.#cells.result();
    const { firstBreak } = this.#scanner;
    const language = LANGUAGES[this.#cells.language.toLowerCase()] ?? "python";
    const outline = await outlineOf(code, GRAMMARS[language]);
    const facts = [tally(kinds, "cell"), tally(outputs, "output")].filter((fact) => fact !== "");
    if (firstBreak !== null) facts.push(`the JSON breaks at line ${count(firstBreak.line)}`);
    const plain = headings.filter(isPlainSentence);
    return {
      kind: "notebook",
      label: `Notebook in ${GRAMMARS[language].label}`,
      facts,
      sections: [
        {
          lead: `Headings (${count(headings.length)}):`,
          items: plain,
          total: headings.length,
          layout: "lines",
          share: 0.5,
        },
        ...outlineSections(outline, "Definitions in the code:", false),
      ],
    };
  }
}

function tally(counts: ReadonlyMap<string, number>, noun: string): string {
  const total = [...counts.values()].reduce((sum, one) => sum + one, 0);
  if (total === 0) return "";
  return `${counted(total, noun)} (${[...counts].map(([kind, times]) => `${count(times)} ${kind}`).join(", ")})`;
}
