import { expect, test } from "vitest";
import { toBudget } from "./budget";

test("parses a run's budget within the limits of the version", () => {
  const graph = { max_token_budget: 100, budget_usd: 0.5 };
  expect(toBudget(graph, { tokens: "", usd: "" })).toEqual({ limits: {}, problems: { tokens: null, usd: null } });
  expect(toBudget(graph, { tokens: " 100 ", usd: "0.5" })).toEqual({
    limits: { max_token_budget: 100, budget_micro_usd: 500_000 },
    problems: { tokens: null, usd: null },
  });
  expect(toBudget(graph, { tokens: "101", usd: "0.500001" })).toEqual({
    limits: {},
    problems: { tokens: "At most 100, the limit of this version.", usd: "At most $0.50, the limit of this version." },
  });
  expect(toBudget({}, { tokens: "0", usd: "0" }).limits).toEqual({ max_token_budget: 0, budget_micro_usd: 0 });
  for (const wrong of ["-1", "1.5", "ten", "1e9"]) expect(toBudget({}, { tokens: wrong, usd: "" }).problems.tokens).not.toBeNull();
  for (const wrong of ["-1", "1.2345678", "ten", "$1"]) expect(toBudget({}, { tokens: "", usd: wrong }).problems.usd).not.toBeNull();
});

test("accepts exactly the limit of the version", () => {
  for (const usd of ["2.01", "4.1", "0.0157", "0.57"]) {
    expect(toBudget({ budget_usd: Number(usd) }, { tokens: "", usd }).problems.usd).toBeNull();
  }
});
