/** Errors for an id of the wrong kind: they name its kind and the matching operation. */
import { PalimpsestError } from "../../errors.ts";
import { type IdKind, isWholeId, kindOfId } from "../../text/identifiers.ts";

const OPENED_BY: Readonly<Record<IdKind, (id: string) => string>> = {
  conversation: (id) => `Read it with: lcm read ${id}`,
  message: (id) => `Read it with: lcm read ${id}; show the summaries that cover it with: lcm describe ${id}`,
  summary: (id) => `Show its text and sources with: lcm expand ${id}`,
  file: (id) => `Describe it with: lcm describe ${id}; read it with: lcm files cat ${id}`,
  memory: (id) => `See it with: lcm memory show ${id}; read its sources with: lcm memory source ${id}`,
};

/** Summaries have no other names than their ids. */
export function requireSummaryId(id: string): void {
  refuseOtherKinds(id, "summary");
  if (kindOfId(id) === "summary") return;
  throw new PalimpsestError("invalid-input", `"${id}" is not the id of a summary`, {
    advice:
      "A summary id looks like sum_0123456789abcdef. Find summaries with: lcm grep <words>, or list them with: lcm tree <conversation>",
  });
}

/** Files have no other names than their ids. */
export function requireFileId(id: string): void {
  refuseOtherKinds(id, "file");
  if (kindOfId(id) === "file") return;
  throw new PalimpsestError("invalid-input", `"${id}" is not the id of a file`, {
    advice: "A file id looks like file_0123456789abcdef. List files with: lcm files list",
  });
}

export function refuseOtherKinds(id: string, wanted: IdKind): void {
  const kind = kindOfId(id);
  if (kind === null || kind === wanted) return;
  // A prefix alone does not mean that it exists.
  const is = isWholeId(id)
    ? `is a ${kind}, not a ${wanted}`
    : `looks like the id of a ${kind}, not of a ${wanted}`;
  throw new PalimpsestError("invalid-input", `${id} ${is}`, {
    advice: OPENED_BY[kind](id),
  });
}
