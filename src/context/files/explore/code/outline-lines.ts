/** An outline without a parser, for languages that have no grammar here: lines that look like the head of a definition. */
import { announcesCredential } from "../../../../text/credentials/safe-to-show.ts";
import type { Definition, Outline } from "./outline.ts";

const DEFINITION =
  /^[ \t]{0,8}((?:(?:export|public|private|protected|internal|static|final|abstract|open|override|data|sealed|case|async|suspend|local|pub|inline|extern|virtual|implicit|mutable)\s+)*(?:function|func|fun|fn|def|defp|defmodule|class|interface|struct|enum|trait|protocol|extension|object|module|namespace|type|sub|package|macro|actor|mixin)\s+[\p{L}_$][^\n{=;]{0,160})/u;
const ASSIGNED = /^([\p{L}_.][\w.]{0,80})\s*(?:<-|=)\s*function\s*(\([^\n){]{0,120}\)?)/u;
const STATEMENT =
  /^\s*(CREATE\s+(?:OR\s+REPLACE\s+)?(?:TEMP(?:ORARY)?\s+)?(?:TABLE|VIEW|MATERIALIZED VIEW|INDEX|UNIQUE INDEX|FUNCTION|PROCEDURE|TRIGGER|TYPE|SCHEMA)\s+(?:IF NOT EXISTS\s+)?[\w."`]{1,100})/i;
const IMPORT = /^\s*(?:import|use|require|using|library|include|source)\b\s*[("']?([\w./:@\\-]{1,120})/;
const MOST_DEFINITIONS = 5_000;

export function outlineLines(text: string): Outline {
  const imports: string[] = [];
  const definitions: Definition[] = [];
  text.split("\n").forEach((line, index) => {
    if (line.length > 2_000 || definitions.length >= MOST_DEFINITIONS) return;
    const signature = signatureIn(line);
    const [, name] = IMPORT.exec(line) ?? [];
    if (signature !== null)
      definitions.push({
        ...{ signature, line: index + 1, isPublic: !/\bprivate\b/.test(line) },
        ...{ path: "", depth: 0, isParsed: false, members: [] },
      });
    else if (name !== undefined) imports.push(name);
  });
  return { imports, packages: [], definitions, isParsed: false, hasErrors: false };
}

function signatureIn(line: string): string | null {
  const assigned = ASSIGNED.exec(line);
  if (assigned !== null) return `${assigned[1]} = function${assigned[2]}`;
  const found = DEFINITION.exec(line)?.[1] ?? STATEMENT.exec(line)?.[1];
  return found === undefined
    ? null
    : found
        .replaceAll(/(["'`]).*?(?:\1|$)/g, "…")
        .replace(/(?<=\()[^()]*/, hideAnnounced)
        .trim();
}

/** Parameters that are named for a password, with whatever stands beside the name. */
function hideAnnounced(parameters: string): string {
  const shown = parameters.split(",").map((one) => (announcesCredential(one) ? "…" : one.trim()));
  return shown.join(", ");
}
