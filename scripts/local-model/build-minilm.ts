/**
 * MiniLM as an ONNX model with weights of eight bits, from weights of half precision. It reads one text at a time, so that
 * padding and masks are not needed. Query, key and value are multiplied in one step, and operations are those that the
 * runtime would fuse itself, so it loads the model without optimisation and compiles fewer functions.
 */
import { OnnxGraph } from "./onnx-graph.ts";
import { quantise, transpose } from "./quantise.ts";
import type { Tensor } from "./read-safetensors.ts";

type Weights = (name: string) => Tensor;

const [LAYERS, HEADS, HIDDEN] = [6, 12, 384];
const INPUT = "pieces";

/** The model file: takes the word pieces of a text and returns a vector. */
export function buildMiniLm(weights: Weights): Uint8Array {
  const build = new MiniLm(weights);
  const output = build.whole();
  return build.graph.toModel(INPUT, output, HIDDEN);
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
    return this.graph.add("ReduceMean", [state, this.graph.integers(0, 1)], { keepdims: 0 });
  }

  /** A batch of one text. */
  #embeddings(): string {
    const { graph } = this;
    const table = this.#float("embeddings.position_embeddings.weight");
    const places = graph.add("Slice", [table, graph.integers(0), graph.add("Shape", [INPUT])]);
    const type = this.#weights("embeddings.token_type_embeddings.weight").values.slice(0, HIDDEN);
    const sum = graph.add("Add", [graph.add("Add", [this.#words(), places]), graph.constant([HIDDEN], type)]);
    const batch = graph.add("Reshape", [sum, graph.integers(1, -1, HIDDEN)]);
    return this.#normalise(batch, "embeddings.LayerNorm");
  }

  /** The word table contains half of all weights. */
  #words(): string {
    const { graph } = this;
    const { shape, values } = this.#weights("embeddings.word_embeddings.weight");
    const [words = 0] = shape;
    const { whole, scales } = quantise(values, words);
    const rows = graph.add("Gather", [graph.constant(shape, whole), INPUT]);
    const scale = graph.add("Gather", [graph.constant([words], scales), INPUT]);
    return graph.add("DequantizeLinear", [rows, scale], { axis: 0 });
  }

  #layer(state: string, name: string): string {
    const { graph } = this;
    const attended = this.#linear(this.#attention(state, `${name}.attention.self`), [
      `${name}.attention.output.dense`,
    ]);
    const seen = this.#normalise(graph.add("Add", [attended, state]), `${name}.attention.output.LayerNorm`);
    const inner = graph.add("Gelu", [this.#linear(seen, [`${name}.intermediate.dense`])]);
    const thought = this.#linear(inner, [`${name}.output.dense`]);
    return this.#normalise(graph.add("Add", [thought, seen]), `${name}.output.LayerNorm`);
  }

  #attention(state: string, name: string): string {
    const { graph } = this;
    const parts = ["query", "key", "value"].map((part) => `${name}.${part}`);
    const sizes = graph.integers(HIDDEN, HIDDEN, HIDDEN);
    const split = graph.addMany("Split", [this.#linear(state, parts), sizes], 3, { axis: 2 });
    return graph.add("MultiHeadAttention", split, { num_heads: HEADS });
  }

  /** Multiplies by the concatenated weights of these names, as integers, and adds their biases. */
  #linear(state: string, names: readonly string[]): string {
    const { graph } = this;
    const bias = joined(names.map((name) => this.#weights(`${name}.bias`).values));
    const outputs = bias.length;
    const rows = joined(names.map((name) => this.#weights(`${name}.weight`).values));
    const { whole, scales } = quantise(rows, outputs);
    const weights = graph.constant([whole.length / outputs, outputs], transpose(whole, outputs));
    const scale = graph.constant([outputs], scales);
    const noZeroPoint = "";
    const inputs = [state, weights, scale, noZeroPoint, graph.constant([outputs], bias)];
    return graph.add("DynamicQuantizeMatMul", inputs);
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

function joined(parts: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const all = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
