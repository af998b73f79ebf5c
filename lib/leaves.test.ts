import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isJsonObject, type Json } from "@/lib/json";
import { listLeaves, splitParts, type Place } from "@/lib/leaves";

const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);

const at = (value: Json, place: Place): Json | undefined =>
  place.reduce<Json | undefined>((part, name) => {
    if (Array.isArray(part)) return (part as readonly Json[])[Number(name)];

    return isJsonObject(part) ? part[name] : undefined;
  }, value);

describe("leaves of a value", () => {
  test("include each part once at its place", () => {
    fc.assert(
      fc.property(json, (value) => {
        const leaves = listLeaves(value);
        expect(new Set(leaves.map(({ place }) => JSON.stringify(place))).size).toBe(leaves.length);
        for (const leaf of leaves) expect(at(value, leaf.place)).toEqual(leaf.value);
      }),
    );
  });

  test("keep empty lists and objects", () => {
    expect(listLeaves({ to: [], extra: {} })).toEqual([
      { place: ["to"], value: [] },
      { place: ["extra"], value: {} },
    ]);
  });

  test("show additions, removals, replacements and unchanged parts", () => {
    const parts = splitParts({ plan: "starter", tags: ["a", "b"], note: null }, { plan: "pro", tags: ["a"], note: null, seats: 3 });
    expect(Object.fromEntries(parts.map(({ place, op }) => [place.join("."), op]))).toEqual({
      plan: "replace",
      "tags.0": "same",
      "tags.1": "remove",
      note: "same",
      seats: "add",
    });
  });

  test("show no difference to the value itself, and all of it against nothing", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(splitParts(value, value).every(({ op }) => op === "same")).toBe(true);
        expect(splitParts(undefined, value).every(({ op }) => op === "add")).toBe(true);
        expect(splitParts(value, undefined).every(({ op }) => op === "remove")).toBe(true);
      }),
    );
  });
});
