/** The names in the body of a definition: methods, fields, cases of an enumeration. */
import type { Grammar } from "./grammar.ts";
import type { Node } from "./load-parser.ts";

const MOST_MEMBERS = 60;
const MOST_CHILDREN = 2_000;
/** What only holds members. */
const TRANSPARENT = new Set(
  "decorated_definition field_declaration_list singleton_class body_statement enum_body_declarations export_statement".split(
    " ",
  ),
);
/** What is a name itself. */
const NAMES = new Set(["property_identifier", "shorthand_property_identifier"]);

export function membersOf(body: Node, source: string, grammar: Grammar): string[] {
  const names: string[] = [];
  // Beside what was not understood, words of a text may pass for names.
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
  // A key in quotes may be anything.
  if (named === null || named.type === "string") return [];
  const text = source.slice(named.startIndex, Math.min(named.endIndex, named.startIndex + 200));
  const name = /[\p{L}_$~#][\p{L}\p{N}_$?!]*/u.exec(text)?.[0];
  return name === undefined ? [] : [name];
}
