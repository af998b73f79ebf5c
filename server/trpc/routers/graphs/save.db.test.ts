import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { graphSchema, type Graph } from "@/lib/graph/document";
import { callerAs } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";

await testDatabase("web");
const workspace = randomUUID();
const someone = () => callerAs(workspace, "builder");
const builder = someone();

const documentNamed = (name: string, more: Partial<Graph> = {}): Graph =>
  graphSchema.parse({
    format: "countersign/graph/v1",
    id: "one",
    name,
    nodes: [{ id: "only", kind: "router", config: {} }],
    edges: [],
    start_node: "only",
    end_nodes: ["only"],
    ...more,
  });

const saved = async (name: string) => {
  const { id } = await builder.graphs.create({ name });
  const answer = await builder.graphs.save({ id, revision: 1, document: documentNamed(name) });
  if (answer.status !== "saved") throw new Error(JSON.stringify(answer));

  return { id, hash: answer.hash };
};
const nodeCount = async (id: string) => (await builder.graphs.get({ id })).document.nodes.length;

describe("a save on an outdated revision", () => {
  test("overwrites nothing and returns the current content with its authors", async () => {
    const { id, hash } = await saved("Shared");
    const mine = { id, revision: 1, document: documentNamed("Mine") };
    const newest = { status: "conflict", revision: 2, hash, next: hash, document: documentNamed("Shared") };
    expect(await builder.graphs.save(mine)).toEqual({ ...newest, by: [null] });
    expect(await someone().graphs.save(mine)).toEqual({ ...newest, by: ["a former member"] });
    expect(await builder.graphs.get({ id })).toEqual({ id, revision: 2, hash, document: documentNamed("Shared"), isDeleted: false });
  });

  test("returns its successor's content, so that a lost answer is recognised", async () => {
    const { id, hash } = await saved("Landed");
    await someone().graphs.save({ id, revision: 2, document: documentNamed("Upon it") });
    expect(await builder.graphs.save({ id, revision: 1, document: documentNamed("Again") })).toMatchObject({ revision: 3, next: hash });
  });
});

describe("an empty graph", () => {
  const empty = documentNamed("Empty", { nodes: [], end_nodes: [] });

  test("replaces a graph with nodes only when confirmed", async () => {
    const { id, hash } = await saved("Full");
    const refused = { status: "refused", code: "empty_replaces" };
    expect(await builder.graphs.save({ id, revision: 2, base: hash, document: empty })).toEqual(refused);
    expect(await nodeCount(id)).toBe(1);
    expect(await builder.graphs.save({ id, revision: 2, base: hash, document: empty, allowEmpty: true })).toMatchObject({ revision: 3 });
    expect(await nodeCount(id)).toBe(0);
  });

  test("at an outdated revision conflicts first", async () => {
    const { id } = await saved("Moved on");
    expect(await builder.graphs.save({ id, revision: 1, document: empty })).toMatchObject({ status: "conflict" });
  });
});

test("a signed-out person's page saves nothing in another's name", async () => {
  const { id } = await saved("Theirs");
  const change = { id, revision: 2, document: documentNamed("Changed by another person") };
  expect(await builder.graphs.save({ ...change, author: randomUUID() })).toEqual({ status: "refused", code: "other_person" });
  expect((await builder.graphs.get({ id })).document.name).toBe("Theirs");
});

describe("one graph saved as another", () => {
  const refused = { status: "refused", code: "other_graph" };

  test("is rejected when known under another id", async () => {
    const { id } = await saved("Here");
    expect(await builder.graphs.save({ id, revision: 2, document: documentNamed("There", { id: "two" }) })).toEqual(refused);
    expect((await builder.graphs.get({ id })).document.name).toBe("Here");
  });

  test("is rejected when based on other content, even at the same revision and id", async () => {
    const [here, there] = [await saved("Here"), await saved("There")];
    const mixed = { id: here.id, revision: 2, base: there.hash, document: documentNamed("There, changed") };
    expect(await builder.graphs.save(mixed)).toEqual(refused);
    expect((await builder.graphs.get({ id: here.id })).document.name).toBe("Here");
    expect(await builder.graphs.save({ ...mixed, id: there.id })).toMatchObject({ status: "saved", revision: 3 });
  });
});
