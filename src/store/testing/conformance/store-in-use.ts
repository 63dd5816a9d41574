/** The store that a run of the suite uses, and the state that its sections share. It is open from the first test on. */
import { DEFAULT_SCOPE } from "../../../types.ts";
import type { ScopedStore, Store, StoredMessage } from "../../store.ts";
import { conversationIdFor, onlyResult, sampleAppend } from "../sample.ts";
import { readMessages } from "./read-store.ts";

export interface StoreUnderTest {
  /** Opens the same database again, as another process would. */
  open(): Promise<Store>;
  /** Whether the engine's own files contain these bytes; missing if they cannot be read. */
  holds?(bytes: Uint8Array): Promise<boolean>;
  dispose(): Promise<void>;
}

export class StoreInUse {
  /** Creates another, empty store location. */
  readonly create: () => Promise<StoreUnderTest>;
  #place: StoreUnderTest | undefined;
  #store: Store | undefined;
  #sessions = 0;

  constructor(create: () => Promise<StoreUnderTest>) {
    this.create = create;
  }

  async open(): Promise<void> {
    this.#place = await this.create();
    this.#store = await this.#place.open();
  }

  async close(): Promise<void> {
    await this.store.close();
    await this.place.dispose();
  }

  /** Closes the store and opens it again, as after a restart. */
  async reopen(): Promise<void> {
    await this.store.close();
    this.#store = await this.place.open();
  }

  get place(): StoreUnderTest {
    return opened(this.#place);
  }

  get store(): Store {
    return opened(this.#store);
  }

  get scoped(): ScopedStore {
    return this.store.scoped(DEFAULT_SCOPE);
  }

  readonly newSession = (): string => `session-${++this.#sessions}`;

  readonly append = async (...input: Parameters<typeof sampleAppend>) =>
    onlyResult(await this.scoped.commit([sampleAppend(...input)]), "append");

  readonly readAll = (session: string): Promise<StoredMessage[]> =>
    readMessages(this.scoped, conversationIdFor(session));
}

function opened<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new Error("the store is open only while tests run");
  return thing;
}
