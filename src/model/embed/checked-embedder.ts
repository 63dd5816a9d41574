/** An `Embedder` from a function that answers with numbers: texts go in batches, and what comes back is checked. */
import { PalimpsestError } from "../../errors.ts";
import { refuseCancelled } from "../wait.ts";
import { checkVectors } from "./check-vectors.ts";
import type { Embedder, EmbedOptions } from "./embedder.ts";

interface EmbedderParts {
  readonly model: string;
  /** Default: none. */
  readonly comparable?: readonly string[];
  /** Null: the first answer says. */
  readonly dimensions: number | null;
  readonly longestInput: number;
  /** Most texts of one call. */
  readonly mostTexts: number;
  embed(texts: readonly string[], options: EmbedOptions): Promise<unknown>;
  close?(): Promise<void>;
}

export class CheckedEmbedder implements Embedder {
  readonly model: string;
  readonly comparable: readonly string[];
  readonly longestInput: number;
  readonly #parts: EmbedderParts;
  #dimensions: number | null;

  constructor(parts: EmbedderParts) {
    this.model = parts.model;
    this.comparable = parts.comparable ?? [];
    this.longestInput = parts.longestInput;
    this.#parts = parts;
    this.#dimensions = parts.dimensions;
  }

  get dimensions(): number | null {
    return this.#dimensions;
  }

  async embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]> {
    if (!texts.every((text) => typeof text === "string"))
      throw new PalimpsestError("invalid-input", "only strings can be embedded", { advice: "Pass strings." });
    const vectors: Float32Array[] = [];
    for (const batch of batchesOf(texts, this.#parts.mostTexts)) {
      refuseCancelled(options.signal);
      vectors.push(...(await this.#embedBatch(batch, options)));
    }
    return vectors;
  }

  async close(): Promise<void> {
    await this.#parts.close?.();
  }

  async #embedBatch(batch: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]> {
    const answered = await this.#parts.embed(batch, options);
    const expected = { model: this.model, count: batch.length, dimensions: this.#dimensions };
    const vectors = checkVectors(answered, expected);
    this.#dimensions ??= vectors[0]?.length ?? null;
    return vectors;
  }
}

/** Services refuse requests of some hundred thousand tokens; no character is more than a few. */
const MOST_CHARACTERS = 100_000;

/** Texts in batches that services take in one request: so many of them, and so many characters, at most. */
function batchesOf(texts: readonly string[], mostTexts: number): string[][] {
  const batches: string[][] = [];
  let characters = 0;
  for (const text of texts) {
    const batch = batches.at(-1);
    const isFull =
      batch === undefined || batch.length >= mostTexts || characters + text.length > MOST_CHARACTERS;
    if (isFull) {
      batches.push([text]);
      characters = 0;
    } else batch.push(text);
    characters += text.length;
  }
  return batches;
}
