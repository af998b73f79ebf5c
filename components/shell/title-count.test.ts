import { expect, test } from "vitest";
import { titleWith } from "./title-count";

test("prefixes the current count once, and none at zero", () => {
  expect(titleWith(2, "Runs · Countersign")).toBe("(2) Runs · Countersign");
  expect(titleWith(3, "(2) Runs · Countersign")).toBe("(3) Runs · Countersign");
  expect(titleWith(0, "(2) Runs · Countersign")).toBe("Runs · Countersign");
});
