import { gistOf } from "../../text/language/gist.ts";

/** In the same words, whatever their endings: what is only near in meaning is never taken for the same. */
export function saysTheSame(a: string, b: string): boolean {
  return gistOf(a) === gistOf(b);
}
