import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { expect, test } from "vitest";
import { graphSchema, type PublishedGraph } from "@/lib/graph/document";
import { toPlainVersion, computeVersionHash } from "@/lib/graph/publish";
import { toCanonicalJson } from "@/lib/json";
import { useDatabase } from "@/server/db/client";
import { publishVersion, listUsableVersions } from "@/server/store/graphs/versions";
import { createGraph } from "@/server/store/graphs/graphs";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("web");
const authorId = randomUUID();

const graphNamed = (id: string, name: string) =>
  graphSchema.parse({
    format: "countersign/graph/v1",
    id,
    name,
    nodes: [{ id: "only", kind: "router", config: {} }],
    edges: [],
    start_node: "only",
    end_nodes: ["only"],
  });

const versionNamed = (id: string, name: string): PublishedGraph => ({ graph: graphNamed(id, name), agents: [], tools: [], subgraphs: [] });

const publishAll = async (workspace: string, id: string, names: readonly string[]): Promise<string[]> => {
  const graph = await createGraph(workspace, { document: graphNamed(id, "Draft"), authorId });
  const hashes: string[] = [];
  // The runner freezes versions.
  await useDatabase(urls.runner);
  for (const name of names) {
    hashes.push((await publishVersion(workspace, { graphId: graph.id, published: versionNamed(id, name), authorId })).hash);
  }
  await useDatabase(urls.web);

  return hashes;
};

const asAdmin = async (sql: string, values: readonly unknown[]): Promise<void> => {
  const client = new Client({ connectionString: urls.admin });
  await client.connect();
  try {
    await client.query(sql, [...values]);
  } finally {
    await client.end();
  }
};

/** Bypasses the application. */
const insertVersions = async (workspace: string, rows: readonly { readonly hash: string; readonly document: string }[]): Promise<void> => {
  await asAdmin(
    `with rows as (select gen_random_uuid() as graph_id, hash, document from unnest($2::text[], $3::text[]) as given (hash, document)),
     graphs as (insert into graph (workspace_id, id, name) select $1::uuid, graph_id, 'Given' from rows)
     insert into graph_version (workspace_id, hash, graph_id, number, document, author_id)
     select $1::uuid, hash, graph_id, 1, document, $4::uuid from rows`,
    [workspace, rows.map(({ hash }) => hash), rows.map(({ document }) => document), authorId],
  );
};

const row = (published: PublishedGraph) => ({ hash: computeVersionHash(published), document: toCanonicalJson(toPlainVersion(published)) });

test("the newest version of each graph is usable, and an older one by name", async () => {
  const workspace = randomUUID();
  const [older, newer] = await publishAll(workspace, "a", ["one", "two"]);
  const [other] = await publishAll(workspace, "b", ["one"]);
  expect(new Set((await listUsableVersions(workspace)).map(({ version }) => version))).toEqual(new Set([newer, other]));

  const named = await listUsableVersions(workspace, [older ?? "", newer ?? ""]);
  expect(new Set(named.map(({ version }) => version))).toEqual(new Set([older, newer, other]));
  expect(named.at(-1)).toMatchObject({ version: older, number: 1, published: versionNamed("a", "one") });
});

test("other workspaces' versions are not usable, even by name", async () => {
  const [hash = ""] = await publishAll(randomUUID(), "a", ["one"]);
  expect(await listUsableVersions(randomUUID(), [hash])).toEqual([]);
});

test("a row that does not match its hash is skipped alone", async () => {
  const workspace = randomUUID();
  const sound = row(versionNamed("a", "sound"));
  const forged = { hash: "f".repeat(64), document: row(versionNamed("b", "forged")).document };
  await insertVersions(workspace, [sound, forged, { hash: "e".repeat(64), document: "{" }]);
  expect((await listUsableVersions(workspace, [forged.hash])).map(({ version }) => version)).toEqual([sound.hash]);
});

test("of many graphs the 200 published last are offered", async () => {
  const workspace = randomUUID();
  const rows = Array.from({ length: 201 }, (_, index) => row(versionNamed(`g${index}`, "Given")));
  await insertVersions(workspace, rows);
  const offered = new Set((await listUsableVersions(workspace)).map(({ version }) => version));
  expect(offered.size).toBe(200);
  const left = rows.find(({ hash }) => !offered.has(hash))?.hash ?? "";
  expect((await listUsableVersions(workspace, [left])).at(-1)).toMatchObject({ version: left });
});
