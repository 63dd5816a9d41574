/** A rendered source, cut back into who said what, with the anchors of each block. Read once, used by every check. */
import { type Anchor, literalAnchors } from "./anchors.ts";
import { HOST_NOTE } from "./render-part.ts";

export interface SourceBlock {
  /** A role, `summary`, `call` for the arguments of calls, or empty for text without a header. */
  readonly speaker: string;
  readonly text: string;
  /** Without sentences; one for each mention. */
  readonly anchors: readonly Anchor[];
}

const HEADER = /^\[[^\]\n|]{3,60} \| (\w+)\]$/gm;
const CALL = /^tool [\w.:-]{1,80}\(/m;

export function sourceBlocks(source: string): SourceBlock[] {
  const blocks: SourceBlock[] = [];
  let speaker = "";
  let start = 0;
  for (const match of source.matchAll(HEADER)) {
    addBlock(speaker, source.slice(start, match.index), blocks);
    speaker = match[1] ?? "";
    // The header stays with its block: its time is known to the summary.
    start = match.index;
  }
  addBlock(speaker, source.slice(start), blocks);
  return blocks;
}

/** What an agent says stands before the calls it makes. */
function addBlock(speaker: string, text: string, blocks: SourceBlock[]): void {
  const call = speaker === "assistant" ? text.search(CALL) : -1;
  const spoken = call < 0 ? text : text.slice(0, call);
  const isNote = spoken.startsWith(HOST_NOTE, spoken.indexOf("\n") + 1);
  if (spoken !== "")
    blocks.push({ speaker: isNote ? "system" : speaker, text: spoken, anchors: literalAnchors(spoken) });
  if (call >= 0)
    blocks.push({ speaker: "call", text: text.slice(call), anchors: literalAnchors(text.slice(call)) });
}
