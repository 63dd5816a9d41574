import { shownPath } from "../../text/credentials/names-in-references.ts";
import type { PartOf } from "../../types.ts";
import { type Block, Misfit, optionalText } from "../block.ts";
import { NO_WORDS, type PartDefinition } from "./part-definition.ts";

export const patchDefinition: PartDefinition<PartOf<"patch">> = {
  ...NO_WORDS,
  read(block) {
    const files = readPaths(block);
    return [{ type: "patch", hash: optionalText(block, "hash"), files }];
  },
  searchable: ({ hash, files }) => [hash, ...files],
  texts: ({ hash, files }) => [{ label: ["patch", hash], text: files.join("\n") }],
  cut: (part, room) => ({ ...part, files: part.files.join("\n").slice(0, room).split("\n") }),
  inSource: ({ files }) => (files.length === 0 ? "" : `patch of ${files.join(", ")}`),
  withoutCredentials: (part) => ({ ...part, files: part.files.map(shownPath) }),
  inWords: ({ files }) => (files.length === 0 ? "" : `[Changed files: ${files.join(", ")}]`),
};

function readPaths({ files }: Block): readonly string[] {
  if (!Array.isArray(files)) throw new Misfit(".files", files, "an array of paths");
  return files.map((file: unknown, index) => {
    if (typeof file !== "string") throw new Misfit(`.files[${index}]`, file, "a path as a string");
    return file;
  });
}
