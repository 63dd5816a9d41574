/**
 * A sub-agent answers a question: it gets a grant and the reading tools, calls them within its limits, and its
 * answer is returned with checked sources. The grant ends with the run, however the run ends. Failures of a model
 * are returned in the answer, not thrown, together with what was found without a model.
 */
import type { z } from "zod";
import { isPalimpsestError } from "../../errors.ts";
import type { AgentResult, AgentTool, RunAgent } from "../../model/agent.ts";
import type { Embedder } from "../../model/embed/embedder.ts";
import { delegatedQuestionPrompt } from "../../prompts/delegated-question.ts";
import { questionWords } from "../../search/question-words.ts";
import type { ScopedStore } from "../../store/store.ts";
import { cutToTokens } from "../../text/cut-to-tokens.ts";
import type { CountTokens } from "../../text/estimate-tokens.ts";
import type { Context } from "../context.ts";
import type { askInput } from "../inputs.ts";
import { cite } from "../read/cite.ts";
import { requireInput } from "../require-input.ts";
import {
  type AskFailure,
  type AskResult,
  DEFAULT_ANSWER_TOKENS,
  failureOf,
  isFinal,
  NOTHING,
  unanswered,
} from "./ask-result.ts";
import { checkCitations } from "./check-citations.ts";
import { chooseReach, type Reach } from "./choose-reach.ts";
import { GrantedTools, type ToolCall } from "./granted-tools.ts";
import type { Grant, Grants } from "./grants.ts";
import { quoteEvidence } from "./quote-evidence.ts";
import { runWithin } from "./run-within.ts";

export interface AskInput extends Omit<z.input<typeof askInput>, "summaryIds"> {
  readonly summaryIds?: readonly string[];
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (call: ToolCall) => void;
}

interface AskDependencies {
  readonly context: Context;
  readonly store: ScopedStore;
  /** Null for a sub-agent, which cannot start another one. */
  readonly grants: Grants | null;
  /** Null: the answer is extractive. */
  readonly runAgent: RunAgent | null;
  /** What the holder of a grant can access. */
  readonly under: (grant: Grant) => {
    readonly context: Context;
    readonly store: ScopedStore;
    readonly tools: readonly AgentTool[];
  };
  readonly settings: {
    readonly delegationTokenCap: number;
    readonly delegationTimeoutMs: number;
    readonly delegationMaxSteps: number;
  };
  /** Of the local model only: nothing leaves the machine. Null if it is off. */
  readonly embedder: Embedder | null;
  readonly countTokens: CountTokens;
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** A grant outlives the longest run by this time, in case it is never revoked. */
const GRACE_MS = 30_000;
/** Tokens that a model may write besides its answer in one step: thinking, and the arguments of tools. */
const BESIDE_ANSWER = 2_000;
const FIRST_HITS = 8;

export async function ask(question: AskInput, use: AskDependencies): Promise<AskResult> {
  requireInput("ask", question);
  const tokenCap = question.tokenCap ?? use.settings.delegationTokenCap;
  const { grants } = use;
  if (grants === null) return { ...unanswered("recursion"), tokenCap };
  try {
    return await answerUnderGrant(question, tokenCap, grants, use);
  } catch (error) {
    if (question.signal?.aborted !== true) throw error;
    return { ...unanswered("cancelled"), tokenCap };
  }
}

async function answerUnderGrant(
  question: AskInput,
  tokenCap: number,
  grants: Grants,
  use: AskDependencies,
): Promise<AskResult> {
  const timeoutMs = question.timeoutMs ?? use.settings.delegationTimeoutMs;
  const reach = await chooseReach(question, use);
  await catchUp(use.context, question.signal);
  const conversations = [...reach.conversations];
  const origin = question.origin ?? conversations.toSorted().join(" ");
  const grant = grants.issue({ origin, conversations, tokenCap, ttlMs: timeoutMs + GRACE_MS });
  if (grant === null) return { ...unanswered("busy"), conversations, tokenCap };
  try {
    return await new Asking(question, reach, grant, timeoutMs, use).answer();
  } finally {
    grants.revoke(grant.id);
  }
}

/** Indexes pending messages first, because searches under a grant write nothing and would repeat the work each time. */
async function catchUp(context: Context, signal: AbortSignal | undefined): Promise<void> {
  try {
    await context.index.build(signal === undefined ? {} : { signal });
  } catch (error) {
    if (!isPalimpsestError(error, "store-readonly") && !isPalimpsestError(error, "busy")) throw error;
  }
}

class Asking {
  readonly #question: AskInput;
  readonly #reach: Reach;
  readonly #grant: Grant;
  readonly #timeoutMs: number;
  readonly #use: AskDependencies;
  readonly #context: Context;
  readonly #store: ScopedStore;
  readonly #tools: GrantedTools;
  readonly #maxTokens: number;

