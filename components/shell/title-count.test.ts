import { expect, test } from "vitest";
import { formatTitle } from "./title-count";

test("prefixes the current count once, and none at zero", () => {
  expect(formatTitle(2, "Runs · Countersign")).toBe("(2) Runs · Countersign");
  expect(formatTitle(3, "(2) Runs · Countersign")).toBe("(3) Runs · Countersign");
  expect(formatTitle(0, "(2) Runs · Countersign")).toBe("Runs · Countersign");
});
