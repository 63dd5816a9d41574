/**
 * A scripted stand-in for a model: every tenth sentence of the material. Not a language model, and
 * worse than one: what it keeps is chance. It shows what the engine makes of summaries that it did not write.
 */
import type { Complete } from "../../src/model/complete.ts";
import { answerOf } from "../instant-model.ts";
import { materialIn } from "../prompt-material.ts";

const EVERY = 10;

export const extractingModel: Complete = async ({ prompt }) => {
  const sentences = materialIn(prompt)
    .split(/\n|(?<=[.!?]) /)
    .filter((sentence) => sentence.trim() !== "");
  return answerOf(sentences.filter((_, index) => index % EVERY === EVERY - 1).join("\n"), "bench/extracting");
};
