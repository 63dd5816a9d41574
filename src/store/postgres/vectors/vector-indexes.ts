/**
 * Finds which models have an index of pgvector, and builds one if it is worth it. An index is optional: without the
 * extension, without the right to use it, or during a build, sign bits are compared instead.
 */
import { Socket } from "node:net";
import type { Connections } from "../connections.ts";
import { Session } from "../session.ts";
import {
  buildIndex,
  findIndex,
  hasVectors,
  indexName,
  type VectorIndex,
  type VectorSet,
} from "./build-vector-index.ts";

/** Below this, comparing sign bits takes no longer than querying an index, which would also have to be maintained. */
const WORTH_AN_INDEX = 100_000;
/** pgvector cannot index longer vectors. */
const MOST_DIMENSIONS = 2_000;
const LOOK_AGAIN_MS = 300_000;

type State = { readonly index: VectorIndex | undefined; readonly until: number };

export class VectorIndexes {
  readonly #connections: Connections;
  readonly #known = new Map<string, Promise<State>>();

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** The index of a model, if there is one. If not, it is looked for again every few minutes. */
  async find(set: VectorSet): Promise<VectorIndex | undefined> {
    if (set.dimensions > MOST_DIMENSIONS) return undefined;
    const name = indexName(set);
    const known = await this.#known.get(name);
    if (known !== undefined && (known.index !== undefined || Date.now() < known.until)) return known.index;
    const looking = this.#look(set);
    this.#known.set(
      name,
      looking.then((index) => ({ index, until: Date.now() + LOOK_AGAIN_MS })),
    );
    return looking;
  }

  /** Reports that an index did not answer: it is looked for again later, and not used until then. */
  forget(index: VectorIndex): void {
    const state = { index: undefined, until: Date.now() + LOOK_AGAIN_MS };
    this.#known.set(indexName(index), Promise.resolve(state));
  }

  /** A worthwhile index is built in the background. A failure does no harm: it is tried again later. */
  async #look(set: VectorSet): Promise<VectorIndex | undefined> {
    try {
      const look = async (session: Session) => ({
        index: await findIndex(session, set),
        isWorthIt: await hasVectors(session, set, WORTH_AN_INDEX),
      });
      const { index, isWorthIt } = await this.#connections.read(look);
      if (index === undefined && isWorthIt) this.#build(set).catch(() => {});
      return index;
    } catch {
      return undefined;
    }
  }

  async #build(set: VectorSet): Promise<void> {
    await this.#connections.alone(async (client) => {
      // Nothing waits for it, so it does not keep the process alive.
      if (client.connection.stream instanceof Socket) client.connection.stream.unref();
      if (await buildIndex(new Session(client), set)) this.#known.delete(indexName(set));
    });
  }
}
