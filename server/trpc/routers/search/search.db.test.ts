import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import { answeringPlane } from "@/server/testing/answering";
import { callerOfMember } from "@/server/testing/member";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("admin");
const plane = await answeringPlane(urls.admin);
const [ours, theirs] = [await testWorkspace(urls.admin), await testWorkspace(urls.admin)];
const admin = await callerOfMember(urls.admin, plane, ours, "admin");
const viewer = await callerOfMember(urls.admin, plane, ours, "viewer");
const foreign = await callerOfMember(urls.admin, plane, theirs, "admin");
const run = randomUUID();

const labels = async (caller: typeof admin, text: string) =>
  (await caller.search.find({ text })).map(({ kind, label }) => `${kind}: ${label}`);

const add = async (workspace: string, runId: string): Promise<void> => {
  const graph = randomUUID();
  const person = randomUUID();
  await asAdmin(urls.admin, "insert into graph (workspace_id, id, name) values ($1, $2, 'Zebra desk')", [workspace, graph]);
  await asAdmin(urls.admin, "insert into graph (workspace_id, id, name, deleted_at) values ($1, $2, 'Zebra deleted', now())", [
    workspace,
    randomUUID(),
  ]);
  await asAdmin(urls.admin, "insert into app_user (id, email, name) values ($1, $2, 'Zebra Zoe')", [person, `${person}@test.invalid`]);
  await asAdmin(urls.admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, 'viewer')", [workspace, person]);
  await asAdmin(
    urls.admin,
    `insert into run (workspace_id, id, graph_id, graph_hash, initiator_id, status, version, head, created_at, updated_at)
     values ($1, $2, $3, repeat('a', 64), $4, 'waiting', 12, '', now(), now())`,
    [workspace, runId, graph, person],
  );
  await asAdmin(
    urls.admin,
    `insert into approval (workspace_id, id, run_id, node, reason, prompt, role, transition_digest, status, opened_at, expires_at)
     values ($1, $2, $3, 'ask', 'approval_node', 'Feed the zebra?', 'reviewer', '', 'open', now(), now())`,
    [workspace, randomUUID(), runId],
  );
  await asAdmin(
    urls.admin,
    "insert into mcp_server (workspace_id, id, name, transport, status, allowed_agents) values ($1, 'zebra', 'Zebra server', '{}', 'active', '[]')",
    [workspace],
  );
};

beforeAll(async () => {
  await add(ours, run);
  await add(theirs, randomUUID());
});

test("finds graphs, runs, approvals, servers and people of the own workspace only, once each, and no deleted graph", async () => {
  expect(await labels(admin, "zebra")).toEqual([
    "graph: Zebra desk",
    `run: Zebra desk ${run.slice(0, 8)}`,
    "approval: Feed the zebra?",
    "server: Zebra server",
    "person: Zebra Zoe",
  ]);
});

test("shows no people to those who may not list them", async () => {
  expect((await labels(viewer, "zebra")).filter((label) => label.startsWith("person"))).toEqual([]);
  expect(await labels(viewer, run.slice(0, 13))).toEqual([`run: Zebra desk ${run.slice(0, 8)}`]);
});

test("finds a record by run and number, up to the last one", async () => {
  expect(await labels(viewer, `${run.slice(0, 8)}#11`)).toEqual([`record: Record 11 of Zebra desk ${run.slice(0, 8)}`]);
  expect(await labels(viewer, `${run.slice(0, 8)}#12`)).toEqual([]);
  expect(await labels(foreign, `${run.slice(0, 8)}#11`)).toEqual([]);
});

test("takes patterns literally", async () => {
  for (const text of ["%%", "__", "z%a", "\\\\"]) expect(await labels(admin, text)).toEqual([]);
});
