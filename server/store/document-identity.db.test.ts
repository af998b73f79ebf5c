import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { agentSchema, graphSchema } from "@/lib/graph/document";
import { saveAgent } from "@/server/store/agents";
import { testDatabase } from "@/server/testing/database";
import { createCaller } from "@/server/trpc/root";

await testDatabase("web");
const workspace = { id: randomUUID(), name: "Test", demo: false };
const as = () => {
  const id = randomUUID();
  const user = { id, name: "Builder", email: `${id}@test.invalid` };

  return createCaller({
    requestId: id,
    address: "test",
    host: null,
    signedIn: async () => ({ user, workspace, role: "builder" as const, auditor: false }),
  });
};
await saveAgent(workspace.id, agentSchema.parse({ id: "thinker", name: "Thinker" }), null);

const graphOf = (id: string, readKeys: readonly string[]) =>
  graphSchema.parse({
    format: "countersign/graph/v1",
    id,
    name: `Reads ${readKeys.length}`,
    inputs: { type: "object", properties: { question: { type: "string" }, note: { type: "string" } }, additionalProperties: false },
    memory: ["question", "note", "answer"].map((key) => ({ key, schema: { type: "string" } })),
    nodes: [{ id: "think", kind: "agent", read_keys: readKeys, write_keys: ["answer"], config: { agent_id: "thinker" } }],
    edges: [],
    start_node: "think",
    end_nodes: ["think"],
    budget_usd: 1,
  });

test("nobody publishes wider content under another graph's id, alone, as the first version of a graph of their own", async () => {
  const trusted = await as().graphs.import({ document: graphOf("trusted", ["question"]) });
  expect(await as().graphs.publish({ id: trusted.id, revision: 1 })).toMatchObject({ status: "published" });

  const thief = as();
  const { id } = await thief.graphs.create({ name: "Mine" });
  await thief.graphs.save({ id, revision: 1, document: graphOf("trusted", ["question", "note"]) });
  await expect(thief.graphs.publish({ id, revision: 2 })).rejects.toThrow("Another graph is published under the id trusted");
  expect(await thief.graphs.versions({ id })).toEqual([]);
});

test("of two graphs that are published under one id at the same moment, one is", async () => {
  const people = [as(), as()];
  const drafts = await Promise.all(
    people.map(async (person, index) => {
      const { id } = await person.graphs.create({ name: `Race ${index}` });
      await person.graphs.save({ id, revision: 1, document: { ...graphOf("raced", ["question"]), name: `Race ${index}` } });

      return { person, id };
    }),
  );
  const answers = await Promise.allSettled(drafts.map(({ person, id }) => person.graphs.publish({ id, revision: 2 })));

  expect(answers.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});
