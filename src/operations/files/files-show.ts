import { fileIdIn } from "../../context/files/require-file.ts";
import { readFileInput } from "../../context/inputs.ts";
import { requireFileId } from "../../context/read/wrong-kind.ts";
import { defineOperation } from "../operation.ts";
import { aboutFile, howToRead } from "./file-page.ts";
import { fileSchema, toFile } from "./file-schema.ts";

export const showFile = defineOperation({
  name: "files-show",
  summary: "Show what a file is, where it came from, and what it contains.",
  input: readFileInput.pick({ id: true }),
  output: fileSchema,
  command: {
    positional: ["id"],
    examples: [["lcm files show file_0123456789abcdef"]],
    paged: true,
    text: (file, { look, suggest }) =>
      [...aboutFile(file, look), howToRead(file, look, suggest)].join("\n\n"),
  },
  run: async (engine, { id }) => {
    requireFileId(fileIdIn(id));
    const description = await engine.context.describe({ id });
    if (description.type !== "file") throw new Error(`${id} was described as another kind`);
    return toFile(description.file);
  },
});
