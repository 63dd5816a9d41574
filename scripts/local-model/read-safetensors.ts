/** The tensors of a safetensors file: a header with their offsets, and their numbers. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly values: Float32Array<ArrayBuffer>;
}

interface TensorPlace {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [start: number, end: number];
}

/** Reads a tensor by name; throws if it is missing, or not of half or single precision. */
export function readSafetensors(file: Uint8Array<ArrayBuffer>): (name: string) => Tensor {
  const headerBytes = Number(new DataView(file.buffer, file.byteOffset).getBigUint64(0, true));
  const header: Record<string, TensorPlace> = JSON.parse(
    new TextDecoder().decode(file.subarray(8, 8 + headerBytes)),
  );
  return (name) => {
    const place = header[name];
    if (place === undefined) throw new Error(`the weights have no ${name}`);
    const [start, end] = place.data_offsets;
    const bytes = file.slice(8 + headerBytes + start, 8 + headerBytes + end);
    return { shape: place.shape, values: toSingle(bytes, place.dtype, name) };
  };
}

function toSingle(bytes: Uint8Array<ArrayBuffer>, dtype: string, name: string): Float32Array<ArrayBuffer> {
  if (dtype === "F32") return new Float32Array(bytes.buffer);
  if (dtype === "F16") return toSingles(new Uint16Array(bytes.buffer));
  throw new Error(`${name} has numbers of type ${dtype}`);
}

function toSingles(halves: Uint16Array): Float32Array<ArrayBuffer> {
  const singles = new Float32Array(halves.length);
  for (let at = 0; at < halves.length; at++) singles[at] = fromHalf(halves[at] ?? 0);
  return singles;
}

/** IEEE 754 half precision: a sign, five bits of exponent, ten of fraction. */
function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
