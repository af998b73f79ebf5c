import fc from "fast-check";
import { expect, test } from "vitest";
import { diffLines } from "./diff-lines";

const said = (a: string, b: string) => diffLines(a, b).map(({ kind, text }) => `${{ same: " ", removed: "-", added: "+" }[kind]}${text}`);

test("marks removed and added lines and keeps equal ones", () => {
  expect(said('{\n  "plan": "team"\n}', '{\n  "plan": "business"\n}')).toEqual([" {", '-  "plan": "team"', '+  "plan": "business"', " }"]);
  expect(said("", "a")).toEqual(["+a"]);
  expect(said("a", "")).toEqual(["-a"]);
});

test("each side can be read back from the lines", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c")).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(text, text, (a, b) => {
      const lines = diffLines(a, b);
      const side = (other: "added" | "removed") =>
        lines
          .filter(({ kind }) => kind !== other)
          .map((line) => line.text)
          .join("\n");
      expect([side("added"), side("removed")]).toEqual([a, b]);
    }),
  );
});
