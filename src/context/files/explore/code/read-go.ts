/** Go declarations that may contain several definitions: types one by one, exported variables and constants by name. */
import type { Node } from "./load-parser.ts";
import type { OutlineWriter, Place } from "./outline-tree.ts";
import { signatureOf } from "./signature-of.ts";

const WORDS = new Map([
  ["type_declaration", "type"],
  ["var_declaration", "var"],
  ["const_declaration", "const"],
]);

export function readGo(node: Node, place: Place, writer: OutlineWriter): boolean {
  const word = WORDS.get(node.type);
  if (word === undefined) return false;
  const specs = node.namedChildren
    .flatMap((child) => (child?.type === "var_spec_list" ? child.namedChildren : [child]))
    .filter((child) => child !== null)
    .filter(({ type }) => type !== "comment");
  if (word === "type") for (const spec of specs) addType(spec, place, writer);
  else
    addVariables(
      { node, word, specs: specs.filter((spec) => isExported(spec, writer.source)) },
      place,
      writer,
    );
  return true;
}

function addType(spec: Node, place: Place, writer: OutlineWriter): void {
  const type = spec.childForFieldName("type");
  const body =
    type?.type === "struct_type" ? type.lastNamedChild : type?.type === "interface_type" ? type : null;
  // Before the first brace of the type, which the keyword `interface` or `struct` precedes.
  const start = body === null ? undefined : writer.source.indexOf("{", body.startIndex);
  const signature = `type ${signatureOf(spec, writer.source, start)}`;
  writer.addDefinition({ node: spec, signature, body }, place);
}

/** A single variable is shown with its type; of several in one declaration, the names are listed. */
function addVariables(
  { node, word, specs }: { readonly node: Node; readonly word: string; readonly specs: readonly Node[] },
  place: Place,
  writer: OutlineWriter,
): void {
  const [first] = specs;
  if (first === undefined) return;
  const end = first.childForFieldName("value")?.startIndex;
  const one = `${word} ${signatureOf(first, writer.source, end)}`;
  const members = specs.flatMap((spec) => namesIn(spec, writer.source));
  if (specs.length === 1) writer.addDefinition({ node: first, signature: one, body: null }, place);
  else writer.addDefinition({ node, signature: word, body: null, members }, place);
}

function namesIn(spec: Node, source: string): string[] {
  return spec
    .childrenForFieldName("name")
    .flatMap((name) => (name === null ? [] : [source.slice(name.startIndex, name.endIndex)]))
    .filter((name) => /^\p{Lu}/u.test(name));
}

function isExported(spec: Node, source: string): boolean {
  return namesIn(spec, source).length > 0;
}
