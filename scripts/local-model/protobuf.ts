/** The part of Protocol Buffers that an ONNX file needs: number and byte fields. */
export function numberField(field: number, value: number): Uint8Array {
  return concat([varint(field * 8), varint(value)]);
}

export function floatField(field: number, value: number): Uint8Array {
  return concat([varint(field * 8 + 5), new Uint8Array(Float32Array.of(value).buffer)]);
}

export function bytesField(field: number, value: Uint8Array | string): Uint8Array {
  const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
  return concat([varint(field * 8 + 2), varint(bytes.length), bytes]);
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}

/** Negative numbers take ten bytes, as they would with 64 bits. */
function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Uint8Array.from([...bytes, Number(rest)]);
}
