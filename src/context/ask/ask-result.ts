/** The result of a delegated question: an answer with its sources, or the reason why there is none. */
import { isPalimpsestError, messageOf } from "../../errors.ts";
import type { AgentResult } from "../../model/agent.ts";
import type { Citation } from "../read/cite.ts";
import type { RemovedCitation } from "./check-citations.ts";
import type { RunEnd } from "./run-within.ts";

export const FAILURE_CODES = [
  "busy",
  "recursion",
  "timeout",
  "cancelled",
  "expired",
  "revoked",
  "model-failed",
  "empty-reply",
  "refused",
  "over-budget",
] as const;
type AskFailureCode = (typeof FAILURE_CODES)[number];

export interface AskFailure {
  readonly code: AskFailureCode;
  readonly message: string;
  readonly advice: string;
}

export interface AskResult {
  /** `none`: no answer; `failure` gives the reason. */
  readonly method: "model" | "extractive" | "none";
  readonly answer: string;
  /** Why no model answered, although one is configured. */
  readonly failure: AskFailure | null;
  readonly citations: readonly Citation[];
  readonly removedCitations: readonly RemovedCitation[];
  /** Whether the answer was cut at its token limit, or more was found than fits. */
  readonly truncated: boolean;
  readonly conversations: readonly string[];
  readonly tokenCap: number;
  readonly tokensRead: number;
  readonly steps: number;
  readonly model: string | null;
}

/** The limit of an answer if the caller sets none. */
export const DEFAULT_ANSWER_TOKENS = 2_000;

export const NOTHING = {
  citations: [],
  removedCitations: [],
  truncated: false,
  conversations: [],
  tokensRead: 0,
  steps: 0,
  model: null,
} as const;

const FAILURES: Readonly<Record<Exclude<AskFailureCode, "model-failed">, readonly [string, string]>> = {
  busy: [
    "another question from this session is being answered",
    "Wait for its answer, or ask both in one question.",
  ],
  recursion: [
    "a sub-agent cannot ask another sub-agent",
    "Use the reading tools, such as lcm_grep and lcm_expand.",
  ],
  timeout: ["the question timed out", "Ask a narrower question or allow more time."],
  cancelled: ["the question was cancelled", "Ask again."],
  expired: ["the grant expired while the question was being answered", "Ask again."],
  revoked: ["the grant was revoked while the question was being answered", "Ask again."],
  "empty-reply": [
    "the model gave no answer",
    "Ask again, or choose a more capable model with expansionModel.",
  ],
  refused: ["the model refused, or a filter stopped its answer", "Rephrase the question."],
  "over-budget": [
    "the token limit was reached before there was an answer",
    "Ask a narrower question or raise the token limit.",
  ],
};

function failure(code: Exclude<AskFailureCode, "model-failed">): AskFailure {
  const [message, advice] = FAILURES[code];
  return { code, message, advice };
}

export function unanswered(code: "busy" | "recursion" | "cancelled"): Omit<AskResult, "tokenCap"> {
  return { ...NOTHING, method: "none", answer: "", failure: failure(code) };
}

/** After these failures nothing is searched any more. */
export function isFinal({ code }: AskFailure): boolean {
  return code === "cancelled" || code === "expired" || code === "revoked";
}

/** Null if there is an answer. Throws errors that are not failures of a model. */
export function failureOf(end: RunEnd<AgentResult>, isUsedUp: boolean): AskFailure | null {
  switch (end.type) {
    case "answered":
      return replyFailure(end.result, isUsedUp);
    case "failed":
      return modelFailure(end.error);
    default:
      return failure(end.type);
  }
}

function replyFailure({ text, finish }: AgentResult, isUsedUp: boolean): AskFailure | null {
  if (finish === "other") return failure("refused");
  if (text.trim() !== "") return null;
  return failure(isUsedUp ? "over-budget" : "empty-reply");
}

const OF_MODELS = ["model-authentication", "model-unavailable", "model-limit"] as const;

function modelFailure(error: unknown): AskFailure {
  if (!isPalimpsestError(error) || !OF_MODELS.some((code) => code === error.code)) throw error;
  const advice = error.advice ?? "Try again later, or choose another model with expansionModel.";
  return { code: "model-failed", message: messageOf(error).replace(/\.$/, ""), advice };
}
