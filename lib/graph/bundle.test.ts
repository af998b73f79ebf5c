import { expect, test } from "vitest";
import { bundleDigest, bundleOf } from "@/lib/graph/bundle";
import { NODE_KINDS } from "@/lib/graph/kinds";
import { PROBLEMS } from "@/lib/graph/problems/problem";
import { digestOf } from "@/lib/hash";

test("the name of the rules covers every kind of node, every field and every code of a problem", () => {
  const text = JSON.stringify(bundleOf());
  for (const kind of Object.keys(NODE_KINDS)) expect(text).toContain(`"const":"${kind}"`);
  for (const code of Object.keys(PROBLEMS)) expect(text).toContain(`"${code}":`);
  expect(text).toContain('"rejection_node"');
  expect(bundleDigest()).toBe(digestOf("validator", bundleOf()));
});

test("another code, another bound or another number of the rules is another name", () => {
  const changed = [
    ['"dead_end":"error"', '"dead_end":"warning"'],
    ['"maxItems":10000', '"maxItems":10001'],
    ['"rules":3', '"rules":4'],
  ] as const;
  const text = JSON.stringify(bundleOf());
  for (const [from, to] of changed) {
    expect(text).toContain(from);
    expect(digestOf("validator", JSON.parse(text.replace(from, to)))).not.toBe(bundleDigest());
  }
});
