/** Code: imports and definitions with signatures, from a parser if there is a grammar. */
import { count, counted } from "../../../../text/counted.ts";
import {
  announcesCredential,
  isPlainCode,
  isPlainHead,
  isPlainIdentifier,
  isPlainName,
} from "../../../../text/credentials/safe-to-show.ts";
import { byteSize } from "../describe-plainly.ts";
import type { Beginning, Findings, Reading, Section } from "../exploration.ts";
import { GRAMMARS, type Grammar, type Language } from "./grammar.ts";
import { languageOf } from "./languages.ts";
import { loadParser } from "./load-parser.ts";
import type { Definition, Outline } from "./outline.ts";
import { outlineTree } from "./outline-tree.ts";

/** A parser needs the whole text, and several times its size for the tree. */
const MOST_CHARACTERS = 5_000_000;
const MEMBERS_SHOWN = 12;

export class CodeReading implements Reading {
  readonly #grammar: Grammar;
  readonly #bytes: number;
  readonly #pieces: string[] = [];
  #length = 0;

  constructor(beginning: Beginning) {
    const language: Language = languageOf(beginning) ?? "javascript";
    this.#grammar = GRAMMARS[language];
    this.#bytes = beginning.bytes;
  }

  get isDone(): boolean {
    return this.#length >= MOST_CHARACTERS;
  }

  write(text: string): void {
    this.#pieces.push(text);
    this.#length += text.length;
  }

  async finish(): Promise<Findings> {
    const outline = await outlineOf(this.#pieces.join(""), this.#grammar);
    const imports = new Set(outline.imports).size;
    const facts = imports > 0 ? [counted(imports, "import")] : [];
    facts.push(counted(outline.definitions.length, "definition"));
    if (!outline.isParsed) facts.push("outlined by its lines, not parsed");
    if (outline.hasErrors) facts.push("with syntax errors or unknown syntax");
    if (this.#bytes > this.#length && this.isDone)
      facts.push(`only the first ${byteSize(this.#length)} outlined`);
    return { kind: "code", label: this.#grammar.label, facts, sections: outlineSections(outline) };
  }
}

export async function outlineOf(text: string, grammar: Grammar): Promise<Outline> {
  if (grammar.file === null) return outlineLines(text);
  const parser = await loadParser(grammar.file);
  try {
    const tree = parser.parse(text);
    if (tree === null) return outlineLines(text);
    const outline = outlineTree(tree.rootNode, text, grammar);
    tree.delete();
    return outline;
  } catch {
    // Nesting exceeds the parser's stack.
    return outlineLines(text);
  } finally {
    parser.delete();
  }
}

/** Line numbers are meaningless if the code was assembled from pieces. */
export function outlineSections(
  { imports, packages, definitions }: Outline,
  lead = "Definitions (by line):",
  hasLines = true,
): Section[] {
  const modules = [...new Set(imports)].filter(isPlainName);
  const own = [...new Set(packages)].filter(isPlainName);
  const placed = definitions
    .map((definition, position) => ({ definition, position }))
    .filter(({ definition }) => mayBeShown(definition));
  const byWorth = placed.toSorted(
    (a, b) => rank(a.definition) - rank(b.definition) || a.position - b.position,
  );
  return [
    { lead: "Belongs to:", items: own, total: new Set(packages).size, layout: "inline", share: 0.1 },
    { lead: "Imports:", items: modules, total: new Set(imports).size, layout: "inline", share: 0.2 },
    {
      lead,
      items: byWorth.map(({ definition }) => describe(definition, hasLines)),
      positions: byWorth.map(({ position }) => position),
      total: definitions.length,
      layout: "lines",
      share: 0.8,
    },
  ];
}

function mayBeShown({ signature, isParsed }: Definition): boolean {
  return isParsed ? isPlainCode(signature) : isPlainHead(signature);
}

/** Public definitions come first, and containers before their content. */
function rank({ isPublic, depth }: Definition): number {
  return depth + (isPublic ? 0 : 100);
}

function describe({ signature, line, members, path }: Definition, hasLine: boolean): string {
  const names = [...new Set(members)]
    .filter((name) => isPlainName(name) || isPlainIdentifier(name))
    .toSorted((a, b) => Number(isPrivate(a)) - Number(isPrivate(b)));
  const more = names.length > MEMBERS_SHOWN ? `, … and ${count(names.length - MEMBERS_SHOWN)} more` : "";
  const inside = names.length === 0 ? "" : ` { ${names.slice(0, MEMBERS_SHOWN).join(", ")}${more} }`;
  const around = path !== "" && isPlainCode(path) ? `, in ${path}` : "";
  return `${hasLine ? `${line}: ` : ""}${signature}${inside}${around}`;
}

function isPrivate(name: string): boolean {
  return /^[_#]/.test(name);
}

/** An outline without a parser, for languages without a grammar: lines that look like the head of a definition. */
const DEFINITION =
  /^[ \t]{0,8}((?:(?:export|public|private|protected|internal|static|final|abstract|open|override|data|sealed|case|async|suspend|local|pub|inline|extern|virtual|implicit|mutable)\s+)*(?:function|func|fun|fn|def|defp|defmodule|class|interface|struct|enum|trait|protocol|extension|object|module|namespace|type|sub|package|macro|actor|mixin)\s+[\p{L}_$][^\n{=;]{0,160})/u;
const ASSIGNED = /^([\p{L}_.][\w.]{0,80})\s*(?:<-|=)\s*function\s*(\([^\n){]{0,120}\)?)/u;
const STATEMENT =
  /^\s*(CREATE\s+(?:OR\s+REPLACE\s+)?(?:TEMP(?:ORARY)?\s+)?(?:TABLE|VIEW|MATERIALIZED VIEW|INDEX|UNIQUE INDEX|FUNCTION|PROCEDURE|TRIGGER|TYPE|SCHEMA)\s+(?:IF NOT EXISTS\s+)?[\w."`]{1,100})/i;
const IMPORT = /^\s*(?:import|use|require|using|library|include|source)\b\s*[("']?([\w./:@\\-]{1,120})/;
const MOST_DEFINITIONS = 5_000;

function outlineLines(text: string): Outline {
  const imports: string[] = [];
  const definitions: Definition[] = [];
  text.split("\n").forEach((line, index) => {
    if (line.length > 2_000 || definitions.length >= MOST_DEFINITIONS) return;
    const signature = signatureIn(line);
    const [, name] = IMPORT.exec(line) ?? [];
    if (signature !== null)
      definitions.push({
        ...{ signature, line: index + 1, isPublic: !/\bprivate\b/.test(line) },
        ...{ path: "", depth: 0, isParsed: false, members: [] },
      });
    else if (name !== undefined) imports.push(name);
  });
  return { imports, packages: [], definitions, isParsed: false, hasErrors: false };
}

function signatureIn(line: string): string | null {
  const assigned = ASSIGNED.exec(line);
  if (assigned !== null) return `${assigned[1]} = function${assigned[2]}`;
  const found = DEFINITION.exec(line)?.[1] ?? STATEMENT.exec(line)?.[1];
  return found === undefined
    ? null
    : found
        .replaceAll(/(["'`]).*?(?:\1|$)/g, "…")
        .replace(/(?<=\()[^()]*/, hideAnnounced)
        .trim();
}

/** Hides parameters named like a password, with the text next to the name. */
function hideAnnounced(parameters: string): string {
  const shown = parameters.split(",").map((one) => (announcesCredential(one) ? "…" : one.trim()));
  return shown.join(", ");
}
