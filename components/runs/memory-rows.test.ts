import { expect, test } from "vitest";
import { CLEAN, type Integrity } from "@/lib/graph/label";
import { listZones, type MemoryRow } from "./memory-rows";

const row = (path: string, integrity: Integrity): MemoryRow => ({
  id: path,
  path,
  seq: 1,
  index: 0,
  label: { ...CLEAN, integrity },
  shown: { kind: "value", value: 1 },
});

test("groups memory by zone, most trusted first, keeping the order and leaving out empty zones", () => {
  const found = listZones([row("a", "untrusted"), row("b", "trusted"), row("c", "untrusted"), row("d", "reviewed")]);
  expect(found.map(({ integrity, rows }) => [integrity, rows.map(({ path }) => path)])).toEqual([
    ["trusted", ["b"]],
    ["reviewed", ["d"]],
    ["untrusted", ["a", "c"]],
  ]);
  expect(listZones([row("a", "untrusted")]).map(({ integrity }) => integrity)).toEqual(["untrusted"]);
});
