import { expect, test } from "vitest";
import { graphSchema } from "@/lib/graph/document";
import { computeVersionHash } from "@/lib/graph/publish";
import { toCanonicalJson, type Json } from "@/lib/json";
import { readVersion } from "@/server/store/ledger/version-text";

const versionOf = (name: string) => {
  const published = {
    graph: graphSchema.parse({
      format: "countersign/graph/v1",
      id: "one",
      name,
      inputs: { type: "object", properties: {} },
      memory: [],
      nodes: [{ id: "only", kind: "router", read_keys: [], write_keys: [], config: {} }],
      edges: [],
      start_node: "only",
      end_nodes: ["only"],
    }),
    agents: [],
    tools: [],
    subgraphs: [],
  };

  return { hash: computeVersionHash(published), document: toCanonicalJson(JSON.parse(JSON.stringify(published)) as Json) };
};

test("a cached version is reread when its text changed, and then does not match its hash", () => {
  const stored = versionOf("Payments");
  const read = readVersion(stored);
  expect(read?.published.graph.name).toBe("Payments");
  expect(readVersion({ ...stored })).toBe(read);
  expect(readVersion({ ...stored, document: stored.document.replace("Payments", "payments") })).toBeNull();
  expect(readVersion({ ...stored, document: versionOf("Other").document })).toBeNull();
  expect(readVersion(stored)?.published).toEqual(read?.published);
});

test("malformed text is no version under any name", () => {
  for (const document of ["", "{", "null", "{}"]) expect(readVersion({ hash: "0".repeat(64), document })).toBeNull();
});
