/**
 * A model that may call tools before it answers. A host that can run one hands in its own function; `open-agent.ts`
 * makes one from the configuration.
 *
 * The loop is bounded by `maxSteps` and by `signal`. What a tool answers goes to the model as it is: checking what the
 * model asks for, and what it may be told, is the tool's work. It throws what `Complete` throws.
 */
import type { Answered, Asked } from "./call.ts";

export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of what it takes. The input is not checked against it before `run`. */
  readonly input: object;
  /** Answers with what the model reads. Never called twice at the same time. */
  run(input: unknown): Promise<string>;
}

export interface AgentRequest extends Asked {
  readonly system: string;
  readonly prompt: string;
  readonly tools: readonly AgentTool[];
  /** Most calls to the model; in the last one it may only answer. */
  readonly maxSteps: number;
  /** Most tokens that the model writes in one step. */
  readonly maxTokens: number;
  /** False from the moment on in which tools would say nothing more: the model is then asked to answer. */
  readonly mayCallTools: () => boolean;
}

export interface AgentResult extends Answered {
  /** The last answer without the model's reasoning; empty when it only called tools. */
  readonly text: string;
  /** Who answered, as `provider/model`. */
  readonly model: string;
  readonly steps: number;
}

export type RunAgent = (request: AgentRequest) => Promise<AgentResult>;
