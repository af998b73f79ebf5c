import { randomUUID } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readAuthority } from "@/lib/architect/authority";
import { diffAuthority, widens } from "@/lib/architect/authority-diff";
import { withConfig, withKey, withNode } from "@/lib/architect/testing/desk";
import { AppError } from "@/lib/errors";
import type { Graph } from "@/lib/graph/document";
import { asAdmin } from "@/server/mcp/testing/registered";
import { storedSettings } from "@/server/models/testing/settings";
import { getVersion, listVersions } from "@/server/store/graphs/versions";
import { listPublishRequests } from "@/server/store/graphs/publish-requests";
import { testDatabase } from "@/server/testing/database";
import { approveRequest, declineRequest, publishAlone, publishCase, requestPublish } from "./publishing";
import { anotherDesk, drawn, openOffice, redrawn, type Office } from "./testing/fixture";

const urls = await testDatabase("admin");
const office = await openOffice(urls.admin);
const { workspaceId, ben, bea, cleo } = office;

const wider = (graph: Graph): Graph =>
  withNode("write", { write_keys: ["draft", "done"], config: { agent_id: "writer", write_to: "draft" } })(graph);

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "none",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

const ask = async (graphId: string, revision: number, userId: string): Promise<{ id: string; hash: string }> => {
  const { hash } = await publishCase(workspaceId, graphId, revision);
  const asked = await requestPublish(workspaceId, { userId, tokenId: null }, { id: graphId, revision, hash });
  if (asked.status !== "requested") throw new Error(JSON.stringify(asked));

  return { id: asked.id, hash };
};

const changed = async (change: (graph: Graph) => Graph, by: string = ben, where: Office = office) => {
  const graph = await drawn(where, ben);
  const first = await publishAlone(workspaceId, ben, graph);
  if (first.status !== "published") throw new Error(JSON.stringify(first));

  const document = change(graph.document);

  return { id: graph.id, document, revision: await redrawn(where, graph, by, document) };
};

describe("one person is enough", () => {
  test("for a first version drawn by people", async () => {
    expect(await publishAlone(workspaceId, ben, await drawn(office, ben))).toMatchObject({ status: "published", version: { number: 1 } });
  });

  test("for a version with less authority", async () => {
    const draft = await changed((graph) => ({ ...graph, max_iterations: 5 }));
    expect(await publishAlone(workspaceId, ben, draft)).toMatchObject({ status: "published", version: { number: 2 } });
  });
});

test("refuses to publish a version whose agent has a disallowed model", async () => {
  const elsewhere = await openOffice(urls.admin);
  const graph = await drawn(elsewhere, elsewhere.ben);
  const model = "anthropic:claude-opus-5";
  const setting = { model, allowed: false, price: null, defaults: [], revision: 1 };
  await asAdmin(urls.admin, `update agent set body = jsonb_set(body, '{model}', to_jsonb($2::text)) where workspace_id = $1`, [
    elsewhere.workspaceId,
    model,
  ]);
  await storedSettings(urls.admin, elsewhere.workspaceId, { providers: [], models: [setting] });
  expect(await codeOf(publishAlone(elsewhere.workspaceId, elsewhere.ben, graph))).toBe("bad_request");
  const { hash } = await publishCase(elsewhere.workspaceId, graph.id, graph.revision);
  const asker = { userId: elsewhere.ben, tokenId: null };
  expect(await codeOf(requestPublish(elsewhere.workspaceId, asker, { ...graph, hash }))).toBe("bad_request");
  await storedSettings(urls.admin, elsewhere.workspaceId, { providers: [], models: [{ ...setting, allowed: true, revision: 2 }] });
  expect(await publishAlone(elsewhere.workspaceId, elsewhere.ben, graph)).toMatchObject({ status: "published" });
});

describe("a first version with an effect that only its author may approve", () => {
  const note = { server: "shop", tool: "note" };
  const loose = () =>
    anotherDesk((graph) =>
      withNode("refund", {
        effect: "write",
        approval: "by_rule",
        compensation: { ...note, arguments: { about: { argument: "about" } } },
      })(withConfig("refund", note)(graph)),
    );

  test("can't be published by its author alone, whatever it was imported from", async () => {
    const graph = await drawn(office, ben, loose());
    const { secondPerson } = await publishCase(workspaceId, graph.id, graph.revision);
    expect(secondPerson).toMatchObject({ needed: true, why: "unattended", unattended: [{ node: "refund", tool: "shop__note" }] });
    expect(await publishAlone(workspaceId, ben, graph)).toMatchObject({ status: "needs_second_person" });
    expect(await listVersions(workspaceId, graph.id)).toEqual([]);
  });

  test("is published with an uninvolved person's approval", async () => {
    const graph = await drawn(office, ben, loose());
    const request = await ask(graph.id, graph.revision, ben);
    expect(await codeOf(approveRequest(workspaceId, ben, request.id, request.hash))).toBe("forbidden");
    expect(await approveRequest(workspaceId, bea, request.id, request.hash)).toMatchObject({ number: 1, authorId: ben });
  });
});

