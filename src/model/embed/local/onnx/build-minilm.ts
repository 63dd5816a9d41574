/**
 * MiniLM as an ONNX model with whole numbers for weights, from the weights of the package. It reads one text at a time, so
 * that nothing is padded or masked; and it multiplies question, key and value in one go.
 */
import { FLOAT, OnnxGraph } from "./onnx-graph.ts";
import { quantise } from "./quantise.ts";
import type { Tensor } from "./read-safetensors.ts";

type Weights = (name: string) => Tensor;

const [LAYERS, HEADS, HEAD_SIZE, HIDDEN, INNER] = [6, 12, 32, 384, 1536];
/** Attention is divided by it; here, the weights of the question are. */
const SCALE = 1 / Math.sqrt(HEAD_SIZE);

export const INPUT = "pieces";

/** The model, and the name of what comes out of it. */
export function buildMiniLm(weights: Weights): { readonly model: Uint8Array; readonly output: string } {
  const build = new MiniLm(weights);
  const output = build.whole();
  return { model: build.graph.toModel(INPUT, output, HIDDEN), output };
}

class MiniLm {
  readonly graph = new OnnxGraph();
  readonly #weights: Weights;

  constructor(weights: Weights) {
    this.#weights = weights;
  }

  whole(): string {
    let state = this.#embeddings();
    for (let layer = 0; layer < LAYERS; layer++) state = this.#layer(state, `encoder.layer.${layer}`);
    return this.graph.add("ReduceMean", [state, this.graph.integers(0)], { keepdims: 0 });
  }

  #embeddings(): string {
    const { graph } = this;
    const table = (name: string) => this.#float(`embeddings.${name}.weight`);
    const words = graph.add("Gather", [table("word_embeddings"), INPUT]);
    const length = graph.add("Shape", [INPUT]);
    const places = graph.add("Slice", [table("position_embeddings"), graph.integers(0), length]);
    const type = this.#weights("embeddings.token_type_embeddings.weight").values.slice(0, HIDDEN);
    const placed = graph.add("Add", [graph.add("Add", [words, places]), graph.constant([HIDDEN], type)]);
    return this.#normalise(placed, "embeddings.LayerNorm");
  }

  #layer(state: string, name: string): string {
    const { graph } = this;
    const attended = this.#linear(this.#attention(state, `${name}.attention.self`), [
      `${name}.attention.output.dense`,
    ]);
    const seen = this.#normalise(graph.add("Add", [attended, state]), `${name}.attention.output.LayerNorm`);
    const inner = graph.add("Gelu", [this.#linear(seen, [`${name}.intermediate.dense`], INNER)]);
    const thought = this.#linear(inner, [`${name}.output.dense`]);
    return this.#normalise(graph.add("Add", [thought, seen]), `${name}.output.LayerNorm`);
  }

  #attention(state: string, name: string): string {
    const { graph } = this;
    const parts = ["query", "key", "value"].map((part) => `${name}.${part}`);
    const sizes = graph.integers(HIDDEN, HIDDEN, HIDDEN);
    const [query = "", key = "", value = ""] = graph.addMany(
      "Split",
      [this.#linear(state, parts), sizes],
      3,
      {
        axis: 1,
      },
    );
    const heads = (part: string, perm: readonly number[]) =>
      graph.add("Transpose", [graph.add("Reshape", [part, graph.integers(-1, HEADS, HEAD_SIZE)])], { perm });
    const scores = graph.add("MatMul", [heads(query, [1, 0, 2]), heads(key, [1, 2, 0])]);
    const shares = graph.add("Softmax", [scores], { axis: -1 });
    const mixed = graph.add("MatMul", [shares, heads(value, [1, 0, 2])]);
    const together = graph.add("Transpose", [mixed], { perm: [1, 0, 2] });
    return graph.add("Reshape", [together, graph.integers(-1, HIDDEN)]);
  }

  /** Multiplies by the weights of these names side by side, in whole numbers, and adds what belongs to them. */
  #linear(state: string, names: readonly string[], width = HIDDEN): string {
    const { graph } = this;
    const scaleOf = (name: string) => (name.endsWith(".query") ? SCALE : 1);
    const rows = names.map((name) => scaled(this.#weights(`${name}.weight`).values, scaleOf(name)));
    const bias = names.map((name) => scaled(this.#weights(`${name}.bias`).values, scaleOf(name)));
    const outputs = width * names.length;
    const { whole, scales } = quantise(joined(rows), outputs);
    const [rounded = "", scale = "", zero = ""] = graph.addMany("DynamicQuantizeLinear", [state], 3);
    const weights = graph.constant([whole.length / outputs, outputs], whole);
    const zeros = graph.constant([outputs], new Int8Array(outputs));
    const product = graph.add("MatMulInteger", [rounded, weights, zero, zeros]);
    const back = graph.add("Mul", [scale, graph.constant([outputs], scales)]);
    const numbers = graph.add("Mul", [graph.add("Cast", [product], { to: FLOAT }), back]);
    return graph.add("Add", [numbers, graph.constant([outputs], joined(bias))]);
  }

  #normalise(state: string, name: string): string {
    const inputs = [state, this.#float(`${name}.weight`), this.#float(`${name}.bias`)];
    return this.graph.add("LayerNormalization", inputs, { axis: -1, epsilon: { float: 1e-12 } });
  }

  #float(name: string): string {
    const { shape, values } = this.#weights(name);
    return this.graph.constant(shape, values);
  }
}

function scaled(values: Float32Array<ArrayBuffer>, by: number): Float32Array<ArrayBuffer> {
  return by === 1 ? values : values.map((value) => value * by);
}

function joined(parts: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const all = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
