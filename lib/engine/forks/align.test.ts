import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { align } from "@/lib/engine/forks/align";

const lists = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 12 });

describe("aligning two lists", () => {
  test("keeps every item of both once and in order, pairing equal ones only", () => {
    fc.assert(
      fc.property(lists, lists, (a, b) => {
        const pairs = align(a, b);
        expect(pairs.flatMap((pair) => pair.a ?? [])).toEqual([...a.keys()]);
        expect(pairs.flatMap((pair) => pair.b ?? [])).toEqual([...b.keys()]);
        const paired = pairs.flatMap((pair) => (pair.a === null || pair.b === null ? [] : [[a[pair.a], b[pair.b]]]));
        expect(paired.filter(([one, other]) => one !== other)).toEqual([]);
      }),
    );
  });

  test("finds insertions, deletions and changes", () => {
    expect(align(["s", "x", "y", "e"], ["s", "y", "z", "e"])).toEqual([
      { a: 0, b: 0 },
      { a: 1, b: null },
      { a: 2, b: 1 },
      { a: null, b: 2 },
      { a: 3, b: 3 },
    ]);
  });

  test("pairs by index when lists are too long", () => {
    const long = Array.from({ length: 2_000 }, (_, at) => `a${at}`);
    const other = Array.from({ length: 2_001 }, (_, at) => `b${at}`);

    expect(align(long, other).at(-1)).toEqual({ a: null, b: 2_000 });
    expect(align(long, other)[0]).toEqual({ a: 0, b: 0 });
  });
});
