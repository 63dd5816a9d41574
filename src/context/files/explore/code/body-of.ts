import type { Node } from "./load-parser.ts";

const BODIES = ["body", "value", "block"];

/** The node after the signature of a definition; null if there is none. */
export function bodyOf(node: Node): Node | null {
  for (const field of BODIES) {
    const body = node.childForFieldName(field);
    // An assigned function has its own signature and body.
    if (body !== null) return field === "value" ? (body.childForFieldName("body") ?? body) : body;
  }
  const last = node.lastNamedChild;
  if (last === null) return null;
  const isBody = /body|block|declaration_list|_list$/.test(last.type);
  if (isBody && !/parameter|argument|base_list/.test(last.type)) return last;
  // An inner declaration: `template <…> class X { … }`, `const f = () => { … }`.
  return /declarator|specifier|_type|function_definition|alias/.test(last.type) ? bodyOf(last) : null;
}
