import { expect, test } from "vitest";
import type { KeptSaid } from "@/lib/engine/said-so-far";
import { version } from "@/lib/engine/testing/kinds";
import { projectSaid } from "@/lib/outside/said";

const TEXT = "Dear Ann";
const SAID: KeptSaid = {
  node: "n",
  isInner: false,
  task: "",
  label: { integrity: "trusted", confidentiality: "internal", provenance: ["agent:plain"] },
  text: TEXT,
  tool: "docs__read",
};

const published = (external: object | null = {}, node: object = {}) =>
  version(
    [{ id: "n", kind: "agent", read_keys: ["topic"], write_keys: ["out"], config: { agent_id: "plain" }, ...node }],
    external === null ? {} : { external: { read_keys: ["out"], ...external } },
  );

const shown = (said: Partial<KeptSaid> = {}, graph = published()) => projectSaid(graph, { ...SAID, ...said });

test("shows words that become memory which the agent is shown", () => {
  expect(shown()).toBe(TEXT);
  expect(shown({}, published({ read_keys: ["*"] }))).toBe(TEXT);
});

test("quotes untrusted words with their sources", () => {
  const label = { ...SAID.label, integrity: "untrusted" as const };
  expect(JSON.parse(shown({ label }) ?? "")).toEqual({ $untrusted: { text: TEXT, sources: ["agent:plain"] } });
});

test.each([
  ["above the clearance", { label: { ...SAID.label, confidentiality: "pii" as const } }, published()],
  ["of a node whose results the agent is not shown", {}, published({ read_keys: ["topic"] })],
  ["of a node that also writes what the agent is not shown", {}, published({}, { write_keys: ["out", "person"] })],
  ["of a node that writes all keys", {}, published({}, { write_keys: ["*"] })],
  ["of a node that writes nothing", {}, published({}, { write_keys: [] })],
  ["in a subgraph, whose nodes may have the same names", { isInner: true }, published()],
  ["of a part of the node's work", { task: "voter.0" }, published()],
  ["of an unknown node", { node: "other" }, published()],
  ["in a graph without outside agents", {}, published(null)],
] as const)("hides words %s", (_, said, graph) => {
  expect(shown(said, graph)).toBeNull();
});

test("says nothing before the first word", () => {
  expect(shown({ text: "" })).toBeNull();
});