  constructor(question: AskInput, reach: Reach, grant: Grant, timeoutMs: number, use: AskDependencies) {
    this.#question = question;
    this.#reach = reach;
    this.#grant = grant;
    this.#timeoutMs = timeoutMs;
    this.#use = use;
    const { context, store, tools } = use.under(grant);
    this.#context = context;
    this.#store = store;
    this.#tools = new GrantedTools(tools, grant, {
      countTokens: use.countTokens,
      onCall: (call) => question.onProgress?.(call),
    });
    this.#maxTokens = question.maxTokens ?? DEFAULT_ANSWER_TOKENS;
  }

  async answer(): Promise<AskResult> {
    const { runAgent } = this.#use;
    if (runAgent === null || this.#reach.conversations.size === 0) return this.#extract(null);
    const end = await runWithin((signal) => this.#run(runAgent, signal), {
      timeoutMs: this.#timeoutMs,
      wait: this.#use.wait,
      grant: this.#grant,
      failed: this.#tools.failed,
      signal: this.#question.signal,
    });
    const failure = failureOf(end, this.#tools.isUsedUp);
    if (failure === null && end.type === "answered") return this.#checked(end.result);
    return failure !== null && isFinal(failure) ? this.#ended(failure) : this.#extract(failure);
  }

  async #run(runAgent: RunAgent, signal: AbortSignal): Promise<AgentResult> {
    const { system, prompt } = delegatedQuestionPrompt({
      question: this.#question.prompt,
      tools: this.#tools.tools.map(({ name }) => name),
      summaryIds: this.#reach.summaries.map(({ id }) => id),
      firstFindings: await this.#search(),
      maxTokens: this.#maxTokens,
      tokenCap: this.#grant.tokensLeft,
    });
    return runAgent({
      purpose: "expansion",
      system,
      prompt,
      tools: this.#tools.tools,
      maxSteps: this.#use.settings.delegationMaxSteps,
      maxTokens: this.#maxTokens + BESIDE_ANSWER,
      mayCallTools: () => !this.#tools.isUsedUp,
      signal,
    });
  }

  /** The search that every run begins with. */
  async #search(): Promise<string> {
    const pattern = this.#question.query ?? questionWords(this.#question.prompt);
    if (pattern === "") return "";
    return (await this.#tools.call("lcm_grep", { pattern, limit: FIRST_HITS })) ?? "";
  }

  async #checked({ text, model, steps, finish }: AgentResult): Promise<AskResult> {
    const short = cutToTokens(text, this.#maxTokens, this.#use.countTokens);
    const checked = await checkCitations(short, {
      seen: this.#tools.seen,
      cite: (ids) => cite(this.#store, ids),
    });
    return {
      ...this.#facts(),
      method: "model",
      answer: checked.text,
      failure: null,
      citations: checked.citations,
      removedCitations: checked.removed,
      truncated: finish === "length" || short.length < text.length,
      steps,
      model,
    };
  }

  async #extract(failure: AskFailure | null): Promise<AskResult> {
    const { prompt, query = null, signal } = this.#question;
    const { text, ...evidence } = await quoteEvidence(
      this.#context,
      {
        everything: this.#use.context,
        embedder: this.#use.embedder,
        prompt,
        query,
        summaries: this.#reach.summaries,
        maxTokens: Math.min(this.#maxTokens, this.#grant.tokenCap),
        ...(signal === undefined ? {} : { signal }),
      },
      this.#use.countTokens,
    );
    return { ...this.#facts(), ...evidence, method: "extractive", answer: text, failure };
  }

  #ended(failure: AskFailure): AskResult {
    return { ...this.#facts(), method: "none", answer: "", failure };
  }

  #facts() {
    return {
      ...NOTHING,
      conversations: [...this.#reach.conversations],
      tokenCap: this.#grant.tokenCap,
      tokensRead: this.#grant.tokensSpent,
    };
  }
}
