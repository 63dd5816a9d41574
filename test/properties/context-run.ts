/** Does random actions to one conversation through the public interface, and remembers what was committed. */
import { isDeepStrictEqual } from "node:util";
import {
  type Complete,
  type Context,
  type Engine,
  isPalimpsestError,
  open,
  type Scope,
} from "../../src/index.ts";
import { ANSWER, outOfReach } from "../scripted-complete.ts";
import type { ContextAction, ContextSettings } from "./context-actions.ts";
import { findLosses } from "./losslessness.ts";
import { sayTurn, type TurnShape } from "./sayings.ts";

const MODELS: Readonly<Record<ContextSettings["model"], Complete | undefined>> = {
  none: undefined,
  terse: async () => ({ ...ANSWER, text: "They worked on the build. Expand for details about: the build." }),
  "out of reach": async () => {
    throw outOfReach();
  },
};

export class ContextRun {
  readonly committed = new Map<string, object>();
  /** The greatest depth of a summary that was published. */
  deepest = -1;
  readonly #store: string;
  readonly #scope: Scope;
  readonly #settings: ContextSettings;
  #engine: Engine;
  #context: Context;
  #turns = 0;
  #messages = 0;
  /** What was assembled since the last turn. */
  #assembled: readonly unknown[] | undefined;
  /** What the model saw, by the turn that was made from it. */
  readonly #seen = new Map<string, { readonly firstSeq: number; readonly messages: readonly unknown[] }>();

  private constructor(store: string, scope: Scope, settings: ContextSettings, engine: Engine) {
    this.#store = store;
    this.#scope = scope;
    this.#settings = settings;
    this.#engine = engine;
    this.#context = engine.contextOf(scope);
  }

  static async start(store: string, scope: Scope, settings: ContextSettings): Promise<ContextRun> {
    return new ContextRun(store, scope, settings, await openWith(store, settings));
  }

  async take(action: ContextAction): Promise<void> {
    if (action.do === "say")
      for (let time = 0; time < action.times; time++) await this.#say(this.#context, action.shape);
    else if (action.do === "open again") await this.#openAgain();
    else if (this.#messages > 0) await this.#change(action);
  }

  async losses(budgets?: readonly number[]): Promise<string[]> {
    if (this.#messages === 0) return [];
    const losses = await findLosses({
      store: this.#engine.store,
      scope: this.#scope,
      conversation: "s",
      committed: this.committed,
      ...(budgets === undefined ? {} : { budgets }),
    });
    return [...losses, ...(await this.#forgotten())];
  }

  /** Turns for which it cannot be shown again what the model saw. */
  async #forgotten(): Promise<string[]> {
    const problems: string[] = [];
    for (const [turn, { messages }] of this.#seen) {
      const again = await this.#context.conversations.at({ conversation: "s", turn });
      if (again.differs !== null || !isDeepStrictEqual(again.messages, messages))
        problems.push(`what was seen before ${turn} is shown otherwise: ${again.differs}`);
    }
    return problems;
  }

  async end(): Promise<void> {
    await this.#engine.close();
  }

  async #change(action: Exclude<ContextAction, { do: "say" | "open again" }>): Promise<void> {
    switch (action.do) {
      case "compact":
        return this.#compact(this.#engine, action.budget, action.untilUnder);
      case "compact twice":
        return this.#beside((other) =>
          Promise.all([this.#engine, other].map((engine) => this.#compact(engine, action.budget, null))),
        );
      case "compact and say":
        return this.#beside((other) =>
          Promise.all([
            this.#compact(this.#engine, 2_000, 1),
            this.#say(other.contextOf(this.#scope), action.shape),
          ]),
        );
      case "compact and erase":
        await Promise.all([
          this.#compact(this.#engine, 2_000, 1),
          this.#erase(1 + (action.at % this.#messages)),
        ]);
        return;
      case "compact and start anew":
        return this.#beside((other) =>
          Promise.all([
            this.#compact(this.#engine, 2_000, 1),
            other
              .contextOf(this.#scope)
              .conversations.reset({ conversation: "s", mode: "new", retainDepth: 1 }),
          ]),
        );
      case "assemble":
        return this.#assemble(action);
      case "start anew":
        await this.#context.conversations.reset({
          conversation: "s",
          mode: "new",
          retainDepth: action.retainDepth,
        });
        return;
      case "erase":
        return this.#erase(1 + (action.at % this.#messages));
    }
  }

  async #assemble({ budget, format }: Extract<ContextAction, { do: "assemble" }>): Promise<void> {
    this.#assembled = (await this.#context.assemble({ conversation: "s", budget, format })).messages;
  }

  async #say(context: Context, shape: TurnShape): Promise<void> {
    const key = `t${++this.#turns}`;
    const messages = sayTurn(key, shape);
    const result = await context.commitTurn({ conversation: "s", key, messages });
    for (const [index, message] of messages.entries()) this.committed.set(`${key}#${index}`, message);
    this.#messages += messages.length;
    if (result.status !== "committed" || context !== this.#context || this.#assembled === undefined) return;
    this.#seen.set(key, { firstSeq: result.messages[0]?.seq ?? 0, messages: this.#assembled });
    this.#assembled = undefined;
  }

  async #compact(engine: Engine, budget: number, untilUnder: number | null): Promise<void> {
    try {
      const { passes } = await engine.contextOf(this.#scope).compact({
        conversation: "s",
        budget,
        ...(untilUnder === null ? {} : { untilUnder }),
      });
      this.deepest = Math.max(this.deepest, ...passes.map(({ depth }) => depth));
    } catch (error) {
      if (!isPalimpsestError(error, "busy")) throw error;
    }
  }

  async #erase(seq: number): Promise<void> {
    try {
      await this.#context.erase({ conversation: "s", from: seq });
      // What was seen after the erased words may have held them, and goes with them.
      this.#assembled = undefined;
      for (const [key, { firstSeq }] of this.#seen) if (firstSeq > seq) this.#seen.delete(key);
    } catch (error) {
      // Erased already.
      if (!isPalimpsestError(error, "not-found")) throw error;
    }
  }

  async #beside(run: (other: Engine) => Promise<unknown>): Promise<void> {
    const other = await openWith(this.#store, this.#settings);
    try {
      await run(other);
    } finally {
      await other.close();
    }
  }

  async #openAgain(): Promise<void> {
    await this.#engine.close();
    this.#engine = await openWith(this.#store, this.#settings);
    this.#context = this.#engine.contextOf(this.#scope);
    this.#assembled = undefined;
  }
}

function openWith(store: string, { model, ...config }: ContextSettings): Promise<Engine> {
  const complete = MODELS[model];
  return open({
    store,
    background: "off",
    config: { ...config, logLevel: "silent", condensedTargetTokens: config.leafTargetTokens },
    ...(complete === undefined ? {} : { complete }),
  });
}
