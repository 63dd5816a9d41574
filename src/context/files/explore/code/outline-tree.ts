/** The outline of a syntax tree: imports, and definitions with their signatures but without bodies. */
import { collapseSpaces } from "../../../../text/collapse-spaces.ts";
import type { Grammar } from "./grammar.ts";
import type { Node } from "./load-parser.ts";
import type { Definition, Outline } from "./outline.ts";

const LONGEST_SIGNATURE = 240;
const LONGEST_IMPORT = 2_000;
const MOST_DEFINITIONS = 5_000;
const MOST_MEMBERS = 60;
const DEEPEST_WRAPPER = 8;
/** Values that stand in signatures: defaults, literal types, sizes. They may be anything and are left out. */
const LITERAL = /string|char_literal|number|integer|float|regex|heredoc|comment|template_literal/;
const BODIES = ["body", "value", "block"];

export function outlineTree(root: Node, source: string, grammar: Grammar): Outline {
  const outliner = new TreeOutliner(source, grammar);
  outliner.visit(root, 0, "");
  return { imports: outliner.imports, definitions: outliner.definitions, hasErrors: root.hasError };
}

class TreeOutliner {
  readonly imports: string[] = [];
  readonly definitions: Definition[] = [];
  readonly #source: string;
  readonly #grammar: Grammar;

  constructor(source: string, grammar: Grammar) {
    this.#source = source;
    this.#grammar = grammar;
  }

  visit(parent: Node, depth: number, prefix: string): void {
    const { imports, definitions, wrappers } = this.#grammar;
    for (const node of parent.namedChildren) {
      if (node === null || this.definitions.length >= MOST_DEFINITIONS) continue;
      if (imports.includes(node.type)) this.#addImports(node);
      else if (definitions.includes(node.type)) this.#addDefinition(node, prefix);
      else if (wrappers.includes(node.type) && depth < DEEPEST_WRAPPER)
        this.visit(node, depth + 1, node.type === "export_statement" ? "export " : prefix);
    }
  }

  #addImports(node: Node): void {
    const end = Math.min(node.endIndex, node.startIndex + LONGEST_IMPORT);
    this.imports.push(...importsOf(collapseSpaces(this.#source.slice(node.startIndex, end)), this.#grammar));
  }

  #addDefinition(node: Node, prefix: string): void {
    const signature = prefix + this.#signature(node);
    if (!/\w/.test(signature) || isVariableOfNoNote(node, signature)) return;
    const body = bodyOf(node);
    this.definitions.push({
      signature,
      line: node.startPosition.row + 1,
      isPublic: this.#grammar.isPublic(signature),
      members: body === null ? [] : this.#members(body),
    });
  }

  /** The text before the body, with every literal as `…`. */
  #signature(node: Node): string {
    const end = Math.min(bodyOf(node)?.startIndex ?? node.endIndex, node.startIndex + 4 * LONGEST_SIGNATURE);
    const pieces: string[] = [];
    let from = node.startIndex;
    for (const literal of literalsIn(node, end)) {
      pieces.push(this.#source.slice(from, literal.startIndex), literal.type.includes("comment") ? "" : "…");
      from = literal.endIndex;
    }
    if (from < end) pieces.push(this.#source.slice(from, end));
    const text = collapseSpaces(pieces.join(""))
      .replace(/\s*(?:=>|=|\{|:|;|\bdo)?\s*$/, "")
      .trim();
    return text.length > LONGEST_SIGNATURE ? `${text.slice(0, LONGEST_SIGNATURE)}…` : text;
  }

  #members(body: Node): string[] {
    const names: string[] = [];
    const waiting = body.namedChildren.slice(0, 2_000);
    for (const child of waiting) {
      if (child === null || names.length >= MOST_MEMBERS) continue;
      if (child.type === "decorated_definition" || child.type === "field_declaration_list")
        waiting.push(...child.namedChildren);
      else if (this.#grammar.members.includes(child.type)) names.push(...this.#nameOf(child));
    }
    return names;
  }

  #nameOf(node: Node): string[] {
    const named = node.childForFieldName("name") ?? node.childForFieldName("declarator");
    if (named === null) return [];
    const text = this.#source.slice(named.startIndex, Math.min(named.endIndex, named.startIndex + 200));
    const name = /[\p{L}_$~#][\p{L}\p{N}_$?!]*/u.exec(text)?.[0];
    return name === undefined ? [] : [name];
  }
}

/** The module that is named: in quotes, behind a keyword, or as a path. */
function importsOf(text: string, { file }: Grammar): string[] {
  if (file === "ruby") return match(text, /^require(?:_relative)?\s*\(?\s*["']([^"']+)["']/);
  if (file === "bash") return match(text, /^(?:source|\.)\s+["']?([^\s"']+)/);
  if (file === "go") return [...text.matchAll(/["`]([^"`]+)["`]/g)].map(([, name = ""]) => name);
  if (file === "python") return pythonModules(text);
  const quoted = match(text, /["'<]([^"'<>]+)["'>]/);
  if (quoted.length > 0) return quoted;
  return match(
    text,
    /^(?:pub\s+)?(?:use|import|using|extern crate|package|namespace)\s+(?:static\s+)?([\w.:\\*]+)/,
  );
}

function pythonModules(text: string): string[] {
  const from = match(text, /^from\s+(\S+)/);
  return from.length > 0
    ? from
    : text
        .replace(/^import\s+/, "")
        .split(",")
        .map((name) => name.trim().replace(/\s+as\s.*/, ""));
}

function match(text: string, pattern: RegExp): string[] {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? [] : [found];
}

/** Of variables, only what is exported is part of the outline. */
function isVariableOfNoNote(node: Node, signature: string): boolean {
  if (node.type === "lexical_declaration" || node.type === "variable_declaration")
    return !signature.startsWith("export ");
  return node.type === "declaration" && !signature.includes("(");
}

function bodyOf(node: Node): Node | null {
  for (const field of BODIES) {
    const body = node.childForFieldName(field);
    // A function that is assigned has a signature and a body of its own.
    if (body !== null) return field === "value" ? (body.childForFieldName("body") ?? body) : body;
  }
  const last = node.lastNamedChild;
  if (last === null) return null;
  const isBody = /body|block|declaration_list|_list$/.test(last.type);
  if (isBody && !/parameter|argument/.test(last.type)) return last;
  // A declaration inside: `template <…> class X { … }`, `type X struct { … }`, `const f = () => { … }`.
  return /declarator|specifier|type_spec|_type|function_definition|alias/.test(last.type)
    ? bodyOf(last)
    : null;
}

/** Outermost literals and comments before the end. */
function literalsIn(node: Node, end: number): Node[] {
  const found: Node[] = [];
  const waiting: Node[] = [node];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at.startIndex >= end) continue;
    if (at !== node && at.isNamed && LITERAL.test(at.type)) found.push(at);
    else for (const child of at.children.toReversed()) if (child !== null) waiting.push(child);
  }
  return found;
}
