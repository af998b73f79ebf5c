import { expect, it } from "vitest";
import { describeErrorFrames } from "@/server/error-frames";

const thrownBy = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

it("names an error and its frames without the value that its message quotes", () => {
  const error = thrownBy(() => JSON.parse("hunter2") as unknown);
  expect(String(error)).toContain("hunter2");
  const text = describeErrorFrames(error);
  expect(text).toMatch(/^SyntaxError\n\s+at .*error-frames\.test\.ts:\d+:\d+/u);
  expect(text).not.toContain("hunter2");
});

it.each([
  ["a message that looks like a frame", new Error("x\n    at hunter2 (hunter2.ts:1:1)")],
  ["a changed message", Object.assign(new Error("hunter2"), { message: "other" })],
  ["a name with a value", Object.assign(new Error("x"), { name: "no hunter2" })],
  ["a text that was thrown", "hunter2"],
])("leaves %s out", (_what, error) => {
  expect(describeErrorFrames(error)).not.toContain("hunter2");
});
