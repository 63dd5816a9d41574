/**
 * Tokens of an assembled answer, counted here and not by the engine: the JSON of what would be sent. Bytes of images
 * and files are taken out and count as much as the providers say an image of usual size does.
 */
import { estimateTokens } from "../src/text/estimate-tokens.ts";

const FILE_TOKENS = 1_600;
/** Formats store the bytes in fields of these names; a signature in another field is sent unchanged. */
const BYTE_FIELDS: ReadonlySet<string> = new Set(["data", "file_data", "bytes"]);
const BASE64 = /^[A-Za-z0-9+/_-]{2000,}={0,2}$/;

export interface Sent {
  readonly messages: readonly unknown[];
  readonly system: string | null;
  readonly systemPromptAddition: string | null;
}

export function sentTokens({ messages, system, systemPromptAddition }: Sent): number {
  let files = 0;
  const withoutFiles = (key: string, value: unknown) => {
    if (!isFile(key, value)) return value;
    files++;
    return "";
  };
  const texts = messages.map((message) => JSON.stringify(message, withoutFiles) ?? "");
  const tokens = [system ?? "", systemPromptAddition ?? "", ...texts].map(estimateTokens);
  return tokens.reduce((sum, count) => sum + count, 0) + files * FILE_TOKENS;
}

function isFile(key: string, value: unknown): boolean {
  if (ArrayBuffer.isView(value)) return true;
  if (typeof value !== "string") return false;
  return /^data:[^,]{0,100};base64,/.test(value) || (BYTE_FIELDS.has(key) && BASE64.test(value));
}
