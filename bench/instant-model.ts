/**
 * Replaces a model with immediate and sufficient answers: a few sentences from all over the material, about as
 * many as requested. It understands nothing. So only the engine's own work is measured.
 */
import type { Complete, CompletionResult } from "../src/model/complete.ts";
import { materialIn } from "./prompt-material.ts";

/** Of the most tokens that an answer may have: near the length that the prompt asks for. */
const SHARE = 0.25;
const SENTENCE = 160;

export const instantModel: Complete = async ({ prompt, maxTokens }) =>
  answerOf(sentencesFrom(materialIn(prompt), Math.floor((maxTokens * SHARE * 4) / SENTENCE)).join("\n"));

export function answerOf(text: string, model = "bench/instant"): CompletionResult {
  const usage = { inputTokens: null, outputTokens: null, cost: null };
  return { text, model, finish: "stop", usage };
}

function sentencesFrom(material: string, count: number): string[] {
  const step = Math.max(2 * SENTENCE, Math.floor(material.length / Math.max(1, count)));
  const sentences: string[] = [];
  for (let at = 0; at < material.length; at += step) {
    const sentence = sentenceAfter(material, at);
    if (sentence !== "") sentences.push(`- ${sentence}`);
  }
  return sentences;
}

/** The first line that begins after a position, or as many whole words of it as make a sentence. */
function sentenceAfter(material: string, at: number): string {
  const start = material.indexOf("\n", at) + 1;
  if (start === 0) return "";
  const end = material.indexOf("\n", start);
  const line = material.slice(start, end === -1 ? undefined : end);
  if (line.length <= SENTENCE) return line.trim();
  return line.slice(0, Math.max(0, line.lastIndexOf(" ", SENTENCE))).trim();
}
