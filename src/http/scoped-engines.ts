/**
 * The engines of callers: one for each tenant and agent, on one store. Reading a context over GET uses a separate
 * engine, because an assembly is otherwise recorded as shown to the model, and may start a compaction.
 */
import { type Engine, internalsOf } from "../engine.ts";
import type { Scope } from "../types.ts";

export class ScopedEngines {
  readonly #base: Engine;
  readonly #working = new Map<string, Engine>();
  readonly #looking = new Map<string, Engine>();

  constructor(base: Engine) {
    this.#base = base;
  }

  working({ tenant, agent }: Scope): Engine {
    const { config } = this.#base;
    if (config.tenant === tenant && config.agent === agent) return this.#base;
    return this.#in(this.#working, { tenant, agent }, true);
  }

  looking(scope: Scope): Engine {
    return this.#in(this.#looking, scope, false);
  }

  #in(engines: Map<string, Engine>, { tenant, agent }: Scope, background: boolean): Engine {
    const key = JSON.stringify([tenant, agent]);
    const engine = engines.get(key) ?? internalsOf(this.#base).scopedTo({ tenant, agent }, { background });
    engines.set(key, engine);
    return engine;
  }

  /** The base engine is closed by its owner. */
  async close(): Promise<void> {
    for (const engine of [...this.#working.values(), ...this.#looking.values()]) await engine.close();
  }
}
