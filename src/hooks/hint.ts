/**
 * A short hint for a prompt about earlier work: matching messages of other sessions, and relevant memories. A
 * prompt that only shares a common word gets none.
 */
import type { GrepHit } from "../context/retrieve/grep-messages.ts";
import { type Engine, internalsOf } from "../engine.ts";
import { fence } from "../message/own-text.ts";
import { SAID } from "../operations/model-text.ts";
import { questionWords } from "../search/question-words.ts";
import { quoteText } from "../text/quote-text.ts";
import { collapseSpaces } from "../text/spaces.ts";

/** Prompts that hosts write themselves, and commands. */
const NOT_ASKED = /^\s*(?:<task-notification|<local-command|<command-|\/\w)/;
/** Each further word delays the prompt; the longest words are the most specific. */
const MOST_WORDS = 6;
const MOST_HITS = 3;
const SEARCHED_HITS = 8;
const SNIPPET = 240;
const MEMORY_TOKENS = 400;
/** Minimum shared words, or half of the words of a short prompt. */
const SHARED_WORDS = 3;
/** A name, a number or a path is more specific than a word. */
const TELLING = /(?=.{5})(?:\p{L}.*\d|\d.*\p{L}|\d{4}|[\p{L}\d]+[._/:-][\p{L}\d])/u;

export interface HintSession {
  /** The folder of the session; null when it is unknown. */
  readonly project: string | null;
  /** Messages of this session that the model still sees need no hint. */
  readonly inView: (hit: Pick<GrepHit, "conversation" | "seq">) => boolean;
}

export async function hintFor(
  engine: Engine,
  prompt: string,
  { project, inView }: HintSession,
): Promise<string | null> {
  if (NOT_ASKED.test(prompt)) return null;
  const words = wordsOf(prompt);
  const [said, recalled] = await Promise.all([
    words.length === 0 ? [] : saidBefore(engine, words, inView),
    recalledFor(engine, prompt, project),
  ]);
  const blocks = [...(recalled === null ? [] : [recalled.text]), ...(said.length === 0 ? [] : [found(said)])];
  return blocks.length === 0
    ? null
    : fence("earlier work that may matter for this prompt", blocks.join("\n\n"));
}

function wordsOf(prompt: string): readonly string[] {
  const words = [...new Set(questionWords(prompt).toLowerCase().split(" "))].filter((word) => word !== "");
  const weight = (word: string) => word.length + (TELLING.test(word) ? 100 : 0);
  return words.toSorted((a, b) => weight(b) - weight(a)).slice(0, MOST_WORDS);
}

/** A store without memories returns immediately, without loading recall. */
async function recalledFor(engine: Engine, prompt: string, project: string | null) {
  if (!engine.config.autoRecall || prompt === "") return null;
  const { rows } = await engine.memory.list({ limit: 1 });
  if (rows.length === 0) return null;
  return internalsOf(engine).turnMemory.recallFor({
    prompt,
    maxTokens: MEMORY_TOKENS,
    project,
    byWords: true,
  });
}

async function saidBefore(
  engine: Engine,
  words: readonly string[],
  inView: HintSession["inView"],
): Promise<readonly GrepHit[]> {
  const { hits } = await engine.context.grep({
    pattern: words.join(" "),
    kinds: ["message"],
    limit: SEARCHED_HITS,
    snippetLength: SNIPPET,
  });
  return hits.filter((hit) => !inView(hit) && touches(words, hit.snippet.text)).slice(0, MOST_HITS);
}

function touches(words: readonly string[], text: string): boolean {
  const lower = text.toLowerCase();
  const shared = words.filter((word) => lower.includes(word));
  if (shared.some((word) => TELLING.test(word))) return true;
  return shared.length >= 2 && shared.length >= Math.min(SHARED_WORDS, Math.ceil(words.length / 2));
}

function found(hits: readonly GrepHit[]): string {
  const lines = hits.map(
    ({ id, role, createdAt, snippet }) =>
      `${id} (${role}, ${createdAt.slice(0, 10)})\n${quoteText(collapseSpaces(snippet.text))}`,
  );
  return [
    `Earlier messages that share words with this prompt; lcm_read opens one by its id. ${SAID}`,
    ...lines,
  ].join("\n");
}
