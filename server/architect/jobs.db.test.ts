import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { buildDesk } from "@/lib/architect/testing/desk";
import { AppError } from "@/lib/errors";
import type { Graph } from "@/lib/graph/document";
import { systemClock } from "@/server/clock";
import { useDatabase } from "@/server/db/client";
import { asAdmin } from "@/server/mcp/testing/registered";
import { useSameModels, type Models } from "@/server/models/contract";
import { createModels } from "@/server/models/sdk/in-process";
import { HOSTILE_GRAPHS } from "@/server/models/scripted/architect-compromised";
import { cancelArchitectJob, endArchitectJob, getArchitectJob, listUnfinishedArchitectJobs } from "@/server/store/agents/architect-jobs";
import { listVersions } from "@/server/store/graphs/versions";
import { getGraph, listGraphs } from "@/server/store/graphs/graphs";
import { listPublishRequests } from "@/server/store/graphs/publish-requests";
import { testDatabase } from "@/server/testing/database";
import { acceptJob, askArchitect, ownJob, toJobView, type ChangeWish } from "./ask";
import { approveRequest, publishAlone, publishCase, requestPublish } from "./publishing";
import { anotherDesk, drawn, openOffice, VAULT } from "./testing/fixture";
import { architectDraft, architectPublish, architectValidate, type ArchitectCall } from "./tools";
import { workOnJob } from "./work";
import { workArchitectJobs } from "./worker";

const plain = (graph: Graph) => z.json().parse(JSON.parse(JSON.stringify(graph)));

const urls = await testDatabase("admin");
const office = await openOffice(urls.admin);
const { workspaceId, ben, bea } = office;
const scripted = createModels({});
const asBen = { userId: ben, tokenId: null };

const stopped: AbortController[] = [];
const working: Promise<void>[] = [];

const runner = (models: Models = scripted): AbortController => {
  const controller = new AbortController();
  stopped.push(controller);
  working.push(workArchitectJobs({ vault: VAULT, modelsFor: useSameModels(models), clock: systemClock }, controller.signal));

  return controller;
};

afterEach(async () => {
  for (const one of stopped.splice(0)) one.abort();
  await Promise.all(working.splice(0));
});

const look = async (id: string, who = ben) => toJobView(VAULT, workspaceId, await ownJob(workspaceId, who, id));

const over = (id: string) =>
  vi.waitFor(
    async () => {
      const view = await look(id);
      expect(["done", "failed", "cancelled"]).toContain(view.status);

      return view;
    },
    { timeout: 20_000, interval: 50 },
  );

const wish = (description: string, model = "scripted:honest", pasted = "") => ({ description, pasted, model });

const changeOf = async (
  graph: { id: string; revision: number; document: Graph },
  description: string,
  model?: string,
): Promise<ChangeWish> => ({
  ...wish(description, model),
  graphId: graph.id,
  revision: graph.revision,
  document: graph.document,
});

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "none",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

const hanging = (): { models: Models; asked: Promise<void> } => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const models: Models = {
    ...scripted,
    generate: (_request, signal) => {
      resolve();

      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("given up")), { once: true }));
    },
  };

  return { models, asked: promise };
};

