import type { Node } from "./load-parser.ts";

const BODIES = ["body", "value", "block"];

/** What stands behind the signature of a definition; null where it has none. */
export function bodyOf(node: Node): Node | null {
  for (const field of BODIES) {
    const body = node.childForFieldName(field);
    // A function that is assigned has a signature and a body of its own.
    if (body !== null) return field === "value" ? (body.childForFieldName("body") ?? body) : body;
  }
  const last = node.lastNamedChild;
  if (last === null) return null;
  const isBody = /body|block|declaration_list|_list$/.test(last.type);
  if (isBody && !/parameter|argument|base_list/.test(last.type)) return last;
  // A declaration inside: `template <…> class X { … }`, `const f = () => { … }`.
  return /declarator|specifier|_type|function_definition|alias/.test(last.type) ? bodyOf(last) : null;
}
