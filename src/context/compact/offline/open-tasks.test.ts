import { describe, expect, it } from "vitest";
import { call, message, result } from "../testing/source-samples.ts";
import { doneTasks, openTasks } from "./open-tasks.ts";
import { toolEvents } from "./tool-event.ts";

const plan = (...tasks: readonly (readonly [string, string])[]) => ({
  todos: tasks.map(([content, status]) => ({ content, status })),
});
const commit = (command: string, status: "completed" | "error" = "completed") =>
  toolEvents([
    message(1, "assistant", call("a", "bash", { command })),
    message(2, "tool", result("a", "", status)),
  ]);

describe("the tasks of an agent", () => {
  const events = toolEvents([
    message(
      1,
      "assistant",
      call("a", "TodoWrite", plan(["Write it", "in_progress"], ["Test it; twice", "pending"])),
    ),
    message(
      2,
      "assistant",
      call("b", "TodoWrite", plan(["Write it", "completed"], ["Test it; twice", "in_progress"])),
    ),
    message(
      3,
      "assistant",
      call("c", "TodoWrite", plan(["Test it; twice", "in_progress"], ["Drop it", "cancelled"])),
    ),
  ]);

  it("are open as its newest list says", () => {
    expect(openTasks(events)).toEqual(["Test it, twice (in progress)"]);
  });

  it("are done when any of its lists said so", () => {
    expect(doneTasks(events)).toEqual(["Write it"]);
  });
});

describe("a commit", () => {
  it.each([
    ['git add -A && git commit -m "Add the \\"fast\\" path"', 'Add the \\"fast\\" path'],
    ["git commit -am 'Drop the old reader'", "Drop the old reader"],
    [
      "git commit -m \"$(cat <<'EOF'\nMove files; keep names\n\nBecause of links.\nEOF\n)\"",
      "Move files, keep names",
    ],
  ])("is done: %j", (command, subject) => {
    expect(doneTasks(commit(command))).toEqual([subject]);
  });

  it("that failed is not, nor is one that is only read", () => {
    expect(doneTasks(commit('git commit -m "Add it"', "error"))).toEqual([]);
    expect(doneTasks(commit("git log -m 5"))).toEqual([]);
  });
});
