import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { runFilterSchema, type RunFilter } from "@/lib/engine/run-filter";
import { useDatabase } from "@/server/db/client";
import { asAdmin } from "@/server/mcp/testing/registered";
import { listRuns, listRunsNow } from "@/server/store/runs/list";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("web");
const workspace = randomUUID();
const other = randomUUID();
const [ada, ben] = [randomUUID(), randomUUID()];
const [orders, desk] = [randomUUID(), randomUUID()];
const RUNS = 10_000;

const filterOf = (change: Partial<RunFilter>): RunFilter => ({ ...runFilterSchema.parse({}), ...change });
const reader = (userId = ada, workspaceId = workspace) => ({ workspaceId, userId });

const allOf = async (change: Partial<RunFilter>, by = reader()) => {
  const found = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listRuns>> = await listRuns(by, filterOf(change), { cursor, limit: 100 });
    found.push(...page.runs);
    cursor = page.nextCursor;
  } while (cursor !== null && found.length < 1_000);

  return found;
};

beforeAll(async () => {
  for (const [id, name] of [
    [workspace, "One"],
    [other, "Other"],
  ]) {
    await asAdmin(urls.admin, "insert into workspace (id, name) values ($1, $2)", [id, name]);
  }
  for (const [id, name] of [
    [ada, "Ada Byron"],
    [ben, "Ben 100%"],
  ]) {
    await asAdmin(urls.admin, "insert into app_user (id, email, name) values ($1, $2, $3)", [id, `${id}@test.invalid`, name]);
    await asAdmin(urls.admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, 'builder')", [workspace, id]);
  }
  for (const [id, name] of [
    [orders, "Order desk"],
    [desk, "Support desk"],
  ]) {
    await asAdmin(urls.admin, "insert into graph (workspace_id, id, name) values ($1, $2, $3)", [workspace, id, name]);
  }
  // Five share each time, so ids break ties.
  await asAdmin(
    urls.admin,
    `insert into run (workspace_id, id, graph_id, graph_hash, initiator_id, status, current_node, version, head, refusals, simulated, created_at, updated_at)
     select case when n % 100 = 7 then $2::uuid else $1::uuid end, gen_random_uuid(), case when n % 4 = 0 then $3::uuid else $4::uuid end, repeat('a', 64),
       case when n % 10 = 0 then $6::uuid else $5::uuid end,
       (array['completed','running','waiting','failed'])[1 + n % 4], case when n % 50 = 0 then 'parse_mail' end,
       n % 30, repeat('b', 64), case when n % 20 = 0 then 2 else 0 end, n % 25 = 0,
       timestamp '2026-01-01' + make_interval(mins => n / 5), now()
     from generate_series(1, $7) n`,
    [workspace, other, orders, desk, ada, ben, RUNS],
  );
  await useDatabase(urls.web);
}, 120_000);

describe("the list of runs", () => {
  test("pages through ten thousand, newest first, each once, within one workspace", async () => {
    const seen = new Set<string>();
    const times: number[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listRuns>> = await listRuns(reader(), filterOf({}), { cursor, limit: 100 });
      for (const run of page.runs) {
        seen.add(run.id);
        times.push(run.createdAt);
      }
      cursor = page.nextCursor;
    } while (cursor !== null);

    expect(seen.size).toBe(RUNS - RUNS / 100);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  }, 60_000);

  test("applies each filter in the database, and filters combine", async () => {
    const refused = await allOf({ refused: true });
    expect([refused.length > 0, refused.every((run) => run.refusals > 0)]).toEqual([true, true]);
    const waiting = await allOf({ status: "waiting", graphId: desk });
    expect(waiting.every((run) => run.status === "waiting" && run.graphId === desk)).toBe(true);
    expect((await allOf({ simulated: true })).every((run) => run.simulated)).toBe(true);
    expect((await allOf({ simulated: false })).some((run) => run.simulated)).toBe(false);
    const mine = await allOf({ mine: true }, reader(ben));
    expect([mine.length > 0, mine.every((run) => run.initiatorId === ben)]).toEqual([true, true]);
    expect(await allOf({ waiting: true })).toEqual([]);
  }, 60_000);

  test("searches id prefixes, graph and person names and nodes, taking patterns literally", async () => {
    const [one] = await allOf({});
    const found = await allOf({ text: one?.id.slice(0, 13) ?? "" });
    expect(found.map(({ id }) => id)).toContain(one?.id);
    expect((await allOf({ text: "order" })).every((run) => run.graphName === "Order desk")).toBe(true);
    expect((await allOf({ text: "byron" })).every((run) => run.initiatorName === "Ada Byron")).toBe(true);
    expect((await allOf({ text: "PARSE_M" })).every((run) => run.currentNode === "parse_mail")).toBe(true);
    expect((await allOf({ text: "100%" })).every((run) => run.initiatorName === "Ben 100%")).toBe(true);
    expect(await allOf({ text: "%%%" })).toEqual([]);
    expect(await allOf({ text: "o_der" })).toEqual([]);
  }, 60_000);

  test("reports current statuses and newer runs of its own workspace only", async () => {
    const page = await listRuns(reader(), filterOf({}), { cursor: null, limit: 20 });
    const third = page.runs[2];
    const since = `${third?.createdAt ?? 0}.${third?.id ?? ""}`;
    const foreign = (await listRuns(reader(ada, other), filterOf({}), { cursor: null, limit: 1 })).runs[0]?.id ?? "";

    const now = await listRunsNow(reader(), filterOf({}), { ids: [third?.id ?? "", foreign], since });
    expect(now.newer).toBe(2);
    expect(now.runs.map(({ id }) => id)).toEqual([third?.id]);
  });
});
