import { describe, expect, it } from "vitest";
import { exploreText } from "../testing/explore-text.ts";
import { TimeFinder } from "./find-time.ts";

describe("logs", () => {
  it.each([
    ["2017-05-16 00:00:04.500 INFO x", "2017-05-16 00:00:04"],
    ["2017-05-16T00:00:04.500Z x", "2017-05-16 00:00:04"],
    ["2017/05/16 00:00:04 [error] x", "2017-05-16 00:00:04"],
    ["Jun 14 15:16:01 combo sshd[19939]: x", "06-14 15:16:01"],
    ["<34>Oct  1 22:14:15 host su: x", "10-01 22:14:15"],
    ["081109 203615 148 INFO dfs.DataNode: x", "2008-11-09 20:36:15"],
    ["17/06/09 20:10:40 INFO spark: x", "2017-06-09 20:10:40"],
    ["03-17 16:13:38.811  1702  2395 D Window: x", "03-17 16:13:38"],
    ['127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200', "2000-10-10 13:55:36"],
    ["[Sun Dec 04 04:47:44 2005] [notice] x", "2005-12-04 04:47:44"],
    ["1700000000 x", "2023-11-14 22:13:20"],
    ["1700000000123 x", "2023-11-14 22:13:20"],
  ])("have a time in %s", (line, time) => {
    expect(new TimeFinder().find(line)?.time).toBe(time);
  });

  it("have no blank lines counted among their traces", async () => {
    const entry = "2024-01-01 10:00:00 ERROR [main] app.db.Pool: no more room\n";
    const { title } = await exploreText(`${entry}    at app.db.Pool.open\n\n${entry}\n`, { name: "a.log" });
    expect(title).toContain("5 lines");
    expect(title).toContain("1 line of traces");
  });

  it("are described by span, levels, problems and templates", async () => {
    const lines = Array.from({ length: 100 }, (_, i) => {
      const time = `2024-01-01 10:${String(Math.floor(i / 60)).padStart(2, "0")}:${String(i % 60).padStart(2, "0")}`;
      if (i % 10 === 3)
        return `${time} ERROR [main] app.db.Pool: Connection refused by 10.0.0.${i}:5432\n    at app.db.Pool.open(Pool.java:${i})`;
      return `${time} INFO [main] app.http.Server: answered request ${i * 977} in ${i} ms`;
    });
    const { kind, title, text } = await exploreText(lines.join("\n"), { name: "server.txt", piece: 100 });
    expect(kind).toBe("log");
    expect(title).toContain("from 2024-01-01 10:00:00 to 2024-01-01 10:01:39");
    expect(title).toContain("levels: error 10, info 90");
    expect(title).toContain("10 lines of traces");
    expect(text).toContain("10× ERROR [main] app.db.Pool: Connection refused by <*> (first in line 4)");
    expect(text).toContain(
      "90× INFO [main] app.http.Server: answered request <*> in <*> ms (first in line 1)",
    );
  });

  it("keep what follows a password's name to themselves", async () => {
    const lines = Array.from(
      { length: 5 },
      (_, i) => `Jun 14 15:16:0${i} host sshd[1]: Failed password for root from 10.0.0.1 port 22 ssh2`,
    );
    const { text } = await exploreText(lines.join("\n"));
    expect(text).toContain("Failed password for <*> from <*> port <*>");
    expect(text).not.toContain("root");
  });

  it("of one line, or of lines that are all different, take no more room", async () => {
    const one = await exploreText(`2024-01-01 10:00:00 INFO ${"word ".repeat(400_000)}`, { name: "a.log" });
    expect(one.kind).toBe("log");
    expect(one.tokens).toBeLessThan(400);
    const letters = (i: number) =>
      i.toString(26).replaceAll(/\d/g, (digit) => "qrstuvwxyz".charAt(Number(digit)));
    const many = Array.from(
      { length: 30_000 },
      (_, i) => `2024-01-01 10:00:00 INFO ${letters(i)} ${letters(i * 31)} ${letters(i * 7)}`,
    );
    expect((await exploreText(many.join("\n"))).tokens).toBeLessThanOrEqual(400);
  });
});
