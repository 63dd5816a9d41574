/** Bytes before an index. Asked for in ascending order, so that each character is counted once. */
export function byteOffsets(text: string): (index: number) => number {
  let [at, bytes] = [0, 0];
  return (index) => {
    bytes += Buffer.byteLength(text.slice(at, index));
    at = index;
    return bytes;
  };
}
