/** The outline of a syntax tree: imports, and definitions with their signatures but without bodies, nested ones too. */
import { collapseSpaces } from "../../../../text/collapse-spaces.ts";
import { bodyOf } from "./body-of.ts";
import type { Grammar } from "./grammar.ts";
import { importsOf, packagesOf } from "./imports-of.ts";
import type { Node } from "./load-parser.ts";
import { membersOf } from "./members-of.ts";
import type { Definition, Outline } from "./outline.ts";
import { signatureOf } from "./signature-of.ts";

const LONGEST_IMPORT = 2_000;
const LONGEST_NAME = 80;
const MOST_DEFINITIONS = 5_000;
const DEEPEST = 8;

/** Where in a file something stands. */
export interface Place {
  readonly depth: number;
  /** Written before the signature: `export `. */
  readonly prefix: string;
  /** The names of the definitions around it. */
  readonly path: readonly string[];
  /** Outsiders can use what is around it. */
  readonly isPublic: boolean;
  /** Inside of a class only other types get a line. */
  readonly isInType: boolean;
}

interface FoundDefinition {
  readonly node: Node;
  readonly signature: string;
  /** What its members stand in. */
  readonly body: Node | null;
  /** Their names, where they are known. */
  readonly members?: readonly string[];
}

/** What languages with rules of their own write to. */
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

/** Ruby's word for the end of a definition that has no body. */
function withoutEnd(signature: string): string {
  return signature.replace(/\s*[;\s]\s*end$/, "");
}

/** Of variables, only what is exported is part of the outline. */
function isVariableOfNoNote(node: Node, signature: string): boolean {
  if (node.type === "lexical_declaration" || node.type === "variable_declaration")
    return !signature.startsWith("export ");
  if (node.type === "const_item" || node.type === "static_item") return !signature.startsWith("pub");
  return node.type === "declaration" && !signature.includes("(");
}
