import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { NODE_KINDS } from "@/lib/graph/kinds";

const NAMES = Object.keys(NODE_KINDS).join("|");

/** `node.kind === "…"`, and lists of kinds. Members of other unions with the same name are not called `kind`. */
const COMPARISON = new RegExp(
  String.raw`\bkind (?:===|!==) "(?:${NAMES})"|(?:\["kind"\]|NodeKind)\[\] = \["(?:${NAMES})"|case "(?:${NAMES})":(?=[^}]*node satisfies never)`,
  "gu",
);

const files = globSync("{lib,server,components,app,bin}/**/*.{ts,tsx}").filter(
  (file) => !/\.test\.tsx?$|\/testing\/|^lib\/graph\/kinds\/|^server\/db\/generated\//u.test(file),
);

const countIn = (file: string): number => [...readFileSync(file, "utf8").matchAll(COMPARISON)].length;

/** One file each, with the reason for its comparison. */
const ARGUED: Readonly<Record<string, number>> = {
  // Only an answer in one piece can be requested again.
  "lib/engine/decide/changes.ts": 1,
  // Fixes that edit members of one config.
  "lib/graph/problems/ceilings.ts": 1,
  "lib/graph/problems/grants.ts": 1,
  "lib/graph/problems/identity.ts": 1,
  // Rules about one config alone.
  "lib/graph/problems/judges.ts": 1,
  "lib/graph/problems/limits.ts": 1,
  // Grants of a new agent, and the form of an agent's answer.
  "lib/graph/wiring.ts": 2,
  // A map's items.
  "server/executors/map-item.ts": 1,
  "server/executors/map.ts": 1,
  // The scripted architect edits graphs that are not parsed yet.
  "server/models/scripted/architect-graphs.ts": 2,
};

it("compares kinds by name only where it is argued", () => {
  const found = Object.fromEntries(files.map((file) => [file, countIn(file)] as const).filter(([, count]) => count > 0));
  expect(found).toEqual(ARGUED);
  expect(Object.values(found).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(15);
});

it("finds each form of a comparison", () => {
  const found = (text: string) => [...text.matchAll(COMPARISON)].length;
  expect(found(`if (node.kind === "tool" || kind !== "map") return;`)).toBe(2);
  expect(found(`const X: readonly GraphNode["kind"][] = ["agent", "tool"];`)).toBe(1);
  expect(found(`const X: readonly NodeKind[] = ["review"];`)).toBe(1);
  expect(found(`switch (node.kind) { case "agent":\n case "tool": return 1; default: return node satisfies never; }`)).toBe(2);
  expect(found(`switch (gate.reason) { case "review": return 1; default: return gate.reason satisfies never; }`)).toBe(0);
});
