import { expect, test } from "vitest";
import { terminalText } from "./terminal-text.mjs";

const every = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code)).filter((char) => char.isWellFormed());

test("removes controls except tab and newline, and bidirectional ones, and nothing else", () => {
  const changed = every.filter((char) => terminalText(char) !== char);

  const ranges: [number, number][] = [
    [0x00, 0x08],
    [0x0b, 0x1f],
    [0x7f, 0x9f],
    [0x61c, 0x61c],
    [0x200e, 0x200f],
    [0x202a, 0x202e],
    [0x2066, 0x2069],
  ];
  expect(changed.map((char) => char.charCodeAt(0))).toEqual(
    ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index)),
  );
  expect(terminalText("é 🎉 עברית\n\t…")).toBe("é 🎉 עברית\n\t…");
});

test("shows a control, and keeps a JSON document's values", () => {
  expect(terminalText("\u001b]0;x\u0007 \u009b2J \u202e\r")).toBe(String.raw`\u001b]0;x\u0007 \u009b2J \u202e\u000d`);
  const value = { "a\u009b": every.join("") };
  expect(JSON.parse(terminalText(JSON.stringify(value, null, 2)))).toEqual(value);
});
