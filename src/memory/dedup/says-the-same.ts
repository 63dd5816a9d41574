import { gistOf } from "../../text/language/gist.ts";

/** Compares words, ignoring inflection. Statements that are only similar in meaning are not equal. */
export function saysTheSame(a: string, b: string): boolean {
  return gistOf(a) === gistOf(b);
}
