import { shownFileName, shownMime } from "../../text/credentials/names-in-references.ts";
import type { PartOf } from "../../types.ts";
import { type Block, optionalText } from "../block.ts";
import { FILE_BLOCKS } from "../read-file-block.ts";
import { hideInText, NO_WORDS, type PartDefinition } from "./part-definition.ts";

type FilePart = PartOf<"file">;

/** Providers have blocks for files; `assemble/wire/read-part-pieces.ts` builds them. */
export const fileDefinition: PartDefinition<FilePart> = {
  ...NO_WORDS,
  read: readFile,
  searchable: ({ name, url }) => [name, addressOf(url)],
  texts: ({ mime, name, url }) => [{ label: ["file", mime, name], text: addressOf(url) }],
  // A data: URL counts as no text, however long it is.
  cut: (part, room) => ({ ...part, url: part.url?.slice(0, room) || null }),
  inSource: describeFile,
  quotable: ({ name }) => (name === null ? "" : `Attached file ${name}.`),
  withoutCredentials: (part) => ({
    ...part,
    mime: shownMime(part.mime),
    name: shownFileName(part.name),
    url: hideInText(part.url),
  }),
};

/** Files of the AI SDK and of OpenAI share the type name; the fields of ours are checked first, then one reader reads all. */
function readFile(block: Block) {
  optionalText(block, "mime");
  optionalText(block, "name");
  if (!(block.url instanceof URL)) optionalText(block, "url");
  return FILE_BLOCKS.get("file")?.(block) ?? [];
}

function describeFile({ mime, name, url }: FilePart): string {
  return `file ${name ?? addressOf(url) ?? "without a name"}${mime === null ? "" : ` (${mime})`}`;
}

/** A data: URL contains the file itself and is not an address. */
function addressOf(url: string | null): string | null {
  return url === null || /^data:/i.test(url) ? null : url;
}
