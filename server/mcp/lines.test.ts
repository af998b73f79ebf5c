import { expect, test } from "vitest";
import { createLines } from "./lines";

const TEXT = "first\nsecond — ü\n\nthird, unfinished";

test.for([1, 2, 7, 1_000])("lines come out whole, in chunks of %i bytes", (size) => {
  const take = createLines(100);
  const bytes = Buffer.from(TEXT);
  const taken: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) taken.push(take(bytes.subarray(at, at + size)) ?? Buffer.alloc(0));
  expect(taken.every((lines) => lines.length === 0 || lines.at(-1) === 0x0a)).toBe(true);
  expect(Buffer.concat(taken).toString()).toBe("first\nsecond — ü\n\n");
  expect(take(Buffer.from("!\n"))?.toString()).toBe("third, unfinished!\n");
});

test("a line is refused once it is longer than allowed, finished lines do not count", () => {
  const take = createLines(10);
  for (let line = 0; line < 5; line += 1) expect(take(Buffer.from("12345678\n"))?.length).toBe(9);
  take(Buffer.from("1234567890"));
  expect(() => take(Buffer.from("1"))).toThrow("too long");
});

test("bytes handed out stay as they were", () => {
  const take = createLines(100);
  take(Buffer.from("a"));
  const first = take(Buffer.from("b\nc"));
  take(Buffer.from("dddddddddd"));
  expect(first?.toString()).toBe("ab\n");
});
