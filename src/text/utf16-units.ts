/** The UTF-16 units of a text side by side: a scanner reads them several times faster than out of the string. */
export function utf16Units(text: string): Uint16Array {
  const bytes = Buffer.from(text, "utf16le");
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length);
}
