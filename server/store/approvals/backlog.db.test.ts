import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import { readBacklog } from "@/server/store/approvals/backlog";
import { beat } from "@/server/store/health";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
let workspace = "";
beforeAll(async () => {
  workspace = await testWorkspace(urls.admin);
});

type Row = { readonly status: string; readonly wakes?: string; readonly lease?: string; readonly frozen?: string; readonly rests?: string };

const addRun = async ({ status, wakes, lease, frozen, rests }: Row): Promise<string> => {
  const id = randomUUID();
  await asAdmin(
    urls.admin,
    `insert into run (workspace_id, id, graph_id, graph_hash, initiator_id, status, version, head, created_at, updated_at,
       wake_at, lease_until, frozen, drive_after)
     values ($1, $2, $2, '', $2, $3, 1, '', now(), now() - interval '5 minutes',
       now() + $4::interval, now() + $5::interval, $6, now() + $7::interval)`,
    [workspace, id, status, wakes ?? null, lease ?? null, frozen ?? null, rests ?? null],
  );

  return id;
};
const addCommand = (runId: string, status: string) =>
  asAdmin(
    urls.admin,
    `insert into command (workspace_id, id, run_id, user_id, kind, body, status, created_at)
     values ($1, $2, $3, $2, 'cancel', '', $4, now() - interval '10 minutes')`,
    [workspace, randomUUID(), runId, status],
  );

const empty = { dueRuns: 0, oldestDueSeconds: 0, openApprovals: 0, pendingDeliveries: 0, oldestDeliverySeconds: 0 };

test("a new installation has empty queues and an unknown checkpoint age", async () => {
  expect(await readBacklog()).toEqual({ ...empty, runners: 0, checkpointAgeSeconds: null });
});

test("counts each undriven due run once, with the age of the oldest", async () => {
  await addRun({ status: "completed" });
  await addRun({ status: "waiting" });
  await addRun({ status: "waiting", wakes: "1 minute" });
  await addRun({ status: "running", lease: "10 seconds" });
  await addRun({ status: "running", frozen: "chain at record 3" });
  await addRun({ status: "running", rests: "10 seconds" });
  await addCommand(await addRun({ status: "waiting" }), "accepted");
  await addCommand(await addRun({ status: "waiting", lease: "10 seconds" }), "pending");
  expect(await readBacklog()).toMatchObject(empty);

  await addRun({ status: "retrying", wakes: "-1 minute" });
  const one = await readBacklog();
  expect(one.dueRuns).toBe(1);
  // The database rounds to milliseconds.
  expect(one.oldestDueSeconds).toBeGreaterThan(59);
  expect(one.oldestDueSeconds).toBeLessThan(120);

  const left = await addRun({ status: "running", lease: "-1 second" });
  expect((await readBacklog()).dueRuns).toBe(2);
  // Already due, as is a run that does not exist yet.
  await addCommand(left, "pending");
  await addCommand(randomUUID(), "pending");
  const three = await readBacklog();
  expect(three.dueRuns).toBe(3);
  expect(three.oldestDueSeconds).toBeGreaterThan(599);
});

test("counts approvals, notifications, checkpoints and runners", async () => {
  for (const status of ["open", "open", "approved"]) {
    await asAdmin(
      urls.admin,
      `insert into approval (workspace_id, id, run_id, node, reason, prompt, role, transition_digest, status, opened_at, expires_at)
       values ($1, $2, $2, '', '', '', 'reviewer', '', $3, now(), now())`,
      [workspace, randomUUID(), status],
    );
  }
  for (const [status, due] of [
    ["pending", "-90 seconds"],
    ["pending", "1 hour"],
    ["delivered", "-1 day"],
  ]) {
    await asAdmin(
      urls.admin,
      `insert into webhook_delivery (workspace_id, id, endpoint_id, type, subject, status, next_at)
       values ($1, $2, $2, 'run.ended', '', $3, now() + $4::interval)`,
      [workspace, randomUUID(), status, due],
    );
  }
  for (const [count, seconds] of [
    [1, 500],
    [2, 100],
  ]) {
    await asAdmin(
      urls.admin,
      `insert into checkpoint (workspace_id, count, root, frontier, at, kid, signature)
       values ($1, $2, '', '{}', (extract(epoch from now()) - $3::int) * 1000, '', '')`,
      [workspace, count, seconds],
    );
  }
  await beat("one");
  await beat("gone");
  await asAdmin(urls.admin, "update runner_heartbeat set at = now() - interval '16 seconds' where id = 'gone'");
  const backlog = await readBacklog();
  expect(backlog).toMatchObject({ runners: 1, openApprovals: 2, pendingDeliveries: 2 });
  expect(Math.round(backlog.oldestDeliverySeconds / 10)).toBe(9);
  expect(Math.round((backlog.checkpointAgeSeconds ?? 0) / 10)).toBe(10);
});
