import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe as group, expect, test, vi } from "vitest";
import { openStand, type Stand } from "@/server/outside/testing/fixture";
import { query } from "@/server/runner/testing/desk";
import { DRAFT, openCalls, type Calls } from "./testing/calls";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const open = await openStand();
let stand: Stand;
let api: Calls;

beforeAll(async () => {
  stand = await open();
  api = await openCalls(stand);
});
afterAll(() => stand.close());

group("a graph", () => {
  const readDraft = (id: string) => api.call("getGraph", { graphId: id });

  test("is imported as a draft, read, and proposed for publication", async () => {
    const imported = await api.call("importGraph", {}, { body: { document: DRAFT } });
    const draft = await readDraft(String(imported["id"]));
    expect(draft).toMatchObject({ revision: 1, version: null, document: { id: imported["documentId"], name: "Imported" } });
    const builder = await api.account({ ownerId: stand.desk.people.builder, scopes: ["graphs:write"] });
    const body = { revision: draft["revision"], hash: draft["hash"] };
    const asked = await api.call("requestPublication", { graphId: String(imported["id"]) }, { body, token: builder.token });
    expect(asked["status"]).toBe("requested");
    const [row] = await query<{ status: string; hash: string }>(
      stand.desk.urls.admin,
      "select status, hash from publish_request where id = $1",
      [asked["id"]],
    );
    expect(row).toMatchObject({ status: "open", hash: draft["hash"] });
    expect((await readDraft(String(imported["id"])))["version"]).toBeNull();
  });

  test("is saved over exactly its revision, once, and compared", async () => {
    const id = String((await api.call("importGraph", {}, { body: { document: DRAFT } }))["id"]);
    const graph = { graphId: id };
    const draft = { ...((await readDraft(graph.graphId))["document"] as object), name: "Saved" };
    const { token: builder } = await api.account({ ownerId: stand.desk.people.builder, scopes: ["graphs:write"] });
    const sent = { token: builder, body: { revision: 1, document: draft } };
    const admins = await api.send("POST", `/graphs/${id}/revisions`, { body: sent.body });
    expect([admins.status, await admins.json()]).toEqual([403, expect.objectContaining({ refusal: "role_missing" })]);
    expect(await api.call("saveDraft", graph, sent)).toEqual({ revision: 2 });
    expect(await api.call("saveDraft", graph, sent)).toEqual({ revision: 2 });
    const save = (body: object) => api.send("POST", `/graphs/${id}/revisions`, { token: builder, body });
    const late = await save({ revision: 1, document: { ...draft, name: "Late" } });
    expect([late.status, await late.json()]).toEqual([409, expect.objectContaining({ code: "conflict" })]);
    expect((await save({ revision: 2, document: { ...draft, id: "other" } })).status).toBe(409);
    expect((await save({ revision: 2, document: { ...draft, nodes: [] } })).status).toBe(409);
    expect((await readDraft(graph.graphId))["document"]).toEqual(expect.objectContaining({ name: "Saved" }));
    const contents = { before: { type: "draft" }, after: { type: "document", document: { ...draft, max_iterations: 400 } } };
    expect(await api.call("compareGraph", graph, { body: contents })).toMatchObject({
      secondPerson: "wider",
      parts: [{ part: "setting", id: "max_iterations", mark: "changed" }],
    });
    expect(await api.call("listPublicationRequests", graph)).toEqual({ items: [] });
    expect((await api.send("GET", `/graphs/${id}/version`)).status).toBe(404);
    const version = await api.call("getVersion", { graphId: api.graphId }, {}, "?number=1");
    expect(version).toMatchObject({ number: 1, document: { id: "support-desk" } });
    expect((await api.send("GET", `/graphs/${api.graphId}/version?number=9`)).status).toBe(404);
  });

  test("keeps its id, or is refused", async () => {
    const kept = { ...DRAFT, id: `kept-${randomUUID()}` };
    const imported = await api.call("importGraph", {}, { body: { document: kept, keepsId: true } });
    expect(imported["documentId"]).toBe(kept.id);
    const named = await api.call("listGraphs", {}, {}, `?documentId=${kept.id}`);
    expect(named["items"]).toMatchObject([{ id: imported["id"] }]);
    const again = await api.send("POST", "/graphs", { body: { document: kept, keepsId: true } });
    expect([again.status, await again.json()]).toEqual([409, expect.objectContaining({ code: "conflict" })]);
  });

  test("is imported once by concurrent requests with one Idempotency-Key", async () => {
    const key = randomUUID();
    const sent = { body: { document: DRAFT }, headers: { "Idempotency-Key": key } };
    const answers = await Promise.all(Array.from({ length: 6 }, () => api.call("importGraph", {}, sent)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect((await readDraft(String(answers[0]?.["id"])))["document"]).toMatchObject({ id: answers[0]?.["documentId"] });
  });
});
