/**
 * Colours for code: comments, texts, numbers, keywords and names. It only cuts the code into pieces, which are shown as text,
 * in time that grows with its length. Code in an unknown language is shown without colours.
 */
export type Kind = "comment" | "string" | "number" | "keyword" | "name";
export type Piece = readonly [kind: Kind | null, text: string];

const FLOW =
  "if else for while do switch case default break continue return try catch finally throw in new this super";
const CONSTANTS = "true false null";
const KEYWORDS: Readonly<Record<string, string>> = {
  javascript: `${FLOW} ${CONSTANTS} async await class const debugger delete export extends from function import instanceof let of static typeof undefined var void with yield`,
  typescript: `abstract any as boolean declare enum implements interface infer is keyof namespace never number private protected public readonly satisfies string type unknown override`,
  python: `and as assert async await break case class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return self True try while with yield`,
  go: `break case chan const continue default defer else fallthrough false for func go goto if import interface iota map nil package range return select struct switch true type var bool byte error int int64 string uint`,
  rust: `as async await box break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while bool char f64 i32 i64 str u8 u32 u64 usize`,
  java: `${FLOW} ${CONSTANTS} abstract assert boolean byte char class const double enum extends final float implements import instanceof int interface long native package private protected public record sealed short static synchronized throws transient var void volatile`,
  kotlin: `as companion fun internal is lateinit override suspend typealias val when`,
  csharp: `async await base bool decimal foreach get internal is namespace object out override readonly ref set string struct using virtual where yield`,
  c: `auto bool break case char const continue default do double else enum extern false float for goto if inline int long nullptr register return short signed sizeof static struct switch true typedef union unsigned void volatile while`,
  cpp: `catch class constexpr delete explicit final friend namespace new noexcept operator override private protected public template this throw try typename using virtual`,
  swift: `${FLOW} as associatedtype class deinit defer enum extension false fileprivate func guard import init inout internal is lazy let nil open override private protocol public repeat rethrows self Self static struct subscript throws true typealias var where`,
  php: `${FLOW} ${CONSTANTS} abstract and array as class clone const echo elseif empty extends final fn foreach function global implements include instanceof interface isset match namespace or private protected public readonly require static trait unset use var yield`,
  ruby: `alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or raise redo require rescue retry return self super then true undef unless until when while yield`,
  shell: `case do done elif else esac export fi for function if in local readonly return select set shift source then unset until while cd echo exit sudo`,
  sql: `add all alter and as asc begin between by case check coalesce column commit constraint create cross default delete desc distinct drop else end exists explain foreign from full group having if ilike in index inner insert into is join key left like limit not null offset on or order outer over partition primary references returning right rollback select set table then union unique update using values view when where with`,
  css: "important",
  data: "true false null yes no on off",
};

