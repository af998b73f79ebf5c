import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { inboxFilterSchema, type InboxFilter } from "@/lib/engine/approvals/inbox";
import { runFilterSchema, type RunFilter } from "@/lib/engine/run-filter";
import { MOST_VIEWS } from "@/lib/saved-views";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import { callerAs } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("web");
let workspace: string;
beforeEach(async () => {
  workspace = await testWorkspace(urls.admin);
});

describe("a saved view", () => {
  it("is its person's, its page's and its workspace's", async () => {
    const ada = callerAs(workspace, "builder").views;
    await ada.save({ page: "runs", name: "Slow", query: "?took=1h&model=m" });
    const [view] = await ada.list({ page: "runs" });
    expect(view).toMatchObject({ name: "Slow", query: "took=1h&model=m" });
    const others = [callerAs(workspace, "reviewer").views, callerAs(await testWorkspace(urls.admin), "builder").views];
    for (const other of others) {
      expect(await other.list({ page: "runs" })).toEqual([]);
      await other.remove({ page: "runs", id: view?.id ?? "" });
    }
    expect(await ada.list({ page: "approvals" })).toEqual([]);
    await ada.remove({ page: "approvals", id: view?.id ?? "" });
    expect(await ada.list({ page: "runs" })).toHaveLength(1);
    await ada.remove({ page: "runs", id: view?.id ?? "" });
    expect(await ada.list({ page: "runs" })).toEqual([]);
  });

  it("replaces the one of its name, and each page has a limit", async () => {
    const { save, list } = callerAs(workspace, "viewer").views;
    for (let index = 0; index < MOST_VIEWS; index += 1) await save({ page: "runs", name: `View ${index}`, query: "" });
    await save({ page: "runs", name: "View 7", query: "mine=true" });
    await expect(save({ page: "runs", name: "One more", query: "" })).rejects.toMatchObject({ cause: { code: "bad_request" } });
    await save({ page: "approvals", name: "One more", query: "" });
    const views = await list({ page: "runs" });
    expect(views).toHaveLength(MOST_VIEWS);
    expect(views.find(({ name }) => name === "View 7")?.query).toBe("mine=true");
  });
});

const addRun = async (day: string, tookSeconds: number | null, model: string | null): Promise<string> => {
  const id = randomUUID();
  await asAdmin(
    urls.admin,
    `insert into run (workspace_id, id, graph_id, graph_hash, initiator_id, status, version, head, created_at, updated_at, ended_at)
     values ($1, $2, $2, repeat('a', 64), $2, 'completed', 0, '', $3::timestamptz, $3::timestamptz, $3::timestamptz + make_interval(secs => $4))`,
    [workspace, id, `${day}Z`, tookSeconds],
  );
  await asAdmin(
    urls.admin,
    `insert into approval (workspace_id, id, run_id, node, reason, prompt, role, transition_digest, status, opened_at, expires_at, resolved_at)
     values ($1, $2, $2, 'n', 'effect', '', 'reviewer', '', 'approved', $3, $3, $3)`,
    [workspace, id, `${day}Z`],
  );
  if (model !== null)
    await asAdmin(
      urls.admin,
      `insert into model_usage (workspace_id, run_id, seq, index, at, graph_id, user_id, model, input_tokens, output_tokens, micro_usd)
       values ($1, $2, 0, 0, now(), $2, $2, $3, 1, 1, 1)`,
      [workspace, id, model],
    );

  return id;
};

describe("the filters of lists", () => {
  it("choose runs and requests by UTC day and model, and runs by duration", async () => {
    const first = await addRun("2026-03-01T00:00:00", 59, "m");
    const second = await addRun("2026-03-02T23:59:59", 60, "n");
    const third = await addRun("2026-03-03T00:00:00", null, null);
    const { runs, approvals } = callerAs(workspace, "reviewer");
    const runsOf = async (change: Partial<RunFilter>) =>
      (await runs.list({ ...runFilterSchema.parse({}), ...change })).runs.map(({ id }) => id);
    const asked = async (change: Partial<InboxFilter>) =>
      (await approvals.queue({ filter: { ...inboxFilterSchema.parse({}), tab: "decided", ...change } })).rows.map(({ id }) => id);
    for (const [change, expected] of [
      [{ from: "2026-03-02" }, [third, second]],
      [{ to: "2026-03-02" }, [second, first]],
      [{ from: "2026-03-02", to: "2026-03-02" }, [second]],
      [{ model: "m" }, [first]],
      [{ model: "m", from: "2026-03-02" }, []],
    ] as const) {
      expect(await runsOf(change)).toEqual(expected);
      expect(await asked(change)).toEqual(expected);
    }
    expect(await runsOf({ took: "1m" })).toEqual([third, second]);
    expect(await runsOf({ took: "10m" })).toEqual([third]);
    await expect(runsOf({ from: "yesterday" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  it("choose runs that are near their budget", async () => {
    const run = await addRun("2026-03-01T00:00:00", 1, null);
    await addRun("2026-03-01T00:00:00", 1, null);
    await asAdmin(urls.admin, "update run set budget_percent = 75 where id = $1", [run]);
    const { runs } = await callerAs(workspace, "viewer").runs.list({ nearBudget: true });
    expect(runs.map(({ id, budgetPercent }) => [id, budgetPercent])).toEqual([[run, 75]]);
  });
});
