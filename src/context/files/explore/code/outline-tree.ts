/** The outline of a syntax tree: imports, and definitions with their signatures but without bodies, including nested ones. */
import { collapseSpaces } from "../../../../text/spaces.ts";
import { bodyOf } from "./body-of.ts";
import type { Grammar } from "./grammar.ts";
import type { Node } from "./load-parser.ts";
import type { Definition, Outline } from "./outline.ts";
import { signatureOf } from "./signature-of.ts";

const LONGEST_IMPORT = 2_000;
const LONGEST_NAME = 80;
const MOST_DEFINITIONS = 5_000;
const DEEPEST = 8;

/** The position of a node in a file. */
export interface Place {
  readonly depth: number;
  /** Text before the signature: `export `. */
  readonly prefix: string;
  /** The names of the enclosing definitions. */
  readonly path: readonly string[];
  /** Whether the enclosing definition is public. */
  readonly isPublic: boolean;
  /** Inside a class, only nested types get a line. */
  readonly isInType: boolean;
}

interface FoundDefinition {
  readonly node: Node;
  readonly signature: string;
  /** The node that contains its members. */
  readonly body: Node | null;
  /** The members' names, if known. */
  readonly members?: readonly string[];
}

/** The interface for languages with their own rules. */
export interface OutlineWriter {
  readonly source: string;
  addImport(name: string): void;
  addDefinition(found: FoundDefinition, place: Place): void;
  visit(parent: Node, place: Place): void;
}

export function outlineTree(root: Node, source: string, grammar: Grammar): Outline {
  const outliner = new TreeOutliner(source, grammar);
  outliner.visit(root, { depth: 0, prefix: "", path: [], isPublic: true, isInType: false });
  const { imports, packages, definitions } = outliner;
  return { imports, packages, definitions, isParsed: true, hasErrors: root.hasError };
}

class TreeOutliner implements OutlineWriter {
  readonly imports: string[] = [];
  readonly packages: string[] = [];
  readonly definitions: Definition[] = [];
  readonly source: string;
  readonly #grammar: Grammar;

  constructor(source: string, grammar: Grammar) {
    this.source = source;
    this.#grammar = grammar;
  }

  visit(parent: Node, place: Place): void {
    if (place.depth > DEEPEST) return;
    for (const node of parent.namedChildren)
      if (node !== null && this.definitions.length < MOST_DEFINITIONS) this.#visitNode(node, place);
  }

  addImport(name: string): void {
    this.imports.push(name);
  }