/** Of the whole text: `$` is the end of a line here. */
const END = "(?![\\s\\S])";
const STRING = /"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?/.source;
const BACKTICK = /`(?:[^`\\]|\\[\s\S])*`?/.source;
const TRIPLE = `"""[\\s\\S]*?(?:"""|${END})|'''[\\s\\S]*?(?:'''|${END})`;
const QUOTED = /'(?:[^']|'')*'?|"[^"\n]*"?/.source;
const SLASHES = /\/\/[^\n]*/.source;
const STARRED = `/\\*[\\s\\S]*?(?:\\*/|${END})`;
const HASH = /(?<!\S)#[^\n]*/.source;
const DASHES = /--[^\n]*/.source;
const CALLED = /[A-Za-z_$][\w$]*(?=\()/.source;
const JSON_KEY = /"(?:[^"\\\n]|\\.)*"(?=\s*:)/.source;
const YAML_KEY = /(?=[\w.$/-])(?<=^[ \t]*(?:- )?)[\w.$/-]+(?=[ \t]*[:=])/.source;
const CSS_NAME = /(?<![\w-])[\w-]+(?=\s*:)|[.#@][\w-]+/.source;

interface Grammar {
  readonly comment?: string;
  readonly string: string;
  readonly name?: string;
  readonly keywords: string;
  readonly ignoresCase?: boolean;
}

const SLASHED = { comment: `${SLASHES}|${STARRED}`, string: `${STRING}|${BACKTICK}`, name: CALLED };
const HASHED = { comment: HASH, string: `${TRIPLE}|${STRING}`, name: CALLED };
const slashed = (...names: readonly string[]): Grammar => ({ ...SLASHED, keywords: keywordsOf(names) });
const hashed = (...names: readonly string[]): Grammar => ({ ...HASHED, keywords: keywordsOf(names) });

function keywordsOf(names: readonly string[]): string {
  return names.map((name) => KEYWORDS[name]).join(" ");
}

const GRAMMARS: readonly (readonly [names: string, grammar: Grammar | "markup"])[] = [
  ["js javascript jsx mjs cjs ts typescript tsx mts cts", slashed("javascript", "typescript")],
  ["py python pyi", hashed("python")],
  ["go golang", slashed("go")],
  // A lifetime begins like a string.
  ["rs rust", { ...slashed("rust"), string: /"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\\n]|\\.)'/.source }],
  ["java kt kotlin kts scala groovy", slashed("java", "kotlin")],
  ["cs csharp c# dart", slashed("java", "csharp")],
  ["c h cc cpp cxx hpp c++ objc m", slashed("c", "cpp")],
  ["swift", slashed("swift")],
  ["php", { ...slashed("php"), comment: `${SLASHES}|${STARRED}|${HASH}` }],
  ["rb ruby ex elixir r jl julia pl perl", hashed("ruby", "python")],
  ["sh bash zsh shell console fish dockerfile makefile make nix", hashed("shell")],
  [
    "sql psql sqlite mysql",
    { comment: `${DASHES}|${STARRED}`, string: QUOTED, keywords: KEYWORDS.sql ?? "", ignoresCase: true },
  ],
  ["lua hs haskell elm ada", { comment: DASHES, string: STRING, keywords: keywordsOf(["ruby", "rust"]) }],
  [
    "css scss less",
    { comment: `${STARRED}|${SLASHES}`, string: STRING, name: CSS_NAME, keywords: KEYWORDS.css ?? "" },
  ],
  [
    "json jsonc json5 jsonl ndjson",
    { comment: `${SLASHES}|${STARRED}`, string: STRING, name: JSON_KEY, keywords: KEYWORDS.data ?? "" },
  ],
  [
    "yaml yml toml ini properties env conf",
    { comment: HASH, string: STRING, name: YAML_KEY, keywords: KEYWORDS.data ?? "" },
  ],
  ["html xml svg vue svelte htm xhtml rss", "markup"],
];

const BY_NAME = new Map(
  GRAMMARS.flatMap(([names, grammar]) => names.split(" ").map((name) => [name, grammar] as const)),
);

/** Null for a language that is not known. */
export function highlight(code: string, language: string): readonly Piece[] | null {
  const grammar = BY_NAME.get(language.toLowerCase());
  if (grammar === undefined) return null;
  return grammar === "markup" ? markupPieces(code) : codePieces(code, grammar);
}

function codePieces(code: string, grammar: Grammar): Piece[] {
  const { comment = "(?!)", name = "(?!)", string, ignoresCase = false } = grammar;
  const keywords = new Set(grammar.keywords.split(" "));
  const number = /(?<![\w$])\d[\w.]*/.source;
  const word = /[A-Za-z_$][\w$]*/.source;
  const found = new RegExp(
    `(?<comment>${comment})|(?<name>${name})|(?<string>${string})|(?<number>${number})|(?<word>${word})`,
    "gm",
  );
  return cut(code, found, ({ groups = {} }) => {
    const said = groups.name ?? groups.word;
    if (said !== undefined && keywords.has(ignoresCase ? said.toLowerCase() : said)) return "keyword";
    if (groups.word !== undefined) return null;
    return KINDS.find((kind) => groups[kind] !== undefined) ?? null;
  });
}

const KINDS = ["comment", "name", "string", "number"] as const;

const TAG = /<!--[\s\S]*?(?:-->|$)|<[/!?]?[A-Za-z][^<>]*>/g;
const IN_TAG = /(?<keyword><[/!?]?[\w:-]+|[/?]?>)|(?<string>"[^"]*"|'[^']*')|(?<name>[\w:@.-]+(?==))/g;

function markupPieces(code: string): Piece[] {
  const kindIn = ({ groups = {} }: RegExpMatchArray) =>
    (["keyword", "string", "name"] as const).find((kind) => groups[kind] !== undefined) ?? null;
  return cut(code, TAG, () => "comment").flatMap(([kind, text]): readonly Piece[] =>
    kind === null || text.startsWith("<!--") ? [[kind, text]] : cut(text, IN_TAG, kindIn),
  );
}

/** Text between matches, and matches without a kind, become one piece. */
function cut(code: string, found: RegExp, kindOf: (match: RegExpMatchArray) => Kind | null): Piece[] {
  const pieces: Piece[] = [];
  let last = 0;
  const plainTo = (end: number) => {
    if (end > last) pieces.push([null, code.slice(last, end)]);
  };
  for (const match of code.matchAll(found)) {
    const kind = match[0] === "" ? null : kindOf(match);
    if (kind === null) continue;
    plainTo(match.index);
    pieces.push([kind, match[0]]);
    last = match.index + match[0].length;
  }
  plainTo(code.length);
  return pieces;
}
