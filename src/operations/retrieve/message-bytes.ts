/** The exact bytes of an original as `read` gives it; null once erased. */
export function originalBytes(message: {
  readonly original: string | null;
  readonly encoding: "text" | "base64";
}): Uint8Array | null {
  if (message.original === null) return null;
  return Buffer.from(message.original, message.encoding === "base64" ? "base64" : "utf8");
}
