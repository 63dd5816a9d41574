/** The modules that an import names: in quotes, behind a keyword, or as a path. */
import type { Grammar } from "./grammar.ts";

export function importsOf(text: string, { file }: Grammar): string[] {
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

/** The name behind `package` or `namespace`. */
export function packagesOf(text: string): string[] {
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
