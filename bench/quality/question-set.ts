/** Question sets with annotated evidence, as they lie in the folder for measuring. */
import { readFileSync } from "node:fs";
import path from "node:path";

export interface Document {
  readonly id: string;
  readonly session: string;
  readonly role: string;
  readonly text: string;
}

export interface Query {
  readonly id: string;
  readonly type: string;
  readonly q: string;
  readonly ev: readonly string[];
}

export interface Conversation {
  readonly id: string;
  readonly docs: readonly Document[];
  readonly queries: readonly Query[];
}

export function readSet(folder: string, name: string): readonly Conversation[] {
  const text = readFileSync(path.join(folder, `${name}.json`), "utf8");
  return (JSON.parse(text) as { readonly convs: readonly Conversation[] }).convs;
}
