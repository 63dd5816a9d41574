/** An `Embedder` from a function that returns numbers: texts are sent in batches, and responses are checked. */
import { PalimpsestError } from "../../errors.ts";
import { unavailable } from "../model-failure.ts";
import { refuseCancelled } from "../wait.ts";
import type { Embedder, EmbedOptions } from "./embedder.ts";

interface EmbedderParts {
  readonly model: string;
  /** Default: none. */
  readonly comparable?: readonly string[];
  /** Null: taken from the first response. */
  readonly dimensions: number | null;
  readonly longestInput: number;
  /** Maximum texts of one call. */
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

/** Services reject requests of some hundred thousand tokens; a character has at most a few tokens. */
const MOST_CHARACTERS = 100_000;

/** Texts in batches that services take in one request: limited by number and characters. */
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

/** Normalises a model's response to vectors of length 1; throws unless there is one usable vector for each text. */
interface ExpectedVectors {
  readonly model: string;
  readonly count: number;
  /** Null when unknown: all must then be equal. */
  readonly dimensions: number | null;
}

function checkVectors(answered: unknown, expected: ExpectedVectors): readonly Float32Array[] {
  const { model, count } = expected;
  if (!Array.isArray(answered) || answered.length !== count)
    throw unusable(
      `${model} returned ${Array.isArray(answered) ? `${answered.length} vectors` : "no list of vectors"} for ${count} texts`,
      "It must return one vector per text, in order. Choose another embeddingModel.",
    );
  let dimensions = expected.dimensions;
  return answered.map((vector: unknown) => {
    if (!isList(vector)) throw unusable(`${model} returned something that is not a vector`, EMBEDDING_MODEL);
    dimensions ??= vector.length;
    if (vector.length !== dimensions) throw wrongLength(model, vector.length, dimensions);
    return normalised(vector, model);
  });
}

const EMBEDDING_MODEL = "Check that embeddingModel names a model for embeddings; see docs/guide/models.md.";

function isList(value: unknown): value is ArrayLike<number> {
  return (
    (Array.isArray(value) || value instanceof Float32Array || value instanceof Float64Array) &&
    value.length > 0
  );
}

/** Summed in double precision, so that the same numbers give the same bytes everywhere. */
function normalised(vector: ArrayLike<number>, model: string): Float32Array {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += Number(vector[i]) ** 2;
  if (!Number.isFinite(squares))
    throw unusable(`${model} returned a vector with values that are not numbers`, EMBEDDING_MODEL);
  if (squares === 0)
    throw unusable(
      `${model} returned a vector of zeros`,
      "Such a vector cannot be compared. Choose another embeddingModel.",
    );
  const length = Math.sqrt(squares);
  return Float32Array.from(vector, (value) => value / length);
}

function wrongLength(model: string, length: number, dimensions: number): PalimpsestError {
  return unusable(
    `${model} returned ${length} dimensions instead of ${dimensions}`,
    "Set embeddingDimensions to the dimensions of the model, or remove it; vectors of different lengths cannot be compared.",
  );
}

function unusable(message: string, advice: string): PalimpsestError {
  return unavailable(message, { status: null, temporary: false, retryAfterMs: null }, advice);
}
