/**
 * The tools of a sub-agent under a grant. Their results count against the grant's tokens and are cut when these
 * run out. The ids of all shown items are recorded, so that the answer can be checked against them.
 */
import { isPalimpsestError } from "../../errors.ts";
import type { AgentTool } from "../../model/agent.ts";
import { count } from "../../text/counted.ts";
import { cutToTokens } from "../../text/cut-to-tokens.ts";
import type { CountTokens } from "../../text/estimate-tokens.ts";
import { idsQuoted } from "./check-citations.ts";
import type { Grant } from "./grants.ts";

export interface ToolCall {
  readonly tool: string;
  /** Tokens of its results. */
  readonly tokens: number;
  /** Tokens of all results so far. */
  readonly done: number;
  readonly unit: "tokens read";
}

/** A single result takes at most half of the remaining tokens, unless few remain. */
const LITTLE = 1_000;
/** Room for the note at the end of a truncated result. */
const NOTE_TOKENS = 60;
/** Mistakes that the model can correct; any other error ends the run. */
const MISTAKES = ["invalid-input", "not-found", "not-supported", "conflict"] as const;

export class GrantedTools {
  readonly tools: readonly AgentTool[];
  /** Ids of the messages and summaries whose text the sub-agent was shown. */
  readonly seen = new Set<string>();
  readonly #grant: Grant;
  readonly #countTokens: CountTokens;
  readonly #onCall: (call: ToolCall) => void;
  readonly #failed = new AbortController();

  constructor(
    tools: readonly AgentTool[],
    grant: Grant,
    use: { readonly countTokens: CountTokens; readonly onCall: (call: ToolCall) => void },
  ) {
    this.#grant = grant;
    this.#countTokens = use.countTokens;
    this.#onCall = use.onCall;
    this.tools = tools.map((tool) => ({ ...tool, run: (input) => this.#run(tool, input) }));
  }

  /** Aborted with the cause when a tool failed for a reason that the model cannot correct. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  get isUsedUp(): boolean {
    return this.#grant.tokensLeft <= NOTE_TOKENS;
  }

  /** Runs a tool. Returns null if no tool has this name. */
  async call(name: string, input: object): Promise<string | null> {
    return (await this.tools.find((tool) => tool.name === name)?.run(input)) ?? null;
  }

  async #run(tool: AgentTool, input: unknown): Promise<string> {
    if (this.#grant.state !== "active")
      return `The grant is ${this.#grant.state}: no more reading is possible.`;
    if (this.isUsedUp) return "The token limit for reading is reached. Answer now from what you have read.";
    const told = this.#fit(await this.#answer(tool, input));
    const tokens = this.#countTokens(told);
    this.#grant.spend(tokens);
    for (const id of idsQuoted(told)) this.seen.add(id);
    this.#onCall({ tool: tool.name, tokens, done: this.#grant.tokensSpent, unit: "tokens read" });
    return told;
  }

  async #answer(tool: AgentTool, input: unknown): Promise<string> {
    try {
      return await tool.run(input);
    } catch (error) {
      if (MISTAKES.some((code) => isPalimpsestError(error, code)) && error instanceof Error)
        return `Error: ${error.message}`;
      this.#failed.abort(error);
      throw error;
    }
  }

  #fit(text: string): string {
    const left = this.#grant.tokensLeft;
    const most = left <= LITTLE ? left : Math.floor(left / 2);
    const tokens = this.#countTokens(text);
    if (tokens <= most) return text;
    const rest =
      left <= LITTLE ? "the token limit for reading is reached: answer now" : "ask for a smaller part";
    const note = `[Cut here: ${count(most)} of ${count(tokens)} tokens; ${rest}.]`;
    return `${cutToTokens(text, most - NOTE_TOKENS, this.#countTokens)}\n${note}`;
  }
}
