/** A delegated question on an engine: its models, its grants, and the operations that a sub-agent may run. */

import { z } from "zod";
import { answerQuestion, type Question } from "../../context/delegate/answer-question.ts";
import type { DelegatedAnswer } from "../../context/delegate/delegated-answer.ts";
import type { Grant } from "../../context/delegate/grants.ts";
import type { Engine } from "../../engine.ts";
import type { AgentTool } from "../../model/agent.ts";
import type { Operation } from "../operation.ts";
import { isTool, runToolForText, shownTool } from "../run-tool.ts";

export async function askQuestion(engine: Engine, question: Question): Promise<DelegatedAnswer> {
  // The list holds the operation that asks, so it cannot be there before it.
  const { OPERATIONS } = await import("../index.ts");
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

/** The tools of a sub-agent: operations that read, run on an engine for which only the grant's conversations exist. */
function delegatedTools(
  operations: readonly Operation<object, unknown, unknown>[],
  engine: Engine,
  signal: AbortSignal,
): readonly AgentTool[] {
  return operations.flatMap((operation) => {
    if (!isTool(operation) || operation.tool.isDelegated !== true) return [];
    const run = (input: unknown) => runToolForText(operation, engine, Object(input), { signal });
    const { description, input } = shownTool(operation, engine);
    return [{ name: operation.tool.name, description, input: z.toJSONSchema(input, { io: "input" }), run }];
  });
}
