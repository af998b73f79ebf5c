import { expect, test } from "vitest";
import { graphSchema, pinnedToolSchema } from "@/lib/graph/document";
import type { GraphFile } from "@/server/cli/graph-file";
import { splitParts } from "@/server/cli/graph-parts";
import { useDatabase } from "@/server/db/client";
import { getVersion, listUsableVersions } from "@/server/store/graphs/versions";
import { testDatabase } from "@/server/testing/database";
import { publishHeadless, runProblems } from "./installation";

const urls = await testDatabase();
await useDatabase(urls.admin);

const SEND = pinnedToolSchema.parse({
  server: "mail",
  tool: "send",
  definition_digest: "0".repeat(64),
  description: "",
  input_schema: {},
  effect: "irreversible",
  idempotent: false,
});

const graphOf = (id: string, node: object) =>
  graphSchema.parse({
    format: "countersign/graph/v1",
    id,
    name: id,
    memory: [{ key: "answer", schema: {} }],
    nodes: [{ id: "only", write_keys: ["answer"], ...node }],
    edges: [],
    start_node: "only",
    end_nodes: ["only"],
    max_token_budget: 1_000,
  });

const sends = graphOf("sends", { kind: "tool", config: { server: "mail", tool: "send" } });
const uses = graphOf("uses", { kind: "subgraph", config: { graph_id: "sends", outputs: { answer: "answer" } } });
const file: GraphFile = { graph: uses, agents: [], subgraphs: [{ graph: sends, agents: [], subgraphs: null }] };
const parts = splitParts(file, () => ({ agents: [], tools: [SEND], versions: [] }));

test("publishes every graph of a file in the run's workspace and runs the file's own", async () => {
  const place = await publishHeadless(parts, ["reviewer"]);
  const stored = await getVersion(place.workspaceId, place.graphHash);
  expect(stored?.published).toEqual(place.published);
  expect(stored?.published.subgraphs).toMatchObject([{ graph: { id: "sends" }, tools: [{ effect: "irreversible" }] }]);
  const usable = await listUsableVersions(place.workspaceId);
  expect(new Set(usable.map(({ published }) => published.graph.id))).toEqual(new Set(["sends", "uses"]));
});

test("requires a drawn gate for a subgraph's tool only when the tool is named", () => {
  const gates = (spokenOf: readonly string[]) =>
    runProblems(parts, new Set(spokenOf)).flatMap(({ code, ids }) => (code === "ungated_effect" ? [ids[0]] : []));
  expect(gates([])).toEqual([]);
  expect(gates(["mail__send"])).toContain("sends");
});
