import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { describe, expect, test } from "vitest";
import { graphSchema, type Graph } from "@/lib/graph/document";
import { computeVersionHash } from "@/lib/graph/publish";
import { useDatabase } from "@/server/db/client";
import { getVersion, listVersions, publishVersion } from "@/server/store/graphs/versions";
import { createGraph, getGraph, listGraphs, saveRevision } from "@/server/store/graphs/graphs";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("web");
const workspace = randomUUID();
const authorId = randomUUID();

const graphNamed = (name: string): Graph =>
  graphSchema.parse({
    format: "countersign/graph/v1",
    id: "g",
    name,
    nodes: [{ id: "only", kind: "router", config: {} }],
    edges: [],
    start_node: "only",
    end_nodes: ["only"],
  });

const published = (name: string) => ({ graph: graphNamed(name), agents: [], tools: [], subgraphs: [] });

const fresh = (name = "First") => createGraph(workspace, { document: graphNamed(name), authorId });

const asAdmin = async (sql: string, values: readonly unknown[]): Promise<unknown> => {
  const client = new Client({ connectionString: urls.admin });
  await client.connect();
  try {
    return await client.query(sql, [...values]);
  } finally {
    await client.end();
  }
};

const asRunner = async <T>(act: () => Promise<T>): Promise<T> => {
  await useDatabase(urls.runner);
  try {
    return await act();
  } finally {
    await useDatabase(urls.web);
  }
};

const publish = (graphId: string, content: string) => publishVersion(workspace, { graphId, published: published(content), authorId });

describe("revisions", () => {
  test("a graph round-trips through its creation", async () => {
    const created = await fresh();
    expect(await getGraph(workspace, created.id)).toEqual(created);
    expect((await listGraphs(workspace)).find((graph) => graph.id === created.id)).toMatchObject({
      name: "First",
      revision: 1,
      version: null,
    });
  });

  test("a save becomes the newest revision", async () => {
    const { id } = await fresh();
    expect(await saveRevision(workspace, id, { revision: 1, document: graphNamed("Second"), authorId })).toEqual({ ok: true, value: 2 });
    expect(await getGraph(workspace, id)).toEqual({ id, revision: 2, document: graphNamed("Second") });
  });

  test("of two saves on one revision exactly one wins, and the other gets the current content", async () => {
    const { id } = await fresh();
    const names = ["mine", "yours", "theirs"];
    const saves = await Promise.all(
      names.map((name) => saveRevision(workspace, id, { revision: 1, document: graphNamed(name), authorId })),
    );
    const winner = saves.findIndex((save) => save?.ok);
    expect(saves.filter((save) => save?.ok)).toHaveLength(1);
    for (const save of saves.filter((other) => !other?.ok)) {
      expect(save).toEqual({
        ok: false,
        error: { revision: 2, document: graphNamed(names[winner]!), authorIds: [authorId], next: graphNamed(names[winner]!) },
      });
    }
    expect((await getGraph(workspace, id))?.document.name).toBe(names[winner]);
  });

  test("another workspace can neither read nor save", async () => {
    const { id } = await fresh();
    const other = randomUUID();
    expect(await getGraph(other, id)).toBeNull();
    expect(await listGraphs(other)).toEqual([]);
    expect(await saveRevision(other, id, { revision: 1, document: graphNamed("spy"), authorId })).toBeNull();
  });

  test("a saved revision is immutable, even for the database owner", async () => {
    const { id } = await fresh();
    await expect(asAdmin("update graph_revision set document = '{}' where graph_id = $1", [id])).rejects.toThrow(/insert-only/u);
  });
});

describe("versions", () => {
  test("a version is named by the digest of its content and read back whole", async () => {
    const { id } = await fresh();
    const version = await asRunner(() => publish(id, "v1"));
    expect(version).toMatchObject({ hash: computeVersionHash(published("v1")), number: 1, graphId: id, authorId });
    expect(await getVersion(workspace, version.hash)).toMatchObject({ published: published("v1") });
    expect(await getVersion(randomUUID(), version.hash)).toBeNull();
    expect((await listGraphs(workspace)).find((graph) => graph.id === id)?.version).toEqual({ hash: version.hash, number: 1 });
  });

  test("equal content is published once, other content gets the next number", async () => {
    const { id } = await fresh();
    const all = await asRunner(() => Promise.all(["a", "a", "b", "c"].map((name) => publish(id, name))));
    expect(all[0]).toEqual(all[1]);
    expect(new Set(all.map((version) => version.number))).toEqual(new Set([1, 2, 3]));
    expect((await listVersions(workspace, id)).map((version) => version.number)).toEqual([3, 2, 1]);
  });

  test("another graph's version is not reported as this one's", async () => {
    const [one, other] = [await fresh(), await fresh("Second")];
    await asRunner(() => publish(one.id, "shared"));

    await expect(asRunner(() => publish(other.id, "shared"))).rejects.toThrow("Another graph has published exactly this content");
    expect(await listVersions(workspace, other.id)).toEqual([]);
  });

  test("a version is immutable, even for the database owner", async () => {
    const { id } = await fresh();
    const { hash } = await asRunner(() => publish(id, "fixed"));
    await expect(asAdmin("update graph_version set document = '{}' where hash = $1", [hash])).rejects.toThrow(/insert-only/u);
    await expect(asAdmin("delete from graph_version where hash = $1", [hash])).rejects.toThrow(/insert-only/u);
  });

  test("a row forged past the triggers is a fault, not a graph", async () => {
    const { id } = await fresh();
    const forged = "f".repeat(64);
    await asAdmin(
      "insert into graph_version (workspace_id, hash, graph_id, number, document, author_id) values ($1, $2, $3, 9, '{}', $4)",
      [workspace, forged, id, authorId],
    );
    await expect(getVersion(workspace, forged)).rejects.toThrow(/not what its hash names/u);
  });
});
