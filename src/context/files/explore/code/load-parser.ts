/** The parsers of `@vscode/tree-sitter-wasm`: loaded with the first code file, each grammar once. */
import { createRequire } from "node:module";
import path from "node:path";

type TreeSitter = typeof import("@vscode/tree-sitter-wasm");

export type { Node } from "@vscode/tree-sitter-wasm";

const PACKAGE = "@vscode/tree-sitter-wasm";
/** The package is not an ES module, and its exports are only known at run time. */
const require = createRequire(import.meta.url);
let starting: Promise<TreeSitter> | undefined;
const grammars = new Map<string, ReturnType<TreeSitter["Language"]["load"]>>();

export async function loadParser(grammar: string) {
  starting ??= start();
  const treeSitter = await starting;
  const file = path.join(path.dirname(require.resolve(PACKAGE)), `tree-sitter-${grammar}.wasm`);
  const language = grammars.get(grammar) ?? treeSitter.Language.load(file);
  grammars.set(grammar, language);
  const parser = new treeSitter.Parser();
  parser.setLanguage(await language);
  return parser;
}

async function start(): Promise<TreeSitter> {
  const treeSitter = require(PACKAGE) as TreeSitter;
  await treeSitter.Parser.init();
  return treeSitter;
}
