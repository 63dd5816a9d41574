/** As much of `onnxruntime-node` as is used. It takes 288 MB, so it is not installed with us: whoever has it is faster. */
import { createRequire } from "node:module";

export interface Runtime {
  readonly InferenceSession: {
    create(model: string | Uint8Array, options: object): Promise<Session>;
  };
  readonly Tensor: new (type: "int64", data: BigInt64Array, shape: readonly number[]) => object;
}

export interface Session {
  readonly outputNames: readonly string[];
  run(
    inputs: Readonly<Record<string, object>>,
  ): Promise<Readonly<Record<string, { readonly data: Float32Array }>>>;
}

/** A variable, because a name that is not installed would not compile. */
const PACKAGE: string = "onnxruntime-node";

export function isRuntimeInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve(PACKAGE);
    return true;
  } catch {
    return false;
  }
}

export async function loadRuntime(): Promise<Runtime> {
  const loaded: { default?: Runtime } & Runtime = await import(PACKAGE);
  return loaded.default ?? loaded;
}
