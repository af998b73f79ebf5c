import { describe, expect, test } from "vitest";
import { withNode } from "@/lib/architect/testing/desk";
import { approveRequest, publishAlone, publishCase, requestPublish } from "@/server/architect/publishing";
import { drawn, openOffice, redrawn } from "@/server/architect/testing/fixture";
import { callerAs } from "@/server/testing/caller";
import { OPERATOR_ID } from "@/lib/operator";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("admin");

const waiting = async () => {
  const office = await openOffice(urls.admin);
  const { workspaceId, ben } = office;
  const graph = await drawn(office, ben);
  await publishAlone(workspaceId, ben, graph);
  const wider = withNode("write", { write_keys: ["draft", "done"], config: { agent_id: "writer", write_to: "draft" } });
  const revision = await redrawn(office, graph, ben, wider(graph.document));
  const { hash } = await publishCase(workspaceId, graph.id, revision);
  const asked = await requestPublish(workspaceId, { userId: ben, tokenId: null }, { id: graph.id, revision, hash });
  if (asked.status !== "requested") throw new Error(JSON.stringify(asked));

  return { ...office, graph, id: asked.id, hash };
};

const seenBy = async (caller: ReturnType<typeof callerAs>) => ({
  count: await caller.approvals.count(),
  answerable: (await caller.graphs.publishRequestList({ graph: null })).map(({ graphName, answerable }) => ({ graphName, answerable })),
});

describe("an open request", () => {
  test("counts only for uninvolved builders", async () => {
    const { workspaceId, ben, bea, graph } = await waiting();
    const graphName = graph.document.name;
    const notTheirs = { count: { open: 0, publishing: 0 }, answerable: [{ graphName, answerable: false }] };
    expect(await seenBy(callerAs(workspaceId, "builder", { id: bea }))).toEqual({
      count: { open: 0, publishing: 1 },
      answerable: [{ graphName, answerable: true }],
    });
    expect(await seenBy(callerAs(workspaceId, "builder", { id: ben }))).toEqual(notTheirs);
    for (const role of ["viewer", "reviewer", "admin"] as const) expect(await seenBy(callerAs(workspaceId, role))).toEqual(notTheirs);
  });

  test("counts in its workspace until answered", async () => {
    const { workspaceId, bea, cleo, id, hash } = await waiting();
    const elsewhere = await openOffice(urls.admin);
    expect(await callerAs(elsewhere.workspaceId, "builder", { id: elsewhere.bea }).approvals.count()).toEqual({ open: 0, publishing: 0 });
    await approveRequest(workspaceId, bea, id, hash);
    expect(await callerAs(workspaceId, "builder", { id: cleo }).approvals.count()).toEqual({ open: 0, publishing: 0 });
  });
});

describe("a version", () => {
  test("names its publisher and second person", async () => {
    const { workspaceId, bea, graph, id, hash } = await waiting();
    await approveRequest(workspaceId, bea, id, hash);
    const viewer = callerAs(workspaceId, "viewer");
    const listed = await viewer.graphs.versions({ id: graph.id });
    expect(listed).toMatchObject([
      { number: 2, authorName: "Ben", secondPerson: "Bea" },
      { number: 1, authorName: "Ben", secondPerson: null },
    ]);
    for (const { hash: name, authorName, secondPerson } of listed) {
      expect(await viewer.graphs.version({ hash: name })).toMatchObject({ authorName, secondPerson });
    }
  });

  test("names the operator who approved", async () => {
    const { workspaceId, graph, id, hash } = await waiting();
    await approveRequest(workspaceId, OPERATOR_ID, id, hash);
    expect(await callerAs(workspaceId, "viewer").graphs.versions({ id: graph.id })).toMatchObject([{ secondPerson: "the operator" }, {}]);
  });
});