describe("a version that may do more", () => {
  test.each([
    ["a grant", wider],
    ["a limit", (graph: Graph) => ({ ...graph, max_iterations: 21 })],
    ["a quorum", withConfig("ask", { quorum: 1 })],
    ["strict taint", (graph: Graph) => ({ ...graph, strict_taint: false })],
    ["a protected key", withKey("checked", { protected: false })],
  ])("waits for a second person: %s", async (_name, change) => {
    const draft = await changed(change);
    expect(await publishAlone(workspaceId, ben, draft)).toMatchObject({ status: "needs_second_person" });
    expect(await listVersions(workspaceId, draft.id)).toHaveLength(1);
  });

  test("is published by its requester once an uninvolved person approves", async () => {
    const draft = await changed(wider);
    const request = await ask(draft.id, draft.revision, ben);
    expect(await approveRequest(workspaceId, bea, request.id, request.hash)).toMatchObject({
      number: 2,
      hash: request.hash,
      authorId: ben,
    });
    const [row] = await listPublishRequests(workspaceId, draft.id);
    expect(row).toMatchObject({ status: "approved", requesterName: "Ben", deciderName: "Bea" });
  });

  test("can't be approved by its requester or an author of its draft", async () => {
    const draft = await changed(wider);
    const revision = await redrawn(office, draft, bea, { ...draft.document, name: "Desk two" });
    const request = await ask(draft.id, revision, bea);
    expect(await codeOf(approveRequest(workspaceId, bea, request.id, request.hash))).toBe("forbidden");
    expect(await codeOf(approveRequest(workspaceId, ben, request.id, request.hash))).toBe("forbidden");
    expect(await codeOf(approveRequest(workspaceId, cleo, request.id, request.hash))).toBe("none");
  });

  test("is bound to its content: a rename, a later draft or a later version voids the request", async () => {
    const draft = await changed(wider);
    const request = await ask(draft.id, draft.revision, ben);
    expect(await codeOf(approveRequest(workspaceId, bea, request.id, "0".repeat(64)))).toBe("conflict");
    await redrawn(office, draft, ben, { ...draft.document, max_iterations: 400 });
    expect(await codeOf(approveRequest(workspaceId, bea, request.id, request.hash))).toBe("conflict");
    expect(await listVersions(workspaceId, draft.id)).toHaveLength(1);
  });

  test("can be declined, which is final", async () => {
    const draft = await changed(wider);
    const request = await ask(draft.id, draft.revision, ben);
    await declineRequest(workspaceId, bea, request.id, "Why does it need that?");
    expect(await codeOf(approveRequest(workspaceId, bea, request.id, request.hash))).toBe("conflict");
    expect(await codeOf(declineRequest(workspaceId, cleo, request.id, ""))).toBe("conflict");
  });

  test("replaces an earlier request", async () => {
    const draft = await changed(wider);
    const first = await ask(draft.id, draft.revision, ben);
    const second = await ask(draft.id, draft.revision, ben);
    expect(await codeOf(approveRequest(workspaceId, bea, first.id, first.hash))).toBe("conflict");
    expect(await codeOf(approveRequest(workspaceId, bea, second.id, second.hash))).toBe("none");
  });

  test("is published once when two people approve at the same time", async () => {
    const draft = await changed(wider);
    const request = await ask(draft.id, draft.revision, ben);
    const codes = await Promise.all([bea, cleo].map((who) => codeOf(approveRequest(workspaceId, who, request.id, request.hash))));
    expect(codes.toSorted()).toEqual(["conflict", "none"]);
    expect(await listVersions(workspaceId, draft.id)).toHaveLength(2);
  });
});

