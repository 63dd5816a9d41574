/** Tokens of a message as the model reads it: files as references, and tool results in full or as references. */
import { countPartTokens } from "../../message/read-parts.ts";
import { partsOf } from "../../message/stored-value.ts";
import type { FileKind } from "../../store/file-store.ts";
import { type Filling, fillPayloads, type PlacedPayload } from "../../store/payloads.ts";
import type { NewMessage } from "../../store/store.ts";
import type { CountTokens } from "../../text/estimate-tokens.ts";
import { decodeExactly } from "../../text/utf8.ts";

type ShownFile = PlacedPayload & { readonly kind: FileKind; readonly reference: string };

/** `cut`: the result of `cutPayloads` for the original and these files. */
export function tokensWithFiles(
  message: Pick<NewMessage, "format" | "tokenCount">,
  cut: { readonly rest: Uint8Array; readonly contents: readonly (Uint8Array | null)[] },
  files: readonly ShownFile[],
  countTokens: CountTokens,
): Pick<NewMessage, "tokenCount" | "stubTokenCount"> {
  const tokensWith = (showsWhole: (file: ShownFile) => boolean) => {
    const fillings = files.map((file, index): Filling => {
      const payload = cut.contents[index] ?? new Uint8Array();
      return showsWhole(file) ? { payload } : { reference: file.reference };
    });
    const content = fillPayloads(cut.rest, files, fillings);
    return countPartTokens(partsOf(message.format, decodeExactly(content) ?? content), countTokens);
  };
  const has = (kind: FileKind) => files.some((file) => file.kind === kind);
  return {
    tokenCount: has("file") ? tokensWith(({ kind }) => kind === "tool-output") : message.tokenCount,
    stubTokenCount: has("tool-output") ? tokensWith(() => false) : null,
  };
}
