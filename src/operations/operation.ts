/**
 * What a caller can do, defined once: a name, what goes in, what comes out, and how it is run. Faces (command
 * line, MCP, HTTP) translate to and from these and add nothing of their own.
 */
import type { z } from "zod";
import type { Engine } from "../engine.ts";
import type { PalimpsestError } from "../errors.ts";
import type { Aliases } from "./aliases.ts";
import type { Command } from "./command.ts";

export interface Operation<Input, Output, Progress = Steps, On = Engine> {
  /** Words in kebab-case, the same in every face. */
  readonly name: string;
  /** One sentence for people and for models. */
  readonly summary: string;
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<Output>;
  /** A person calls it. */
  readonly command: Command<Input, Output, Progress, On>;
  /** Given: a model may call it. What it does this way only reads, unless the tool says how it writes. */
  readonly tool?: Tool<Input, Output>;
  /** What it runs on: an open engine, or the place where one could be opened, so that it answers also when none can. */
  readonly runsOn?: "setup";
  /** Makes a store where there is none yet. Every other operation refuses then, so that a slip makes nothing. */
  readonly makesStore?: true;
  /** It only reads, and what can be read of a store that is too damaged to be opened is enough for it. */
  readonly readsDamaged?: true;
  /** For one that makes a store: why this input gives nothing to put into it. None is made then. */
  whyNothing?(input: Input): Promise<PalimpsestError | null>;
  run(on: On, input: Input, use: Use<Progress>): Promise<Output>;
}

/** An operation as models see it. */
export interface Tool<Input, Output> {
  /** `lcm_…` for what was said, `memory_…` for what is worth keeping. */
  readonly name: string;
  /**
   * What it does to what is kept. Left out: nothing that anybody could miss. `adds`: something new beside it. `changes`:
   * what is there, which can be brought back. `erases`: what is gone then, if it is asked to.
   */
  readonly writes?: "adds" | "changes" | "erases";
  /** A sub-agent that looks something up may use it. It only reads, and starts no sub-agents itself. */
  readonly isDelegated?: true;
  /** When to use it and how, in a few sentences. */
  readonly description: string;
  /** What a model gets when it does not say otherwise: answers that its context has room for. */
  readonly defaults?: Partial<Input>;
  /** What the tool says by itself: models neither see it nor say otherwise. */
  readonly sets?: Partial<Input>;
  /** Other names for what it takes, which are understood and not shown. */
  readonly aliases?: Aliases;
  /** What is shown to models, where that depends on what the engine can do. Default: the same to all. */
  shownTo?(abilities: Abilities, shown: ShownTool): ShownTool;
  /** What the model reads. What was said stands quoted in it, so that it cannot pass for our own words. */
  text(output: Output, input: Input): string;
}

/** What decides which inputs a tool offers. */
export interface Abilities {
  /** The mode `hybrid` works. */
  readonly searchesByMeaning: boolean;
}

export interface ShownTool {
  readonly description: string;
  readonly input: z.ZodType<object>;
}

/** What the caller lends to a run. */
export interface Use<Progress = Steps> {
  /** Stops the run between two steps; what was stored until then stays. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: Progress) => void;
  /** The session that asks, where the caller knows it: for what each may do only once at a time. */
  readonly origin?: string;
}

/** How far a run has come. */
export interface Steps {
  readonly done: number;
  readonly unit: "messages" | "rows" | "memories";
}

/** Keeps the types of the schemas, so that `run` is checked against them. */
export function defineOperation<Input, Output, Progress = Steps, On = Engine>(
  operation: Operation<Input, Output, Progress, On>,
): Operation<Input, Output, Progress, On> {
  return operation;
}
