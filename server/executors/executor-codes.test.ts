import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { describeEndReason } from "@/lib/engine/end-reasons";
import { isExecutorCode } from "@/lib/executor-codes";

it("every code of an executor is listed, so that the log can name it", async () => {
  const files = (await readdir(import.meta.dirname)).filter((name) => name.endsWith(".ts") && !name.includes(".test."));
  const texts = await Promise.all(files.map((name) => readFile(path.join(import.meta.dirname, name), "utf8")));
  const codes = texts.flatMap((text) => [...text.matchAll(/createFailure\("(?<code>\w+)"/gu)].map(({ groups }) => groups?.["code"] ?? ""));
  expect(codes.length).toBeGreaterThan(15);
  expect(codes.filter((code) => !isExecutorCode(code) && describeEndReason(code) === null)).toEqual([]);
});
