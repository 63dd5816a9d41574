import { expect, it } from "vitest";
import { Appended } from "./appended.ts";

it("tells each row once, also one that is seen later than those after it", () => {
  const list = [1, 2, 3];
  const appended = new Appended(3);
  const news = () => {
    const after = list.filter((position) => position > appended.after).toSorted((a, b) => b - a);
    return appended.news(after.slice(0, 3).map((position) => ({ position }))).map((row) => row.position);
  };
  expect(news()).toEqual([]);
  list.push(4, 6);
  expect(news()).toEqual([6, 4]);
  list.push(5);
  expect(news()).toEqual([5]);
  expect(news()).toEqual([]);
  list.splice(0, 5);
  expect(news()).toEqual([]);
});
