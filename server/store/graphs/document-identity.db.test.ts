import { expect, test } from "vitest";
import { agentSchema } from "@/lib/graph/document";
import { oneStepGraph } from "@/lib/graph/testing/one-step";
import { testWorkspace } from "@/server/mcp/testing/registered";
import { saveAgent } from "@/server/store/agents/agents";
import { answeringPlane } from "@/server/testing/answering";
import { testDatabase } from "@/server/testing/database";
import { callerOfMember } from "@/server/testing/member";

const urls = await testDatabase("admin");
const plane = await answeringPlane(urls.admin);
const workspace = await testWorkspace(urls.admin);
const as = () => callerOfMember(urls.admin, plane, workspace, "builder");
await saveAgent(workspace, agentSchema.parse({ id: "thinker", name: "Thinker" }), null);

test("rejects wider content under another graph's id, published alone as a first version", async () => {
  const owner = await as();
  const trusted = await owner.graphs.import({ document: oneStepGraph("trusted", ["question"]) });
  expect(await owner.graphs.publish({ id: trusted.id, revision: 1 })).toMatchObject({ status: "published" });

  const thief = await as();
  const { id } = await thief.graphs.create({ name: "Mine" });
  await thief.graphs.save({ id, revision: 1, document: oneStepGraph("trusted", ["question", "note"]) });
  await expect(thief.graphs.publish({ id, revision: 2 })).rejects.toThrow("Another graph is published under the id trusted");
  expect(await thief.graphs.versions({ id })).toEqual([]);
});

test("of two concurrent publications under one id, one succeeds", async () => {
  const people = [await as(), await as()];
  const drafts = await Promise.all(
    people.map(async (person, index) => {
      const { id } = await person.graphs.create({ name: `Race ${index}` });
      await person.graphs.save({ id, revision: 1, document: { ...oneStepGraph("raced", ["question"]), name: `Race ${index}` } });

      return { person, id };
    }),
  );
  const answers = await Promise.allSettled(drafts.map(({ person, id }) => person.graphs.publish({ id, revision: 2 })));

  expect(answers.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});
