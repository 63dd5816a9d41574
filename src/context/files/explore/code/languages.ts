/** The programming language of a text, by its name, its first line, or the patterns at its beginning. */
import type { Beginning } from "../exploration.ts";
import type { Language } from "./grammar.ts";

const EXTENSIONS: Readonly<Record<string, Language>> = {
  ...{ ts: "typescript", mts: "typescript", cts: "typescript", tsx: "tsx" },
  ...{ js: "javascript", mjs: "javascript", cjs: "javascript", jsx: "javascript" },
  ...{ py: "python", pyi: "python", pyw: "python", go: "go", rs: "rust", java: "java", cs: "csharp" },
  ...{ c: "c", h: "c", cc: "cpp", cpp: "cpp", cxx: "cpp", hh: "cpp", hpp: "cpp", hxx: "cpp", ino: "cpp" },
  ...{ rb: "ruby", rake: "ruby", gemspec: "ruby", php: "php", phtml: "php" },
  ...{ sh: "shell", bash: "shell", zsh: "shell", ksh: "shell", ps1: "powershell", psm1: "powershell" },
  ...{ kt: "kotlin", kts: "kotlin", swift: "swift", scala: "scala", lua: "lua", pl: "perl", pm: "perl" },
  ...{ r: "r", dart: "dart", ex: "elixir", exs: "elixir", jl: "julia", sql: "sql" },
};
const MIMES: Readonly<Record<string, Language>> = {
  ...{
    python: "python",
    typescript: "typescript",
    javascript: "javascript",
    java: "java",
    ruby: "ruby",
    php: "php",
  },
  ...{
    go: "go",
    rust: "rust",
    csharp: "csharp",
    csrc: "c",
    c: "c",
    "c++": "cpp",
    "c++src": "cpp",
    sh: "shell",
  },
  ...{ shellscript: "shell", kotlin: "kotlin", swift: "swift", sql: "sql" },
};
const INTERPRETERS: readonly (readonly [RegExp, Language])[] = [
  [/\bpython/, "python"],
  [/\b(?:node|deno|bun)\b/, "javascript"],
  [/\bruby/, "ruby"],
  [/\bphp/, "php"],
  [/\bperl/, "perl"],
  [/\blua/, "lua"],
  [/\bRscript/, "r"],
  [/\bpwsh/, "powershell"],
  [/\b(?:ba|z|k|da)?sh\b/, "shell"],
];
/** Lines that are rare in other languages. */
const SIGNS: readonly (readonly [Language, RegExp])[] = [
  ["php", /^<\?php\b/m],
  ["go", /^(?:package \w+$|func (?:\([^)]{1,80}\) )?\w+\(|import \($)/gm],
  ["rust", /^\s*(?:pub(?:\(\w+\))? )?(?:fn \w+|impl(?:<[^>]{1,80}>)? \w+|use \w+::|struct \w+ \{)/gm],
  [
    "java",
    /^(?:package [\w.]+;|import (?:static )?[\w.]+(?:\.\*)?;|public (?:final |abstract )?(?:class|interface|enum) \w+)/gm,
  ],
  ["csharp", /^(?:using [\w.]+;|namespace [\w.]+|\s*public (?:sealed |static )?class \w+)/gm],
  ["cpp", /^(?:#include\s*[<"]|#define \w+|#ifndef \w+|using namespace |template\s*<)/gm],
  ["python", /^(?:(?:async )?def \w+\(.*\)?|class \w+.*:|from [\w.]+ import |import \w+(?: as \w+)?$)/gm],
  [
    "typescript",
    /^(?:export )?(?:interface \w+ \{|type \w+ = |(?:async )?function \w+\(.*:)|^import .{1,200} from ["']/gm,
  ],
  [
    "javascript",
    /^(?:(?:export )?(?:default )?(?:async )?function \w+\(|const \w+ = |module\.exports|import .{1,200} from ["'])/gm,
  ],
  ["ruby", /^\s*(?:require ["']|def \w+[?!]?|module [A-Z]\w*$|end$)/gm],
];
const ENOUGH_SIGNS = 4;
const LOOKED_AT = 16_000;

/** Null if it is not code. */
export function languageOf({ name, head, mime }: Beginning): Language | null {
  const extension = /\.(\w{1,8})$/.exec(name ?? "")?.[1]?.toLowerCase() ?? "";
  const [, subtype = ""] = /^(?:text|application)\/(?:x-)?([\w+]{1,20})(?:;|$)/.exec(mime ?? "") ?? [];
  const named = EXTENSIONS[extension] ?? MIMES[subtype];
  if (named !== undefined)
    return named === "c" && /^\s*(?:class|namespace|template)\b/m.test(head) ? "cpp" : named;
  const [, interpreter] = /^#!([^\n]{1,120})/.exec(head) ?? [];
  const called =
    interpreter === undefined ? undefined : INTERPRETERS.find(([pattern]) => pattern.test(interpreter));
  if (called !== undefined) return called[1];
  if (extension !== "" && extension !== "txt" && mime === null) return null;
  return bySigns(head.slice(0, LOOKED_AT));
}

function bySigns(text: string): Language | null {
  if (/^\s*<\?php\b/.test(text)) return "php";
  const lines = text.split("\n").filter((line) => /\S/.test(line)).length;
  const counts = SIGNS.map(([language, pattern]) => ({ language, found: text.match(pattern)?.length ?? 0 }));
  const best = counts.reduce((a, b) => (b.found > a.found ? b : a));
  return best.found >= ENOUGH_SIGNS && best.found >= lines * 0.04 && /[;{}():]\s*$/m.test(text)
    ? best.language
    : null;
}
