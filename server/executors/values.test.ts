import { assert, array, property, string } from "fast-check";
import { expect, test } from "vitest";
import { mergeParts, splitParts } from "@/server/executors/merge";
import { listDistinctFacts, listSentences } from "@/server/executors/sentences";

const view = { b: { x: 1, y: [2] }, a: "text", list: [1, [2]] };

test("a merge keeps the grants' order, skips absent values, and has no duplicates", () => {
  const parts = splitParts(["list", "missing", "a", "b.x", "a"], view);

  expect(mergeParts(parts, "object")).toEqual({ list: [1, [2]], a: "text", "b.x": 1 });
  expect(mergeParts(parts, "list")).toEqual([1, [2], "text", 1]);
  expect(mergeParts(parts, "text")).toBe("[1,[2]]\n\ntext\n\n1");
  expect(splitParts(["*"], view).map(({ path }) => path)).toEqual(["b", "a", "list"]);
  expect(splitParts(["constructor", "b.__proto__"], view)).toEqual([]);
});

test("extracts long enough sentences from every text in a value, in order", () => {
  const values = [{ mail: "The plan is Team. Ok!\nIt costs 3.50 a month.", n: 4 }, ["Ann pays by card."]];

  expect(listSentences(values, 5)).toEqual(["The plan is Team.", "It costs 3.50 a month.", "Ann pays by card."]);
});

test("facts are distinct, bounded in number and length, and never empty or malformed", () => {
  expect(listDistinctFacts(["The  plan\nis Team.", "the plan is team.", " ", "Second."], 5)).toEqual(["The plan is Team.", "Second."]);
  assert(
    property(array(string({ unit: "binary", maxLength: 5_000 })), (texts) => {
      const facts = listDistinctFacts(texts, 3);
      expect(facts.length).toBeLessThanOrEqual(3);
      expect(new Set(facts.map((fact) => fact.toLowerCase())).size).toBe(facts.length);
      for (const fact of facts) expect(fact !== "" && fact.length <= 2_000 && fact.isWellFormed()).toBe(true);
    }),
  );
  // Truncating within a surrogate pair would leave ill-formed text.
  expect(listDistinctFacts([`${"x".repeat(1_999)}😀`], 1)[0]?.isWellFormed()).toBe(true);
});
