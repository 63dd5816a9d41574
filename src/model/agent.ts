/**
 * A model that may call tools before it answers. A host that can run one passes its own function; `open-agent.ts`
 * creates one from the configuration.
 *
 * The loop is bounded by `maxSteps` and by `signal`. Tool results go to the model unchanged: tools must check their
 * input, and what the model may see. It throws the same errors as `Complete`.
 */
import type { Answered, Asked } from "./call.ts";

export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of its input. The input is not checked against it before `run`. */
  readonly input: object;
  /** Returns the text for the model. Never called twice at the same time. */
  run(input: unknown): Promise<string>;
}

export interface AgentRequest extends Asked {
  readonly system: string;
  readonly prompt: string;
  readonly tools: readonly AgentTool[];
  /** Maximum calls to the model; the last one has no tools. */
  readonly maxSteps: number;
  /** Maximum output tokens of one step. */
  readonly maxTokens: number;
  /** False once tools would return nothing more: the model must then answer. */
  readonly mayCallTools: () => boolean;
}

export interface AgentResult extends Answered {
  /** The last answer without the model's reasoning; empty when it only called tools. */
  readonly text: string;
  /** The model that answered, as `provider/model`. */
  readonly model: string;
  readonly steps: number;
}

export type RunAgent = (request: AgentRequest) => Promise<AgentResult>;