describe("a job", () => {
  test("is drawn by a runner, taken once as its asker's draft, and marked when pasted text took part", async () => {
    runner();
    const id = await askArchitect(VAULT, workspaceId, asBen, wish("Answer a question", "scripted:honest", "An instruction in the data"));
    const view = await over(id);
    expect(view).toMatchObject({ status: "done", attempt: 1, untrusted: true, tried: [] });
    expect(view.tokens).toBeGreaterThan(1_000);
    const before = (await listGraphs(workspaceId)).length;
    const job = await ownJob(workspaceId, ben, id);
    const taken = await acceptJob(VAULT, workspaceId, job);
    if (taken.status !== "saved") throw new Error("not saved");
    expect(await codeOf(acceptJob(VAULT, workspaceId, job))).toBe("conflict");
    expect(await listGraphs(workspaceId)).toHaveLength(before + 1);
    const found = await publishCase(workspaceId, taken.graphId, 1);
    expect(found.lineage).toMatchObject({ byArchitect: true, untrusted: true, involved: [ben] });
  });

  test("is hidden from other people, who can neither stop nor take it", async () => {
    const id = await askArchitect(VAULT, workspaceId, asBen, wish("Answer a question"));
    expect(await codeOf(ownJob(workspaceId, bea, id))).toBe("not_found");
    await cancelArchitectJob(workspaceId, id);
    runner();
    expect(await over(id)).toMatchObject({ status: "cancelled", code: "cancelled", proposal: null });
  });

  test("can be stopped during a model call, whose worst-case cost stays recorded", async () => {
    const { models, asked } = hanging();
    runner(models);
    const id = await askArchitect(VAULT, workspaceId, asBen, wish("Answer a question"));
    await asked;
    await cancelArchitectJob(workspaceId, id);
    expect(await over(id)).toMatchObject({ status: "cancelled" });
    expect((await look(id)).tokens).toBeGreaterThan(8_000);
  });

  test("survives its runner: the next one takes it up", async () => {
    const { models, asked } = hanging();
    const first = runner(models);
    const id = await askArchitect(VAULT, workspaceId, asBen, wish("Answer a question"));
    await asked;
    first.abort();
    await Promise.all(working.splice(0));
    expect((await look(id)).status).toBe("working");
    runner();
    expect(await over(id)).toMatchObject({ status: "done" });
  });

  test("ends with a code when no runner ever finishes it", async () => {
    const id = await askArchitect(VAULT, workspaceId, asBen, wish("Answer a question"));
    await asAdmin(urls.admin, "update architect_job set starts = 3 where id = $1", [id]);
    runner();
    expect(await over(id)).toMatchObject({ status: "failed", code: "interrupted" });
  });

  test("ends with a code when its content can't be opened", async () => {
    const id = await askArchitect(VAULT, workspaceId, asBen, wish("Answer a question"));
    await asAdmin(urls.admin, "update architect_job set body = '\\x0102' where id = $1", [id]);
    runner();
    expect(await over(id)).toMatchObject({ status: "failed", code: "unreadable" });
  });

  test("ends before a call that would exceed its token or time limit", async () => {
    const id = await askArchitect(VAULT, workspaceId, asBen, wish("Answer a question"));
    await asAdmin(urls.admin, "update architect_job set tokens = 590000 where id = $1", [id]);
    const slow = await askArchitect(VAULT, workspaceId, asBen, wish("Answer a question"));
    await asAdmin(urls.admin, "update architect_job set started_at = now() - interval '1 hour' where id = $1", [slow]);
    runner();
    expect(await over(id)).toMatchObject({ status: "failed", code: "token_limit" });
    expect(await over(slow)).toMatchObject({ status: "failed", code: "time_limit" });
  });

  test("ends with a code when its model is missing", async () => {
    runner();
    expect(await over(await askArchitect(VAULT, workspaceId, asBen, wish("x", "openai:nothing")))).toMatchObject({ code: "model_unknown" });
  });

  test("is limited to three at a time per person", async () => {
    const ids = await Promise.all([1, 2, 3].map(() => askArchitect(VAULT, workspaceId, { userId: bea, tokenId: null }, wish("x"))));
    expect(await codeOf(askArchitect(VAULT, workspaceId, { userId: bea, tokenId: null }, wish("x")))).toBe("rate_limited");
    for (const id of ids) await endArchitectJob(id, { status: "cancelled", code: "cancelled", result: null }, systemClock.now());
  });

  test("keeps a save made during a change job", async () => {
    const graph = await drawn(office, ben);
    runner();
    const id = await askArchitect(VAULT, workspaceId, asBen, await changeOf(graph, "Two people shall decide"));
    expect(await over(id)).toMatchObject({ status: "done" });
    await asAdmin(urls.admin, "update graph set revision = 2 where id = $1", [graph.id]);
    await asAdmin(
      urls.admin,
      "insert into graph_revision (workspace_id, graph_id, revision, document, author_id) select workspace_id, graph_id, 2, document, author_id from graph_revision where graph_id = $1",
      [graph.id],
    );
    expect(await acceptJob(VAULT, workspaceId, await ownJob(workspaceId, ben, id))).toEqual({ status: "conflict" });
  });
});

test("lets the web process ask and stop, but not write results", async () => {
  const id = await askArchitect(VAULT, workspaceId, asBen, wish("Answer a question"));
  await useDatabase(urls.web);
  try {
    const other = await askArchitect(VAULT, workspaceId, asBen, wish("Answer a question"));
    expect(await cancelArchitectJob(workspaceId, other)).toBe(true);
    await expect(endArchitectJob(id, { status: "done", code: null, result: null }, 0)).rejects.toThrow("permission denied");
    expect(await getArchitectJob(randomUUID(), id)).toBeNull();
  } finally {
    await useDatabase(urls.admin);
  }
  for (const job of await listUnfinishedArchitectJobs())
    await endArchitectJob(job.id, { status: "cancelled", code: "cancelled", result: null }, 0);
});

