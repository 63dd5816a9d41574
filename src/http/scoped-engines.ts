/**
 * The engines of callers: one for each tenant and agent, on one store. Looking at a context over GET uses an engine of its
 * own, because an assembly is otherwise noted as what the model saw before the next turn, and may start a compaction.
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

  /** The base engine belongs to whoever opened it. */
  async close(): Promise<void> {
    for (const engine of [...this.#working.values(), ...this.#looking.values()]) await engine.close();
  }
}