describe("the publish_request table", () => {
  test("rejects an involved person's approval even if the program allows it", async () => {
    const draft = await changed(wider);
    const request = await ask(draft.id, draft.revision, ben);
    const approve = "update publish_request set status = 'approved', decided_by = $2, decided_at = now() where id = $1";
    await expect(asAdmin(urls.admin, approve, [request.id, ben])).rejects.toThrow("second_person");
    await asAdmin(urls.admin, approve, [request.id, bea]);
    await expect(asAdmin(urls.admin, approve, [request.id, cleo])).rejects.toThrow("is decided");
  });

  test("rejects a request by an uninvolved person", async () => {
    const insert = `insert into publish_request (workspace_id, id, graph_id, revision, hash, requested_by, involved, changes)
                    values ($1, $2, $3, 1, 'x', $4, '{}', '[]')`;
    await expect(asAdmin(urls.admin, insert, [workspaceId, randomUUID(), randomUUID(), ben])).rejects.toThrow("asker_is_involved");
  });
});

describe("what an architect drew", () => {
  const byArchitect = async (document: Graph) => {
    const graph = await drawn(office, ben, document);
    const jobId = randomUUID();
    await asAdmin(
      urls.admin,
      `insert into architect_job (workspace_id, id, user_id, model, body, status) values ($1, $2, $3, 'scripted:honest', '\\x00', 'done')`,
      [workspaceId, jobId, cleo],
    );
    await asAdmin(urls.admin, "alter table graph_revision disable trigger insert_only", []);
    await asAdmin(urls.admin, "update graph_revision set job_id = $2, untrusted = true where graph_id = $1", [graph.id, jobId]);
    await asAdmin(urls.admin, "alter table graph_revision enable trigger insert_only", []);

    return graph;
  };
  const harmless = (graph: Graph): Graph => ({
    ...graph,
    nodes: graph.nodes.filter(({ id }) => id === "write"),
    edges: [],
    end_nodes: ["write"],
  });

  test("is published only by a person who names its content hash", async () => {
    const graph = await byArchitect(anotherDesk(harmless));
    expect(await codeOf(publishAlone(workspaceId, ben, graph))).toBe("bad_request");
    expect(await codeOf(publishAlone(workspaceId, ben, { ...graph, hash: "0".repeat(64) }))).toBe("conflict");
    const { hash, lineage } = await publishCase(workspaceId, graph.id, 1);
    expect(lineage).toMatchObject({ byArchitect: true, untrusted: true });
    expect(await publishAlone(workspaceId, ben, { ...graph, hash })).toMatchObject({ status: "published" });
  });

  test("counts as widening from nothing when it has effects, and its asker is not a second person", async () => {
    const graph = await byArchitect(anotherDesk());
    const { hash } = await publishCase(workspaceId, graph.id, 1);
    expect(await publishAlone(workspaceId, ben, { ...graph, hash })).toMatchObject({ status: "needs_second_person" });
    const request = await ask(graph.id, 1, ben);
    expect(await codeOf(approveRequest(workspaceId, cleo, request.id, hash))).toBe("forbidden");
    expect(await codeOf(approveRequest(workspaceId, bea, request.id, hash))).toBe("none");
  });
});

test("never widens authority over a published version without a second person", async () => {
  const changes = fc.constantFrom<(graph: Graph) => Graph>(
    wider,
    (graph) => ({ ...graph, max_iterations: 5 }),
    (graph) => ({ ...graph, max_iterations: 90 }),
    (graph) => ({ ...graph, strict_taint: false }),
    (graph) => ({ ...graph, name: `${graph.name} again` }),
    withConfig("ask", { quorum: 3 }),
    withConfig("ask", { quorum: 1 }),
    withNode("refund", { approval: "by_rule" }),
    withNode("refund", { title: "Thanks" }),
    withConfig("refund", { arguments: { about: { from: "checked" }, amount: { value: 9 } } }),
    withKey("draft", { max_bytes: 10 }),
  );
  let published = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 3 }), async (several) => {
      const draft = await changed((graph) => several.reduce((one, change) => change(one), graph));
      const outcome = await publishAlone(workspaceId, ben, draft);
      if (outcome.status !== "published" || outcome.version.number === 1) return;
      published += 1;
      const [newest, before] = await Promise.all(
        (await listVersions(workspaceId, draft.id)).map(({ hash }) => getVersion(workspaceId, hash)),
      );
      expect(widens(diffAuthority(readAuthority(before!.published), readAuthority(newest!.published)))).toBe(false);
      expect(newest!.published.graph.strict_taint).toBe(true);
      expect(newest!.published.graph.max_iterations).toBeLessThanOrEqual(20);
    }),
    { numRuns: 40 },
  );
  expect(published).toBeGreaterThan(3);
});
