/**
 * Counts the templates of a log in bounded memory: lines with the same number of words and the same first word
 * that differ in few positions share one template, in which these positions are masked.
 */
import { MASK } from "./mask-line.ts";

export interface Template {
  tokens: string[];
  count: number;
  /** Line of the first occurrence. */
  readonly line: number;
}

const MOST_KEYS = 10_000;
const MOST_IN_GROUP = 24;
const MOST_GROUPS = 2_000;
/** After this many unmatched lines, only exact matches are counted. */
const MOST_OTHERS = 5_000;
/** Share of equal words, ignoring masks, from which two lines share a template. */
const ALIKE = 0.75;

export class TemplateTable {
  readonly templates: Template[] = [];
  /** Lines without a template. */
  others = 0;
  readonly #byKey = new Map<string, Template>();
  readonly #groups = new Map<string, Template[]>();

  /** The template of a line; null if there are too many. */
  add(tokens: string[], line: number): Template | null {
    const key = tokens.join(" ");
    const template = this.#byKey.get(key) ?? this.#place(tokens, key, line);
    if (template === null) this.others++;
    else template.count++;
    return template;
  }

  #place(tokens: string[], key: string, line: number): Template | null {
    const group = this.others < MOST_OTHERS ? this.#group(tokens) : null;
    if (group === null) return null;
    const near = group.find((template) => similarity(template.tokens, tokens) >= ALIKE);
    const template = near ?? (group.length < MOST_IN_GROUP ? this.#create(tokens, group, line) : null);
    if (near !== undefined) near.tokens = near.tokens.map((token, i) => (token === tokens[i] ? token : MASK));
    if (template !== null && this.#byKey.size < MOST_KEYS) this.#byKey.set(key, template);
    return template;
  }

  #group(tokens: readonly string[]): Template[] | null {
    const name = `${tokens.length} ${tokens[0] ?? ""}`;
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    if (this.#groups.size >= MOST_GROUPS) return null;
    const made: Template[] = [];
    this.#groups.set(name, made);
    return made;
  }

  #create(tokens: string[], group: Template[], line: number): Template {
    const template = { tokens, count: 0, line };
    group.push(template);
    this.templates.push(template);
    return template;
  }
}

/** Lines of two modules are never similar. */
function similarity(a: readonly string[], b: readonly string[]): number {
  let [same, words] = [0, 0];
  for (let i = 0; i < a.length; i++) {
    if (a[i] === MASK && b[i] === MASK) continue;
    words++;
    if (a[i] === b[i]) same++;
    else if (isModule(a[i]) || isModule(b[i])) return 0;
  }
  return words === 0 ? 1 : same / words;
}

function isModule(token = ""): boolean {
  return /\w[.:]\w+[.:]\w/.test(token);
}
