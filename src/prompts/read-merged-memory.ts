/** The answer to `mergeMemoriesPrompt`. */
import { z } from "zod";
import type { MemoryText } from "../memory-types.ts";
import { clip } from "../text/cut-text.ts";
import { textField } from "./read-extracted-memories.ts";
import { readModelJson } from "./read-model-json.ts";

type MergedText =
  | { readonly ok: true; readonly text: MemoryText }
  | { readonly ok: false; readonly reason: string };

const ANSWER = z.object({ abstract: textField, overview: textField, content: textField });
const LONGEST_ABSTRACT = 400;

/** A merged text takes the place of others, so half an answer is none. */
export function readMergedMemory(answer: string): MergedText {
  const json = readModelJson(answer);
  if (!json.ok) return json;
  if (json.isCutOff) return { ok: false, reason: "The answer was cut off." };
  const { success, data } = ANSWER.safeParse(Array.isArray(json.value) ? json.value[0] : json.value);
  if (!success) return { ok: false, reason: "The answer has no texts." };
  const abstract = data.abstract.replaceAll(/\s+/g, " ");
  if (!/[\p{L}\p{N}]/u.test(abstract)) return { ok: false, reason: "The abstract is empty." };
  return { ok: true, text: { ...data, abstract: clip(abstract, LONGEST_ABSTRACT) } };
}
