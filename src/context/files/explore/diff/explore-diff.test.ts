import { describe, expect, it } from "vitest";
import { exploreText } from "../testing/explore-text.ts";

const DIFF = `diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,4 @@
 same
--- a removed comment of SQL
+++ an added one
+another
 same
@@ -10 +11 @@
-x
+y
diff --git a/old.txt b/old.txt
deleted file mode 100644
--- a/old.txt
+++ /dev/null
@@ -1,2 +0,0 @@
-one
-two
`;

describe("diffs", () => {
  it("are described by files with lines that come and go", async () => {
    const { kind, title, text } = await exploreText(DIFF, { name: "change.txt", piece: 10 });
    expect(kind).toBe("diff");
    expect(title).toContain("2 files, 3 hunks, +3 −4 lines");
    expect(text).toContain("src/a.ts +3 −2 (line 1)\n- old.txt +0 −2, deleted (line 14)");
  });

  it("may come without the words of git", async () => {
    const { kind, text } = await exploreText(
      "--- old.c\t2024-01-01\n+++ new.c\t2024-01-02\n@@ -1 +1 @@\n-a\n+b\n",
    );
    expect(kind).toBe("diff");
    expect(text).toContain("new.c +1 −1");
  });
});
