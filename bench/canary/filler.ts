/** Turns of everyday work around the facts: requests, tool calls, their output, answers. Seeded, and never the same twice. */
import type { AgentBlock, AgentMessage } from "../standard-workload.ts";

export type Random = () => number;

/** A small generator (mulberry32): the same seed gives the same conversation everywhere. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const PARTS =
  "booking gate sailing manifest ramp ticket tariff gauge roster waiting-list refund boarding".split(" ");
const THINGS = "handler query report cache importer form job test migration index".split(" ");
const VERBS = "check rewrite simplify extend measure explain rename split document reproduce".split(" ");
const REASONS = [
  "because the crew on the late shift finds it confusing",
  "since the numbers on the dashboard did not add up yesterday",
  "before the school holidays start",
  "as the last review asked for it",
  "because two people have stumbled over it this week",
  "so that the next change is easier",
];
const FINDINGS = [
  "the loop reads the same rows again for every passenger",
  "an empty list is treated like a missing one",
  "the lock is held while mail is being sent",
  "the order of the results depends on the database",
  "the old name is still used in two places",
  "nothing was wrong with it after all, only the label",
  "the test passed for the wrong reason",
];
const OUTCOMES = [
  "All tests pass again.",
  "I left the rest as it was.",
  "The change is small and can be taken back.",
  "There is one warning left, which was there before.",
  "It is about a third faster on my machine.",
  "Nothing else needed to change.",
];

export class Filler {
  readonly #random: Random;
  #calls = 0;
  #minutes = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  pick<Item>(list: readonly Item[]): Item {
    const item = list[this.int(0, list.length - 1)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }

  int(least: number, most: number): number {
    return least + Math.floor(this.#random() * (most - least + 1));
  }

  user(sentence: string | null): AgentMessage {
    const [part, thing] = [this.pick(PARTS), this.pick(THINGS)];
    const request = `Could you ${this.pick(VERBS)} the ${part} ${thing} ${this.pick(REASONS)}?`;
    const more = `I had a look at ${this.#file()} and think that ${this.pick(FINDINGS)}, but I may be mistaken.`;
    return this.#message("user", [text([request, more, sentence].filter((line) => line !== null).join(" "))]);
  }

  /** A call and its result; a planted sentence is one line of the output. */
  tool(sentence: string | null): [AgentMessage, AgentMessage] {
    const toolCallId = `call_${String(++this.#calls).padStart(5, "0")}`;
    const { name, args } = this.#call();
    const lines = Array.from({ length: this.int(6, 26) }, () => this.#outputLine());
    if (sentence !== null) lines.splice(this.int(1, lines.length - 1), 0, sentence);
    const intent = `I will look at the ${this.pick(PARTS)} ${this.pick(THINGS)} first.`;
    return [
      this.#message("assistant", [text(intent), { type: "toolCall", id: toolCallId, name, arguments: args }]),
      { ...this.#message("toolResult", [text(lines.join("\n"))]), toolCallId, toolName: name },
    ];
  }

  answer(sentence: string | null): AgentMessage {
    const found = `In ${this.#file()} I found that ${this.pick(FINDINGS)}.`;
    const did = `I changed the ${this.pick(PARTS)} ${this.pick(THINGS)} accordingly and ran its ${this.int(4, 90)} tests.`;
    return this.#message("assistant", [
      text([found, sentence, did, this.pick(OUTCOMES)].filter((line) => line !== null).join(" ")),
    ]);
  }

  #call(): { readonly name: string; readonly args: object } {
    return this.pick([
      { name: "Read", args: { path: this.#file() } },
      { name: "Bash", args: { command: `grep -n ${this.pick(PARTS)} ${this.#file()}` } },
      { name: "Bash", args: { command: `npm test -- ${this.pick(PARTS)}` } },
      {
        name: "Query",
        args: { sql: `SELECT id, state FROM ${this.pick(PARTS)}_log LIMIT ${this.int(5, 50)}` },
      },
    ]);
  }

  #outputLine(): string {
    const [part, thing] = [this.pick(PARTS), this.pick(THINGS)];
    return this.pick([
      `${this.int(1, 900)}:  const ${part.replace("-", "_")} = await ${thing}.load(${this.int(1, 9_999)});`,
      `ok ${this.int(1, 400)} - ${part} ${thing} (${this.int(1, 80)} ms)`,
      `INFO ${part}: ${thing} finished, ${this.int(1, 5_000)} rows`,
      `WARN ${part}: ${thing} was slow, ${this.int(200, 900)} ms`,
      `| ${this.int(10_000, 99_999)} | ${part} | ${this.pick(["open", "closed", "waiting"])} |`,
    ]);
  }

  #file(): string {
    return `src/${this.pick(PARTS)}/${this.pick(THINGS)}-${this.int(1, 60)}.ts`;
  }

  #message(role: AgentMessage["role"], content: readonly AgentBlock[]): AgentMessage {
    this.#minutes += this.int(1, 3);
    return { role, content, timestamp: Date.UTC(2031, 2, 3, 8, this.#minutes) };
  }
}

function text(value: string): AgentBlock {
  return { type: "text", text: value };
}
