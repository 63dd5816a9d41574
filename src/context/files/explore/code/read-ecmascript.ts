/**
 * The forms of export and import in JavaScript and TypeScript: statements, assignments to `exports`, and
 * calls of `require`.
 */
import { isPlainName } from "../../../../text/credentials/safe-to-show.ts";
import { bodyOf } from "./body-of.ts";
import type { Node } from "./load-parser.ts";
import type { OutlineWriter, Place } from "./outline-tree.ts";
import { signatureOf } from "./signature-of.ts";

const FUNCTIONS = /^(?:function_expression|generator_function|arrow_function|class)$/;
const LONGEST_MODULE = 200;
const DEEPEST_CALL = 8;

export function readEcmascript(node: Node, place: Place, writer: OutlineWriter): boolean {
  if (node.type === "export_statement") readExport(node, place, writer);
  else if (node.type === "expression_statement") readStatement(node, place, writer);
  else if (node.type === "internal_module" || node.type === "module") readNamespace(node, place, writer);
  else {
    if (/^(?:lexical|variable)_declaration$/.test(node.type))
      for (const declarator of node.namedChildren)
        addRequired(declarator?.childForFieldName("value") ?? null, writer);
    return false;
  }
  return true;
}

function readExport(node: Node, place: Place, writer: OutlineWriter): void {
  const isDefault = /^export\s+default\b/.test(textOf(node, writer));
  const prefix = isDefault ? "export default " : "export ";
  const value = node.childForFieldName("value");
  if (node.childForFieldName("declaration") !== null)
    writer.visit(node, { ...place, depth: place.depth + 1, prefix });
  else if (value !== null) addValue({ node, prefix, value }, place, writer);
  else addNames(node, place, writer);
}

/** `export * from`, `export { a as b }`, `export = a`: a named module counts as an import. */
function addNames(node: Node, place: Place, writer: OutlineWriter): void {
  const from = node.childForFieldName("source");
  const module = from === null ? null : moduleIn(from, writer);
  if (module !== null) writer.addImport(module);
  const names = signatureOf(node, writer.source, from?.startIndex);
  const source = from === null ? "" : ` ${nameOfModule(from, writer)}`;
  writer.addDefinition({ node, signature: `${names}${source}`, body: null }, place);
}

function readNamespace(node: Node, place: Place, writer: OutlineWriter): void {
  const [name, body] = [node.childForFieldName("name"), node.childForFieldName("body")];
  if (name === null || body === null) return;
  const known = name.type === "string" ? nameOfModule(name, writer) : textOf(name, writer);
  const signature = `${place.prefix}${signatureOf(node, writer.source, name.startIndex)} ${known}`;
  writer.addDefinition({ node, signature, body: null }, place);
  const isPublic = place.isPublic && (place.prefix !== "" || node.type === "module");
  writer.visit(body, {
    ...place,
    ...{ depth: place.depth + 1, prefix: "", path: [...place.path, known], isPublic },
  });
}

/** `exports.a = …`, `module.exports = …`, `require("a")`, and `namespace A { … }`, which the parser reads as an expression. */
function readStatement(node: Node, place: Place, writer: OutlineWriter): void {
  const inner = node.firstNamedChild;
  if (inner?.type === "internal_module") readNamespace(inner, place, writer);
  const left = inner?.childForFieldName("left") ?? null;
  const value = inner?.childForFieldName("right") ?? inner;
  addRequired(value, writer);
  if (left === null || value === null) return;
  const target = textOf(left, writer);
  if (/^(?:module\.)?exports(?:\.[\p{L}_$][\p{L}\p{N}_$]*)?$/u.test(target))
    addValue({ node, prefix: `${target} = `, value }, place, writer);
}

/** Functions and classes by signature, objects by keys, names unchanged; nothing for other values. */
function addValue(
  { node, prefix, value }: { readonly node: Node; readonly prefix: string; readonly value: Node },
  place: Place,
  writer: OutlineWriter,
): void {
  const isFunction = FUNCTIONS.test(value.type);
  const body = isFunction ? bodyOf(value) : value.type === "object" ? value : null;
  const known = isFunction || value.type === "identifier";
  const what = known ? signatureOf(value, writer.source, body?.startIndex) : "";
  const signature = (prefix + what).replace(/\s*=?\s*$/, "");
  const members = value.type === "object" || value.type === "class" ? body : null;
  writer.addDefinition({ node, signature, body: members }, place);
}

function addRequired(value: Node | null, writer: OutlineWriter): void {
  const module = requiredBy(value, writer);
  if (module !== null) writer.addImport(module);
}

/** `require("a")`, `require("a").b`, `require("a")(…)`, `await import("a")`. */
function requiredBy(value: Node | null, writer: OutlineWriter): string | null {
  let at = value;
  for (let depth = 0; at !== null && depth < DEEPEST_CALL; depth++) {
    const called: Node | null = at.childForFieldName("function");
    if (called !== null && /^(?:require|import)$/.test(textOf(called, writer))) {
      const given = at.childForFieldName("arguments")?.firstNamedChild ?? null;
      return given?.type === "string" ? moduleIn(given, writer) : null;
    }
    at =
      called ??
      at.childForFieldName("object") ??
      (at.type === "await_expression" ? at.firstNamedChild : null);
  }
  return null;
}

function nameOfModule(text: Node, writer: OutlineWriter): string {
  const module = moduleIn(text, writer);
  return isPlainName(module) ? module : "…";
}

function moduleIn(text: Node, writer: OutlineWriter): string {
  return textOf(text, writer).replaceAll(/^["'`]|["'`]$/g, "");
}

function textOf({ startIndex, endIndex }: Node, { source }: OutlineWriter): string {
  return source.slice(startIndex, Math.min(endIndex, startIndex + LONGEST_MODULE));
}
