import { expect, test } from "vitest";
import { addReason, reasonTemplatesSchema } from "./reason-templates";

test("reasons are trimmed single lines without doubles, at most 20 of 200 characters", () => {
  expect(reasonTemplatesSchema.parse([" Wrong customer ", "Wrong customer", "Amount"])).toEqual(["Wrong customer", "Amount"]);
  for (const wrong of [[" "], ["two\nlines"], ["x".repeat(201)], Array.from({ length: 21 }, (_, at) => `r${at}`)]) {
    expect(reasonTemplatesSchema.safeParse(wrong).success).toBe(false);
  }
});

test("a chosen reason keeps what is written, and is added once", () => {
  expect(addReason("  ", "Wrong customer")).toBe("Wrong customer");
  const both = addReason("Ask Jo.", "Wrong customer");
  expect(both).toBe("Ask Jo.\nWrong customer");
  expect(addReason(both, "Wrong customer")).toBe(both);
});
