/** Distinguishes paths and file names from words that merely contain a slash or a dot. */

const EXTENSIONS = new Set(
  (
    "ts tsx js jsx mjs cjs py rb go rs java kt kts c h cc cpp hpp cs swift m php pl lua r jl scala ex exs erl hs ml clj dart " +
    "zig nim sh bash zsh fish ps1 bat cmd sql css scss less html htm xml svg vue svelte astro md mdx rst txt log csv tsv json " +
    "jsonl json5 yaml yml toml ini cfg conf env lock proto graphql tf hcl dockerfile makefile gradle cmake ipynb tex bib pdf " +
    "doc docx xls xlsx ppt pptx png jpg jpeg gif webp ico bmp mp3 mp4 wav mov avi mkv zip gz tgz tar bz2 xz zst 7z jar war " +
    "whl deb rpm exe dll so dylib bin hex elf o a iso img db sqlite sqlite3 parquet arrow npy pkl pem crt key pub sock pid " +
    "diff patch bak tmp snap map wasm lockb service plist traj fits"
  ).split(" "),
);
const LINE_NUMBER = /(?::\d+){1,2}(?::[a-z]+)?$/i;
/** As in the lines around a hit of grep: `a.ts-12`. */
const NEAR_HIT = /\.([a-z0-9]{1,10})-\d+$/i;
/** Matches several times faster than a letter of any script. */
const PLAIN_LETTER = /[A-Za-z]/;
const DRIVE = /^[A-Za-z]:[\\/]/;

/** A path in normal form (no line number, no leading `./`, forward slashes, lower case), or undefined. */
export function readPath(token: string): string | undefined {
  const bare = withoutLine(token);
  if (bare.length < 3 || !(PLAIN_LETTER.test(bare) || /\p{L}/u.test(bare))) return undefined;
  if (!looksLikePath(bare)) return undefined;
  const path = bare.includes("\\") ? bare.replaceAll("\\", "/") : bare;
  return withoutEndingSlashes(path.startsWith("./") ? path.slice(2) : path).toLowerCase();
}

function withoutLine(token: string): string {
  if (token.includes(":")) return token.replace(LINE_NUMBER, "");
  const extension = token.includes("-") ? NEAR_HIT.exec(token)?.[1] : undefined;
  return extension !== undefined && EXTENSIONS.has(extension.toLowerCase())
    ? token.slice(0, token.lastIndexOf("-"))
    : token;
}

function looksLikePath(text: string): boolean {
  if (startsAtFolder(text) || (text.charCodeAt(1) === 0x3a && DRIVE.test(text))) return !text.includes("//");
  const { separators, lastStart, hasEmpty } = readSegments(text);
  if (hasEmpty && !text.endsWith("/")) return false;
  if (hasExtension(text, lastStart)) return /^[\w@.+~-]/.test(text);
  return separators > 1 && (separators > 2 || /[._\d-]/.test(text)) && !/[:?&%]/.test(text);
}

/** `/`, `~/`, `./` or `../`. */
function startsAtFolder(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first === 0x2f) return true;
  if (first !== 0x7e && first !== 0x2e) return false;
  return text.startsWith("/", 1) || text.startsWith("../");
}

/** The number of separators, the start of the last segment, and whether a segment is empty. */
function readSegments(text: string) {
  let separators = 0;
  let lastStart = 0;
  let hasEmpty = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit !== 0x2f && unit !== 0x5c) continue;
    hasEmpty ||= i === lastStart;
    separators++;
    lastStart = i + 1;
  }
  return { separators, lastStart, hasEmpty: hasEmpty || lastStart === text.length };
}

/** Whether the name from this position to the end of the text has an extension. */
function hasExtension(text: string, start: number): boolean {
  const dot = text.lastIndexOf(".");
  return dot > start && EXTENSIONS.has(text.slice(dot + 1).toLowerCase());
}

export function withoutEndingSlashes(path: string): string {
  return path.endsWith("/") ? path.replace(/\/+$/, "") : path;
}

export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}
