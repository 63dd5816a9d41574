/** Bytes that are no text: what they are by their first ones. */
import type { Findings } from "./exploration.ts";

const MAGIC: readonly (readonly [string, number, string])[] = [
  ["\x89PNG\r\n\x1a\n", 0, "PNG image"],
  ["\xff\xd8\xff", 0, "JPEG image"],
  ["GIF8", 0, "GIF image"],
  ["WEBP", 8, "WebP image"],
  ["BM", 0, "BMP image"],
  ["II*\0", 0, "TIFF image"],
  ["MM\0*", 0, "TIFF image"],
  ["%PDF-", 0, "PDF document (binary, its text was not extracted)"],
  ["PK\x03\x04", 0, "ZIP archive (also .docx, .xlsx, .jar)"],
  ["\x1f\x8b", 0, "gzip-compressed data"],
  ["BZh", 0, "bzip2-compressed data"],
  ["\xfd7zXZ\0", 0, "xz-compressed data"],
  ["\x28\xb5\x2f\xfd", 0, "zstd-compressed data"],
  ["7z\xbc\xaf\x27\x1c", 0, "7-Zip archive"],
  ["ustar", 257, "tar archive"],
  ["Rar!\x1a\x07", 0, "RAR archive"],
  ["SQLite format 3\0", 0, "SQLite database"],
  ["PAR1", 0, "Parquet table"],
  ["ARROW1", 0, "Arrow table"],
  ["\x7fELF", 0, "ELF executable or library"],
  ["MZ", 0, "Windows executable or library"],
  ["\xcf\xfa\xed\xfe", 0, "Mach-O executable or library"],
  ["\xca\xfe\xba\xbe", 0, "Java class or Mach-O file"],
  ["\0asm", 0, "WebAssembly module"],
  ["OggS", 0, "Ogg audio or video"],
  ["ID3", 0, "MP3 audio"],
  ["fLaC", 0, "FLAC audio"],
  ["WAVE", 8, "WAV audio"],
  ["ftyp", 4, "MP4 audio or video"],
  ["\x1aE\xdf\xa3", 0, "Matroska or WebM video"],
  ["wOFF", 0, "WOFF font"],
  ["wOF2", 0, "WOFF2 font"],
  ["\x93NUMPY", 0, "NumPy array"],
  ["\x89HDF\r\n\x1a\n", 0, "HDF5 data"],
  ["GGUF", 0, "GGUF model"],
];

export function describeBinary(head: Uint8Array): Findings {
  const name = magicName(head) ?? "Binary data of an unknown kind";
  const facts = [...imageSize(head), "no text to describe"];
  return { kind: "binary", label: name, facts, sections: [] };
}

function magicName(head: Uint8Array): string | undefined {
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 512)).toString("latin1");
  return MAGIC.find(([magic, at]) => start.startsWith(magic, at))?.[2];
}

/** A PNG says its size right behind its magic. */
function imageSize(head: Uint8Array): string[] {
  if (head.length < 24 || magicName(head) !== "PNG image") return [];
  const view = new DataView(head.buffer, head.byteOffset);
  return [`${view.getUint32(16)} × ${view.getUint32(20)} pixels`];
}
