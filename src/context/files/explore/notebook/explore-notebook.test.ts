import { describe, expect, it } from "vitest";
import { exploreText } from "../testing/explore-text.ts";

const NOTEBOOK = {
  cells: [
    { cell_type: "markdown", metadata: {}, source: ["# Analysis\n", "\n", "Some words.\n", "## Load data"] },
    {
      cell_type: "code",
      metadata: {},
      outputs: [],
      source: "%matplotlib inline\nimport pandas as pd\nfrom sklearn.svm import SVC\n",
    },
    {
      cell_type: "code",
      execution_count: 2,
      outputs: [
        { output_type: "stream", text: ["x\n"] },
        { output_type: "display_data", data: { "image/png": "A".repeat(100_000) } },
      ],
      source: ["def train(frame, rate=0.1):\n", '    """Says\n', '    something."""\n', "    return frame\n"],
    },
  ],
  metadata: {
    kernelspec: { display_name: "Python 3", language: "python", name: "python3" },
    language_info: { name: "python" },
  },
  nbformat: 4,
};

describe("notebooks", () => {
  it.each([7, 65_536])(
    "are described by cells, headings, imports, definitions and outputs, in pieces of %i",
    async (piece) => {
      const { kind, title, text } = await exploreText(JSON.stringify(NOTEBOOK, null, 1), {
        name: "a.ipynb",
        piece,
      });
      expect(kind).toBe("notebook");
      expect(title).toContain("Notebook in Python");
      expect(title).toContain("3 cells (1 markdown, 2 code), 2 outputs (1 stream, 1 display_data)");
      expect(text).toContain("Analysis (cell 1)");
      expect(text).toContain("Load data (cell 1)");
      expect(text).toContain("Imports: pandas, sklearn.svm");
      expect(text).toContain("def train(frame, rate=…)");
    },
  );

  it("that break off are described as far as they go", async () => {
    const { title, text } = await exploreText(JSON.stringify(NOTEBOOK).slice(0, 600), { name: "a.ipynb" });
    expect(title).toContain("the JSON breaks at line 1");
    expect(text).toContain("Analysis (cell 1)");
  });
});
