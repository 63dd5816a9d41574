/**
 * An operation, defined once: name, input, output and `run`. Interfaces (command
 * line, MCP, HTTP) translate to and from these and add no behaviour.
 */
import type { z } from "zod";
import type { Engine } from "../engine.ts";
import type { PalimpsestError } from "../errors.ts";
import type { Aliases } from "./aliases.ts";
import type { Command } from "./command.ts";

export interface Operation<Input, Output, Progress = Steps, On = Engine> {
  /** Words in kebab-case, the same in every interface. */
  readonly name: string;
  /** One sentence for people and for models. */
  readonly summary: string;
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<Output>;
  /** The command for people. */
  readonly command: Command<Input, Output, Progress, On>;
  /** Set if models may call it. The tool only reads, unless `writes` is set. */
  readonly tool?: Tool<Input, Output>;
  /** Runs on an open engine by default; `setup` operations also work if no engine can be opened. */
  readonly runsOn?: "setup";
  /** Creates a missing store. All other operations fail then, so that a wrong path creates nothing. */
  readonly makesStore?: true;
  /** It only reads, and can work with the readable part of a damaged store. */
  readonly readsDamaged?: true;
  /** For one that creates a store: why there is nothing to store. No store is created then. */
  whyNothing?(input: Input): Promise<PalimpsestError | null>;
  run(on: On, input: Input, use: Use<Progress>): Promise<Output>;
}

/** An operation as a tool for models. */
export interface Tool<Input, Output> {
  /** `lcm_…` for conversations, `memory_…` for memories. */
  readonly name: string;
  /**
   * How it changes stored data. Omitted: no relevant change. `adds`: adds new data. `changes`:
   * changes data in a way that can be undone. `erases`: can remove data permanently on request.
   */
  readonly writes?: "adds" | "changes" | "erases";
  /** Sub-agents may use it. It only reads, and starts no sub-agents itself. */
  readonly isDelegated?: true;
  /** When to use it and how, in a few sentences. */
  readonly description: string;
  /** Defaults for models, so that results fit their context. */
  readonly defaults?: Partial<Input>;
  /** Fixed input of the tool, which models cannot see or change. */
  readonly sets?: Partial<Input>;
  /** Other argument names, which are accepted but not shown. */
  readonly aliases?: Aliases;
  /** The tool as shown to models, if it depends on the engine's abilities. Default: always the same. */
  shownTo?(abilities: Abilities, shown: ShownTool): ShownTool;
  /** The text for the model. Conversation text in it is quoted, so that it cannot be mistaken for our text. */
  text(output: Output, input: Input): string;
}

/** The abilities that decide which inputs a tool offers. */
export interface Abilities {
  /** The mode `hybrid` works. */
  readonly searchesByMeaning: boolean;
}

export interface ShownTool {
  readonly description: string;
  readonly input: z.ZodType<object>;
}

/** Options of a run that the caller provides. */
export interface Use<Progress = Steps> {
  /** Stops the run between two steps; stored data is kept. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: Progress) => void;
  /** The calling session, if known, for operations that a session may run only once at a time. */
  readonly origin?: string;
}

/** The progress of a run. */
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
