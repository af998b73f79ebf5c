import { expect, test } from "vitest";
import { toProgress } from "./reported-progress";

const redact = (text: string): string => text.replaceAll("hunter2", "[secret]");

test("removing characters does not reassemble a split secret", () => {
  expect(toProgress({ progress: 1, message: "hun\0ter2" }, redact)?.message).toBe("[secret]");
  expect(toProgress({ progress: 1, message: "so far" }, redact)?.message).toBe("so far");
});
