/** Builds an ONNX model, operation by operation. Numbers of fields and types are those of onnx.proto. */
import { bytesField, concat, floatField, numberField } from "./protobuf.ts";

/** A whole number, a list of them, or one with a fraction. */
type Attribute = number | readonly number[] | { readonly float: number };
type Values = Float32Array | Int8Array | BigInt64Array;

const FLOAT = 1;
const INT8 = 3;
const INT64 = 7;
/** Operators of the standard, and those that the runtime adds. */
const STANDARD = { domain: "", version: 20 };
const ADDED = { domain: "com.microsoft", version: 1 };
const ADDED_OPERATORS = ["DynamicQuantizeMatMul", "MultiHeadAttention"];
const FILE_VERSION = 9;

export class OnnxGraph {
  readonly #nodes: Uint8Array[] = [];
  readonly #constants: Uint8Array[] = [];

  /** Adds an operation and returns the name of its output. */
  add(operator: string, inputs: readonly string[], attributes: Record<string, Attribute> = {}): string {
    const [output = ""] = this.addMany(operator, inputs, 1, attributes);
    return output;
  }

  addMany(
    operator: string,
    inputs: readonly string[],
    outputs: number,
    attributes: Record<string, Attribute> = {},
  ): string[] {
    const { domain } = ADDED_OPERATORS.includes(operator) ? ADDED : STANDARD;
    const names = Array.from({ length: outputs }, (_, place) => `v${this.#nodes.length}_${place}`);
    this.#nodes.push(
      concat([
        ...inputs.map((input) => bytesField(1, input)),
        ...names.map((name) => bytesField(2, name)),
        bytesField(4, operator),
        ...Object.entries(attributes).map(([name, value]) => bytesField(5, attributeOf(name, value))),
        bytesField(7, domain),
      ]),
    );
    return names;
  }

  constant(shape: readonly number[], values: Values): string {
    const name = `c${this.#constants.length}`;
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    const dimensions = shape.map((size) => numberField(1, size));
    this.#constants.push(
      concat([...dimensions, numberField(2, typeOf(values)), bytesField(8, name), bytesField(9, bytes)]),
    );
    return name;
  }

  /** Small whole numbers, such as shapes and axes. */
  integers(...values: readonly number[]): string {
    return this.constant([values.length], BigInt64Array.from(values, BigInt));
  }

  /** The file of a model with a list of numbers as input and a vector as output. */
  toModel(input: string, output: string, dimensions: number): Uint8Array {
    const graph = concat([
      ...this.#nodes.map((node) => bytesField(1, node)),
      bytesField(2, "palimpsest"),
      ...this.#constants.map((constant) => bytesField(5, constant)),
      bytesField(11, describeValue(input, INT64, bytesField(2, "length"))),
      bytesField(12, describeValue(output, FLOAT, numberField(1, dimensions))),
    ]);
    const operators = [STANDARD, ADDED].map(({ domain, version }) =>
      bytesField(8, concat([bytesField(1, domain), numberField(2, version)])),
    );
    return concat([numberField(1, FILE_VERSION), bytesField(7, graph), ...operators]);
  }
}

function typeOf(values: Values): number {
  if (values instanceof Float32Array) return FLOAT;
  return values instanceof Int8Array ? INT8 : INT64;
}

function attributeOf(name: string, value: Attribute): Uint8Array {
  const named = bytesField(1, name);
  if (typeof value === "number") return concat([named, numberField(3, value), numberField(20, 2)]);
  if ("float" in value) return concat([named, floatField(2, value.float), numberField(20, 1)]);
  return concat([named, ...value.map((one) => numberField(8, one)), numberField(20, 7)]);
}

function describeValue(name: string, type: number, dimension: Uint8Array): Uint8Array {
  const shape = bytesField(2, bytesField(1, dimension));
  return concat([bytesField(1, name), bytesField(2, bytesField(1, concat([numberField(1, type), shape])))]);
}
