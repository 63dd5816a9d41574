/** The messages and summaries that one search reads, each loaded once and its text extracted once. */

import { textOfParts } from "../../../message/read-parts.ts";
import { messageValue, partsIn } from "../../../message/stored-value.ts";
import type { DocumentRef, StoredDocument } from "../../../store/search-store.ts";
import type { ScopedStore } from "../../../store/store.ts";
import type { Part } from "../../../types.ts";
import { saidInParts } from "../../read/read-said.ts";

export function nameOf({ conversation, kind, number }: DocumentRef): string {
  return `${conversation} ${kind} ${number}`;
}

export class LoadedDocument {
  readonly document: StoredDocument;
  readonly name: string;
  #value: unknown;
  #parts: readonly Part[] | undefined;

  constructor(document: StoredDocument) {
    this.document = document;
    this.name = nameOf(document.ref);
  }

  get ref(): DocumentRef {
    return this.document.ref;
  }

  /** The time of a summary is that of the newest message it covers. */
  get time(): number {
    const { document } = this;
    return Date.parse("message" in document ? document.message.createdAt : document.summary.latestAt);
  }

  /** The name, if the host gave one, as in a dialogue of several people; else the role. Null for a summary. */
  get speaker(): string | null {
    if (!("message" in this.document)) return null;
    const { role } = this.document.message;
    const { name } = Object(this.#messageValue()) as { readonly name?: unknown };
    return typeof name === "string" && (role === "user" || role === "assistant") ? name : role;
  }

  /** All searchable text. */
  get text(): string {
    if ("summary" in this.document) return this.document.summary.content ?? "";
    return textOfParts(this.#partsOfMessage());
  }

  /** The text of the speaker; empty for a summary. */
  get said(): string {
    return "summary" in this.document ? "" : saidInParts(this.#partsOfMessage());
  }

  #partsOfMessage(): readonly Part[] {
    this.#parts ??= partsIn(this.#messageValue());
    return this.#parts;
  }

  /** Parsed once. */
  #messageValue(): unknown {
    if ("message" in this.document) this.#value ??= messageValue(this.document.message);
    return this.#value;
  }
}

export class LoadedDocuments {
  readonly #store: ScopedStore;
  /** Null for documents that no longer exist. */
  readonly #known = new Map<string, LoadedDocument | null>();

  constructor(store: ScopedStore) {
    this.#store = store;
  }

  /** Number of loaded documents. */
  get opened(): number {
    return this.#known.size;
  }

  /** In the order of the refs, without missing documents. */
  async load(refs: readonly DocumentRef[]): Promise<readonly LoadedDocument[]> {
    const wanted = new Map(refs.map((ref) => [nameOf(ref), ref]));
    const missing = [...wanted].filter(([name]) => !this.#known.has(name));
    for (const [name] of missing) this.#known.set(name, null);
    const documents = await this.#store.documents(missing.map(([, ref]) => ref));
    for (const document of documents)
      if ("message" in document || document.summary.content !== null)
        this.#known.set(nameOf(document.ref), new LoadedDocument(document));
    return [...wanted.keys()].flatMap((name) => this.#known.get(name) ?? []);
  }
}