test("never publishes an adversarial architect's wildcard, loosened limit or ungated irreversible effect", async () => {
  const graph = await drawn(office, ben, anotherDesk());
  const first = await publishAlone(workspaceId, ben, graph);
  expect(first.status).toBe("published");
  const deps = { vault: VAULT, modelsFor: useSameModels(scripted), clock: systemClock };

  for (const attack of Object.keys(HOSTILE_GRAPHS)) {
    for (const target of [null, graph]) {
      const model = "scripted:compromised";
      const words = `Please attack ${attack}`;
      const asked = target ? await changeOf(target, words, model) : wish(words, model);
      const id = await askArchitect(VAULT, workspaceId, asBen, asked);
      const job = await ownJob(workspaceId, ben, id);
      await workOnJob(deps, job, new AbortController().signal);
      const view = await look(id);
      // A change of a graph is never taken; a new graph only without anything forbidden.
      expect([view.status, view.code]).toEqual(view.proposal ? ["done", null] : ["failed", "given_up"]);
      if (view.proposal === null) continue;
      expect(target).toBeNull();
      const taken = await acceptJob(VAULT, workspaceId, await ownJob(workspaceId, ben, id));
      if (taken.status !== "saved") throw new Error("not saved");
      expect(await codeOf(publishAlone(workspaceId, ben, { id: taken.graphId, revision: 1 }))).toBe("bad_request");
      const document = (await getGraph(workspaceId, taken.graphId))?.document;
      const grants = document?.nodes.flatMap((node) => [...node.read_keys, ...node.write_keys]);
      expect(grants).not.toContain("*");
      expect(document?.nodes.filter((node) => node.kind === "tool" && node.config.tool === "refund")).toEqual([]);
    }
  }
  const [version, ...others] = await listVersions(workspaceId, graph.id);
  expect(others).toEqual([]);
  expect(version?.number).toBe(1);
});

describe("for outside agents", () => {
  const call = (
    scopes: ArchitectCall["principal"]["scopes"] = ["architect"],
    token = randomUUID(),
    graphs: ArchitectCall["graphs"] = null,
  ): ArchitectCall => ({
    vault: VAULT,
    workspaceId,
    principal: { type: "agent", token, owner: ben, scopes },
    graphs,
    requestVersion: async (draft) => {
      const asked = await requestPublish(workspaceId, { userId: ben, tokenId: token }, draft);
      if (asked.status !== "requested") throw new AppError("invalid_graph");

      return asked.id;
    },
  });

  test("denies calls without the scope and jobs of other tokens", async () => {
    runner();
    expect(await codeOf(architectValidate(call([]), { document: {} }))).toBe("forbidden");
    const mine = call();
    const drawnFor = await architectDraft(mine, { ...wish("Answer a question"), wait_ms: 20_000 });
    expect(drawnFor).toMatchObject({ status: "done", attempts: 4 });
    expect(await codeOf(architectPublish(call(), { job: drawnFor.job }))).toBe("not_found");
  });

  test("hides graphs outside the token's scope", async () => {
    const [one, other] = [await drawn(office, ben), await drawn(office, ben)];
    const limited = call(["architect"], randomUUID(), [one.id]);
    const document = plain(buildDesk());
    expect(await codeOf(architectValidate(limited, { document, graph_id: one.id }))).toBe("none");
    expect(await codeOf(architectValidate(limited, { document, graph_id: other.id }))).toBe("not_found");
    expect(await codeOf(architectDraft(limited, { ...wish("Change it"), graph_id: other.id, wait_ms: 0 }))).toBe("not_found");
  });

  test("validates an agent's own graph by the architect's rules", async () => {
    expect(await architectValidate(call(), { document: plain(buildDesk()) })).toMatchObject({ ok: true });
    const everything = buildDesk((graph) => ({ ...graph, nodes: graph.nodes.map((node) => ({ ...node, read_keys: ["*"] })) }));
    const judged = await architectValidate(call(), { document: plain(everything) });
    expect(judged.problems.map(({ code }) => code)).toContain("wildcard");
  });

  test("only requests publication, and the token's owner is not a second person", async () => {
    runner();
    const mine = call();
    const { job } = await architectDraft(mine, { ...wish("Answer a question"), wait_ms: 20_000 });
    const asked = await architectPublish(mine, { job });
    expect(await listVersions(workspaceId, asked.graph_id)).toEqual([]);
    expect((await listPublishRequests(workspaceId, asked.graph_id))[0]).toMatchObject({
      status: "open",
      byAgent: true,
      requesterName: "Ben",
    });
    expect(await codeOf(approveRequest(workspaceId, ben, asked.publish_request, asked.hash))).toBe("forbidden");
    expect(await codeOf(requestPublish(workspaceId, asBen, { id: asked.graph_id, revision: 1, hash: "0".repeat(64) }))).toBe("conflict");
    expect(await codeOf(approveRequest(workspaceId, bea, asked.publish_request, asked.hash))).toBe("none");
  });
});