  addDefinition({ node, signature, body, members }: FoundDefinition, place: Place): void {
    this.definitions.push({
      signature,
      line: node.startPosition.row + 1,
      isPublic: place.isPublic && this.#grammar.isPublic(signature),
      path: place.path.join(this.#grammar.separator ?? "."),
      depth: place.path.length,
      isParsed: !node.hasError,
      members: members ?? (body === null ? [] : membersOf(body, this.source, this.#grammar)),
    });
  }

  #visitNode(node: Node, place: Place): void {
    const { imports, definitions, nested, wrappers, packages, readNode } = this.#grammar;
    if (packages.includes(node.type)) this.packages.push(...packagesOf(this.#textOf(node)));
    if (readNode?.(node, place, this) === true) return;
    if (imports.includes(node.type)) this.imports.push(...importsOf(this.#textOf(node), this.#grammar));
    else if ((place.isInType ? nested : definitions).includes(node.type)) this.#define(node, place);
    else if (wrappers.includes(node.type)) this.visit(node, { ...place, depth: place.depth + 1 });
  }

  #textOf({ startIndex, endIndex }: Node): string {
    return collapseSpaces(this.source.slice(startIndex, Math.min(endIndex, startIndex + LONGEST_IMPORT)));
  }

  #define(node: Node, place: Place): void {
    const body = bodyOf(node);
    const signature = withoutEnd(place.prefix + signatureOf(node, this.source, body?.startIndex));
    if (!/\w/.test(signature) || isVariableOfNoNote(node, signature)) return;
    this.addDefinition({ node, signature, body }, place);
    const name = node.childForFieldName("name");
    if (body === null || name === null || !this.#grammar.nested.includes(node.type)) return;
    const known = this.source.slice(name.startIndex, Math.min(name.endIndex, name.startIndex + LONGEST_NAME));
    this.visit(body, {
      ...{ depth: place.depth + 1, prefix: "", path: [...place.path, known] },
      ...{ isPublic: place.isPublic && this.#grammar.isPublic(signature), isInType: true },
    });
  }
}

/** Removes Ruby's keyword for the end of a definition without a body. */
function withoutEnd(signature: string): string {
  return signature.replace(/\s*[;\s]\s*end$/, "");
}

/** Only exported variables are part of the outline. */
function isVariableOfNoNote(node: Node, signature: string): boolean {
  if (node.type === "lexical_declaration" || node.type === "variable_declaration")
    return !signature.startsWith("export ");
  if (node.type === "const_item" || node.type === "static_item") return !signature.startsWith("pub");
  return node.type === "declaration" && !signature.includes("(");
}

/** The modules that an import names: in quotes, after a keyword, or as a path. */
function importsOf(text: string, { file }: Grammar): string[] {
  if (file === "ruby") return match(text, /^require(?:_relative)?\s*\(?\s*["']([^"']+)["']/);
  if (file === "bash") return match(text, /^(?:source|\.)\s+["']?([^\s"']+)/);
  if (file === "go") return [...text.matchAll(/["`]([^"`]+)["`]/g)].map(([, name = ""]) => name);
  if (file === "python") return pythonModules(text);
  const quoted = match(text, /["'<]([^"'<>]+)["'>]/);
  if (quoted.length > 0) return quoted;
  return match(
    text,
    /^(?:pub\s+)?(?:use|import|using|extern crate)\s+(?:(?:static|function|const)\s+)?([\w.:\\*]+)/,
  );
}

/** The name after `package` or `namespace`. */
function packagesOf(text: string): string[] {
  return match(text, /^(?:package|namespace)\s+([\w.\\]+)/);
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

/** The names in the body of a definition: methods, fields, cases of an enumeration. */
const MOST_MEMBERS = 60;
const MOST_CHILDREN = 2_000;
/** Nodes that only contain members. */
const TRANSPARENT = new Set(
  "decorated_definition field_declaration_list singleton_class body_statement enum_body_declarations export_statement".split(
    " ",
  ),
);
/** Nodes that are names themselves. */
const NAMES = new Set(["property_identifier", "shorthand_property_identifier"]);

function membersOf(body: Node, source: string, grammar: Grammar): string[] {
  const names: string[] = [];
  // Near a syntax error, words of a text may be mistaken for names.
  if (body.namedChildren.some((child) => child?.isError === true)) return names;
  const waiting = body.namedChildren.slice(0, MOST_CHILDREN);
  for (const child of waiting) {
    if (child === null || names.length >= MOST_MEMBERS) continue;
    if (TRANSPARENT.has(child.type)) waiting.push(...child.namedChildren);
    else if (grammar.members.includes(child.type)) names.push(...nameOf(child, source));
  }
  return names;
}

function nameOf(node: Node, source: string): string[] {
  const named = NAMES.has(node.type)
    ? node
    : (node.childForFieldName("name") ??
      node.childForFieldName("declarator") ??
      node.childForFieldName("key"));
  // A quoted key may contain anything.
  if (named === null || named.type === "string") return [];
  const text = source.slice(named.startIndex, Math.min(named.endIndex, named.startIndex + 200));
  const name = /[\p{L}_$~#][\p{L}\p{N}_$?!]*/u.exec(text)?.[0];
  return name === undefined ? [] : [name];
}
