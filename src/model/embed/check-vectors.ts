/** What a model answered, as vectors of length 1; refused when it is not one usable vector for each text. */
import type { PalimpsestError } from "../../errors.ts";
import { unavailable } from "../model-failure.ts";

interface ExpectedVectors {
  readonly model: string;
  readonly count: number;
  /** Null when nobody knows yet: then all must agree. */
  readonly dimensions: number | null;
}

export function checkVectors(answered: unknown, expected: ExpectedVectors): readonly Float32Array[] {
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
