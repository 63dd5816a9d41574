/** A delegated question on an engine: its models, its grants, and the operations that a sub-agent may run. */
import { answerQuestion, type Question } from "../context/delegate/answer-question.ts";
import type { DelegatedAnswer } from "../context/delegate/delegated-answer.ts";
import type { Grant } from "../context/delegate/grants.ts";
import type { Engine } from "../engine.ts";
import { delegatedTools } from "./delegated-tools.ts";

export async function askQuestion(engine: Engine, question: Question): Promise<DelegatedAnswer> {
  // The list holds the operation that asks, so it cannot be there before it.
  const { OPERATIONS } = await import("./index.ts");
  const under = (grant: Grant) => {
    const limited = engine.under(grant);
    // The end of the grant also stops a search that goes on.
    const stop = AbortSignal.any([
      grant.revoked,
      ...(question.signal === undefined ? [] : [question.signal]),
    ]);
    return { context: limited.context, tools: delegatedTools(OPERATIONS, limited, stop) };
  };
  const { context, grants, runAgent, config: settings, countTokens, wait } = engine;
  const answer = await answerQuestion(question, {
    context,
    grants,
    runAgent,
    under,
    settings,
    countTokens,
    wait,
  });
  const { method, failure, model, steps, tokensRead: tokens_read } = answer;
  engine.log.info({ method, failure: failure?.code ?? null, model, steps, tokens_read }, "question answered");
  return answer;
}
