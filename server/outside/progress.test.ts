import { expect, test } from "vitest";
import { createProgress, type Progress } from "./progress";

const listen = () => {
  const heard: Progress[] = [];

  return { heard, tell: createProgress(async (progress) => void heard.push(progress)) };
};

test("each record is told once, without words", async () => {
  const { heard, tell } = listen();
  for (const version of [3, 3, 4, 4, 2]) await tell(version, null);

  expect(heard).toEqual([{ progress: 3 }, { progress: 4 }]);
});

test("words are told when they change, and the number rises between two records", async () => {
  const { heard, tell } = listen();
  await tell(3, null);
  for (const said of ["De", "De", "Dear", null, "Dear Ann"]) await tell(3, said);
  await tell(4, null);

  expect(heard.map(({ message }) => message)).toEqual([undefined, "De", "Dear", "Dear Ann", undefined]);
  const numbers = heard.map(({ progress }) => progress);
  expect(numbers.every((each, index) => index === 0 || each > (numbers[index - 1] ?? 0))).toBe(true);
  expect(numbers.at(-1)).toBe(4);
});

test("thousands of changes stay below the next record", async () => {
  const { heard, tell } = listen();
  for (let nth = 0; nth < 5_000; nth += 1) await tell(7, `word ${nth}`);

  const numbers = heard.map(({ progress }) => progress);
  expect(new Set(numbers).size).toBe(5_000);
  expect(numbers.at(-1)).toBeLessThan(8);
});
