/** Splits a rendered source by speaker, with the anchors of each block. Read once, used by every check. */
import { HOST_NOTE } from "../../message/parts/text.ts";
import { withoutHostText } from "../../message/title-of.ts";
import { isReadable } from "../../text/language/is-readable.ts";
import { withoutPasted } from "../../text/language/without-pasted.ts";
import { type Anchor, type KnownTokens, literalAnchors } from "./anchors.ts";
import { AROUND } from "./offline/output-lines.ts";

export interface SourceBlock {
  /** A role, `summary`, `thinking`, `call` for the arguments of calls, or empty for text without a header. */
  readonly speaker: string;
  /** Where its message or summary begins in the source. */
  readonly start: number;
  readonly text: string;
  /** Without rule sentences; one for each mention. */
  readonly anchors: readonly Anchor[];
}

const HEADER = /^\[[^\]\n|]{3,60} \| (?:\w+ )?(\w+)\]$/gm;
const CALL = /^tool [\w.:-]{1,80}\(/m;

/** Characters of tool output that are read at each end: the output can be printed again. */
const PRINTED_HEAD = 900;
const PRINTED_END = 300;

/** Marks of the rendering: the figures in them are ours, so no summary has to keep them. */
const OUR_MARKS = /\[(?:… )?\d[\d,]* characters (?:left out|of base64)[^\]\n]{0,200}\]/g;

/** `whole`: includes all text of long listings. */
export function sourceBlocks(source: string, reading: "whole" | "telling"): SourceBlock[] {
  const reader = new BlockReader(reading === "whole");
  let speaker = "";
  let start = 0;
  for (const match of source.matchAll(HEADER)) {
    reader.read(speaker, start, source.slice(start, match.index));
    speaker = match[1] ?? "";
    // The header belongs to its block, because its time counts as known to the summary.
    start = match.index;
  }
  reader.read(speaker, start, source.slice(start));
  return reader.blocks;
}

class BlockReader {
  readonly blocks: SourceBlock[] = [];
  readonly #known: KnownTokens = new Map();
  readonly #isWhole: boolean;
  #start = 0;

  constructor(isWhole: boolean) {
    this.#isWhole = isWhole;
  }

  /** An agent's text precedes its calls; a person's pasted text is mixed with their own. */
  read(speaker: string, start: number, text: string): void {
    this.#start = start;
    const call = speaker === "assistant" ? text.search(CALL) : -1;
    const spoken = call < 0 ? text : text.slice(0, call);
    const isNote = spoken.startsWith(HOST_NOTE, spoken.indexOf("\n") + 1);
    if (speaker === "user" && !isNote) this.#addSpoken(spoken);
    else this.#add(isNote ? "system" : speaker, spoken);
    if (call >= 0) this.#add("call", this.#isWhole ? text.slice(call) : objectsOf(text.slice(call)));
  }

  /** Skills and project instructions that a host sends are not the person's; pasted text and rows of a table count as printed. */
  #addSpoken(text: string): void {
    const start = text.indexOf("\n") + 1;
    const given = text.slice(start);
    const own = withoutHostText(given);
    this.#add("system", given.slice(0, given.length - own.length));
    const lines = own.split("\n");
    const said = withoutPasted(own).split("\n");
    const isSaid = (line: string, place: number) => line === "" || (line === said[place] && isReadable(line));
    const data = lines.filter((line, place) => !isSaid(line, place));
    this.#add("user", text.slice(0, start) + (data.length === 0 ? own : lines.filter(isSaid).join("\n")));
    this.#add("tool", data.join("\n"));
  }

  #add(speaker: string, text: string): void {
    if (text === "") return;
    const own = this.#isWhole || !text.includes(" characters ") ? text : text.replace(OUR_MARKS, "");
    const read = speaker === "tool" && !this.#isWhole ? ends(withoutAround(own)) : own;
    this.blocks.push({ speaker, start: this.#start, text: read, anchors: literalAnchors(read, this.#known) });
  }
}

const FIGURE = /, (?!cmd: |command: )[a-z]\w*: (?:-?\d[\d.]*|true|false|null)(?=[,)])/g;
const NAME = /(^tool [\w.:-]{1,80}\(|, )(?!cmd: |command: )[a-z]\w*: /gm;

/** What calls are about: without the names of their arguments, and without figures such as limits of time and size. */
function objectsOf(calls: string): string {
  return calls.replace(FIGURE, "").replace(NAME, "$1").replace(/\)$/gm, "");
}

function withoutAround(printed: string): string {
  return printed
    .split("\n")
    .filter((line) => !AROUND.test(line))
    .join("\n");
}

/** Cut at a space if possible, so that no word is split. */
function ends(text: string): string {
  if (text.length <= PRINTED_HEAD + PRINTED_END) return text;
  const head = text.slice(0, PRINTED_HEAD);
  const tail = text.slice(-PRINTED_END);
  const end = Math.max(head.lastIndexOf(" "), head.lastIndexOf("\n"));
  return `${end < 0 ? head : head.slice(0, end)}\n${tail.slice(Math.max(0, tail.search(/\s/)))}`;
}
