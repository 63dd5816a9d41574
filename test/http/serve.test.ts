/** `lcm serve` as a process: what it says, what it answers, and how it ends. */
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { lcm, lcmJson, startLcm, temporaryFolder } from "../cli/lcm.ts";

async function start(store: string) {
  const process = startLcm(["--data", store, "serve", "--port", "0", "--create"]);
  let said = "";
  while (!said.includes("Ctrl-C")) {
    const [piece] = await once(process.stderr ?? process, "data");
    said += String(piece);
  }
  return { process, said, link: new URL(/Page +(\S+)/.exec(said)?.[1] ?? "") };
}

describe("lcm serve", () => {
  it("answers who has a token, and ends by itself on SIGTERM", async () => {
    const store = temporaryFolder();
    const { process, link } = await start(store);
    const { token, id } = await lcmJson<{ token: string; id: string }>([
      ...["--data", store, "token", "create", "laptop", "--right", "read"],
    ]);
    const list = () =>
      fetch(new URL("/api/v1/conversations/list", link), { headers: { authorization: `Bearer ${token}` } });
    expect(await (await list()).json()).toEqual({ conversations: [], next: null });
    await lcm(["--data", store, "token", "revoke", id]);
    expect((await list()).status).toBe(401);
    process.kill("SIGTERM");
    expect(await once(process, "close")).toEqual([0, null]);
  });

  it("takes no token without a name, and says which field is empty", async () => {
    const store = temporaryFolder();
    for (const [name, problem] of [
      ["", "empty"],
      ["  ", "blank"],
    ] as const) {
      const { code, stdout, stderr } = await lcm(["--data", store, "token", "create", name]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toBe(`error: token create: name must not be ${problem}\n`);
    }
  });

  it("makes no store by a slip, and listens for others only with a token", async () => {
    const store = `${temporaryFolder()}/none`;
    const slip = await lcm(["--data", store, "serve", "--port", "0"]);
    expect(slip).toMatchObject({ code: 3 });
    const open = await lcm(["--data", store, "serve", "--port", "0", "--create", "--host", "0.0.0.0"]);
    expect(open.code).toBe(2);
    expect(open.stderr).toContain("there is no token");
    expect((await lcm(["--data", store, "serve", "--port", "x"])).stderr).toContain(
      "invalid --port value 'x'",
    );
  });
});
