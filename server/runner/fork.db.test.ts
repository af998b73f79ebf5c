import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toMemory } from "@/lib/engine/state";
import { testInstallation } from "@/server/mcp/testing/installation";
import { recordsOf } from "@/server/outside/testing/records";
import { openDesk, publishAs, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { countingDesk, forkRun } from "@/server/runner/testing/fork";
import { ask, customersOf, decisionFor, drive, openGateOf, readRun } from "@/server/runner/testing/run";
import { createRunHead } from "@/server/store/ledger/run-heads";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
const NONE = { type: "none" } as const;
let desk: Desk;
let waiting: string;
let completed: string;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  waiting = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, waiting);
  completed = await startRun(desk, "honest", "01-upgrade.txt");
  await drive(desk, completed);
  await ask(desk, completed, desk.people.reviewer, decisionFor(desk, (await readRun(desk, completed)).state, "approve"));
}, 120_000);
afterAll(() => desk.mcp.close());

const after = async (run: string, node: string): Promise<number> => {
  const { records } = await readRun(desk, run);

  return records.findIndex(({ record }) => record.control.some((event) => event.type === "node_entered" && event.node === node)) + 1;
};
const decidedAt = async (run: string): Promise<number> =>
  (await readRun(desk, run)).records.findIndex(({ record }) => record.proposal_kind === "decision") + 1;
const startNode = () => desk.published.graph.start_node;

describe("a simulated fork of the support desk", () => {
  it.each([
    ["another model", { type: "model", model: "scripted:compromised" } as const],
    ["nothing changed", NONE],
  ])("with %s goes on without touching the table or contacting any server", async (_what, change) => {
    const before = await customersOf(desk);
    const world = countingDesk(desk);
    const { run, outcome } = await forkRun(world.desk, completed, await after(completed, startNode()), change);
    expect(outcome.refusal).toBeNull();
    await drive(world.desk, run);
    const { state, records } = await readRun(desk, run);

    expect(["waiting", "completed", "failed"]).toContain(state.status);
    expect(records.some(({ record }) => record.run === run && record.proposal_kind === "effect_outcome")).toBe(true);
    expect(world.contacts()).toBe(0);
    expect(await customersOf(desk)).toEqual(before);
  });

  it("is answered from its parent's record and marked so; a call missing from it is an error", async () => {
    const { run } = await forkRun(desk, completed, await after(completed, startNode()), NONE);
    await drive(desk, run);
    const settled = (of: Awaited<ReturnType<typeof readRun>>) =>
      of.records
        .filter(({ record }) => record.run === of.state.run)
        .flatMap(({ record }) => record.control.filter((event) => event.type === "effect_settled"));
    const fork = await readRun(desk, run);
    expect(settled(fork)).toMatchObject([{ outcome: "ok", simulated: true }, ...settled(fork).slice(1)]);
    expect(settled(await readRun(desk, completed)).every((event) => event.type === "effect_settled" && !event.simulated)).toBe(true);

    const begun = await forkRun(desk, completed, 0, { type: "input", path: "mail_file", value: "02-outage-credit.txt" });
    expect(begun.outcome.refusal).toBeNull();
    const other = begun.run;
    await drive(desk, other);
    const { state } = await readRun(desk, other);
    expect(state.aside.map(({ content }) => JSON.stringify(content)).some((text) => text.includes("not_in_record"))).toBe(true);
  });

  it("with another memory value says so and leaves its parent unchanged", async () => {
    const seq = (await readRun(desk, completed)).records.findIndex(({ record }) => record.writes.some(({ path }) => path === "mail")) + 1;
    const parent = await readRun(desk, completed);
    const mail = { content: [{ type: "text", text: "Please cancel my plan." }] };
    const { run, outcome } = await forkRun(desk, completed, seq, { type: "memory", path: "mail", value: mail });
    expect(outcome.refusal).toBeNull();

    expect(toMemory((await readRun(desk, run)).state.cells)["mail"]).toEqual(mail);
    expect((await readRun(desk, completed)).state).toEqual(parent.state);
  });

  it("asks again where its parent was approved, and approving it there writes nothing", async () => {
    const before = await customersOf(desk);
    const world = countingDesk(desk);
    const { run } = await forkRun(world.desk, completed, await decidedAt(completed), NONE);
    await drive(world.desk, run);
    const asked = await readRun(desk, run);
    expect(asked.state.status).toBe("waiting");
    const { refusal } = await ask(world.desk, run, desk.people.reviewer, decisionFor(desk, asked.state, "approve"));
    expect(refusal).toBeNull();
    const done = await readRun(desk, run);

    expect(done.state.status).toBe("completed");
    expect(Object.values(done.state.gates).every(({ receipt }) => receipt === null)).toBe(true);
    expect(world.contacts()).toBe(0);
    expect(await customersOf(desk)).toEqual(before);
  });

  it("continues as if its gate were decided, and its parent's gate stays open", async () => {
    const { state } = await readRun(desk, waiting);
    const approval = openGateOf(state).gate.id;
    const { run, outcome } = await forkRun(desk, waiting, state.version, { type: "decision", approval_id: approval, decision: "approve" });
    expect(outcome.refusal).toBeNull();
    await drive(desk, run);

    expect((await readRun(desk, run)).state.gates[approval]).toMatchObject({ status: "approved", receipt: null });
    expect(await query(urls.admin, "select status from approval where id = $1", [approval])).toEqual([{ status: "open" }]);
  });
});

describe("a live fork", () => {
  it("has no approval of its parent's: it asks again, and writes once when it is approved itself", async () => {
    const before = await customersOf(desk);
    const { run } = await forkRun(desk, completed, await decidedAt(completed), NONE, { effects: "live" });
    await drive(desk, run);
    const asked = await readRun(desk, run);
    expect(asked.state.status).toBe("waiting");
    expect((await customersOf(desk)).applied).toBe(before.applied);
    await ask(desk, run, desk.people.reviewer, decisionFor(desk, asked.state, "approve"));

    expect((await readRun(desk, run)).state.status).toBe("completed");
    expect((await customersOf(desk)).applied).toBe(before.applied + 1);
  });

  it("leaves no open gate, lease or job when cancelled", async () => {
    const { run } = await forkRun(desk, waiting, (await readRun(desk, waiting)).state.version, NONE, { effects: "live" });
    await drive(desk, run);
    expect((await readRun(desk, run)).state.status).toBe("waiting");
    await ask(desk, run, desk.people.starter, { kind: "cancel" });

    expect(await query(urls.admin, "select id from approval where run_id = $1 and status = 'open'", [run])).toEqual([]);
    expect(await query(urls.admin, "select status, lease_until, wake_at from run where id = $1", [run])).toEqual([
      { status: "cancelled", lease_until: null, wake_at: null },
    ]);
  });
});

describe("a live fork with wider authority", () => {
  const wider = () => {
    const { graph, agents, tools, subgraphs } = desk.published;
    const relabelled = tools.map((tool) => (tool.effect === "write" ? { ...tool, effect: "read" as const } : tool));

    return publishAs(desk, { graph, agents, tools: relabelled, subgraphs }, desk.people.builder);
  };

  it("of an ended parent is refused on the workspace's record and creates no run; its simulation does", async () => {
    const change = { type: "version", graph_hash: await wider() } as const;
    const simulated = await forkRun(desk, completed, 4, change);
    const { run, outcome } = await forkRun(desk, completed, 4, change, { effects: "live" });

    expect([outcome.refusal?.code, simulated.outcome.refusal]).toEqual(["fork_widens", null]);
    expect((await recordsOf(desk)).at(-1)).toMatchObject({ refusal: { code: "fork_widens", ids: [completed] } });
    expect(await query(urls.admin, "select 1 from run where id = $1", [run])).toEqual([]);
  });

  it("may enable strict taint, but not disable it", async () => {
    const strict = { type: "strict_taint", value: true } as const;
    const on = await forkRun(desk, completed, 4, strict, { effects: "live" });
    const off = await forkRun(desk, on.run, 5, { ...strict, value: false }, { effects: "live" });

    expect([on.outcome.refusal, off.outcome.refusal?.code]).toEqual([null, "fork_widens"]);
  });
});

describe("a fork's ledger", () => {
  it("shares its parent's records and cells without copies or cost", async () => {
    const parent = await readRun(desk, completed);
    const seq = parent.records.findLastIndex(({ record }) => record.proposal_kind === "model_call") + 1;
    const { run } = await forkRun(desk, completed, seq, NONE);
    const { state, records } = await readRun(desk, run);

    expect(records.slice(0, seq).map(({ digest }) => digest)).toEqual(parent.records.slice(0, seq).map(({ digest }) => digest));
    for (const table of ["ledger_record", "cell"]) {
      expect(await query(urls.admin, `select 1 from ${table} where run_id = $1 and seq < $2`, [run, seq])).toEqual([]);
    }
    expect(parent.state.totalTokens).toBeGreaterThan(0);
    expect(state).toMatchObject({ totalTokens: 0, costMicroUsd: 0, version: seq + 1 });
  });

  it("can be forked in turn; a fork within the shared part forks the parent", async () => {
    const parent = await readRun(desk, completed);
    const { run } = await forkRun(desk, completed, 8, NONE);
    const second = await forkRun(desk, run, 9, NONE);
    const shared = await forkRun(desk, run, 5, NONE);

    expect((await readRun(desk, second.run)).state.fork).toMatchObject({ parentRun: run, depth: 2 });
    expect((await readRun(desk, shared.run)).state.fork).toMatchObject({ parentRun: completed, depth: 1 });
    expect((await readRun(desk, second.run)).records.slice(0, 8)).toEqual(parent.records.slice(0, 8));
  });

  it.each([
    ["died before its first record", "null"],
    ["died there a moment ago, so that its lease is not over", "now() + interval '1 hour'"],
  ])("starts once, also when the runner %s", async (_what, leaseUntil) => {
    const { records } = await readRun(desk, completed);
    const run = randomUUID();
    await createRunHead({
      workspaceId: desk.workspace,
      runId: run,
      graphId: randomUUID(),
      graphHash: desk.graphHash,
      initiatorId: desk.people.starter,
      at: 0,
      fork: { parentRun: completed, seq: 4, head: records[3]?.digest ?? "", simulated: true },
    });
    await query(urls.admin, `update run set lease_epoch = 1, lease_until = ${leaseUntil} where id = $1`, [run]);
    const first = await forkRun(desk, completed, 4, NONE, { run });
    const again = await forkRun(desk, completed, 4, NONE, { run });

    expect([first.outcome.refusal, again.outcome.refusal?.code]).toEqual([null, "run_exists"]);
    expect((await readRun(desk, run)).state.version).toBe(5);
  });
});

it("a fork whose version is unreadable stays unanswered and is decided once it is readable", async () => {
  let looks = 0;
  const deps = {
    ...desk.deps,
    publicKeys: async () => {
      looks += 1;
      if (looks === 2) await query(urls.admin, "revoke select on graph_version from countersign_runner");

      return desk.deps.publicKeys();
    },
  };
  const run = randomUUID();
  try {
    await expect(forkRun({ ...desk, deps }, completed, 4, NONE, { run })).rejects.toMatchObject({ code: "42501" });
  } finally {
    await query(urls.admin, "grant select on graph_version to countersign_runner");
  }
  const asked = () =>
    query<{ status: string }>(urls.admin, "select status from command where run_id = $1 order by created_at desc limit 1", [completed]);
  expect(await asked()).toEqual([{ status: "pending" }]);
  await drive(desk, completed);
  expect(await asked()).toEqual([{ status: "accepted" }]);
  expect((await readRun(desk, run)).state.version).toBe(5);
});

describe("a refused fork", () => {
  it.each([
    ["by a user who may not start runs", "viewer", 4, NONE, "principal_not_allowed"],
    ["at a record that is not there yet", "starter", 999, NONE, "fork_point"],
    ["with a change that cannot be made", "starter", 4, { type: "memory", path: "nowhere", value: 1 }, "key_undeclared"],
    ["of a version that is not there", "starter", 4, { type: "version", graph_hash: "0".repeat(64) }, "not_found"],
  ] as const)("%s of a run that has ended is a record of the workspace, and no run", async (_what, who, seq, change, code) => {
    const before = await readRun(desk, completed);
    const { run, outcome } = await forkRun(desk, completed, seq, change, { by: desk.people[who] });
    const now = await readRun(desk, completed);

    expect(outcome.refusal?.code).toBe(code);
    expect(now.records).toEqual(before.records);
    expect((await recordsOf(desk)).at(-1)).toMatchObject({
      proposal_kind: "fork",
      principal: { id: desk.people[who] },
      refusal: { code, ids: [completed] },
    });
    expect(await query(urls.admin, "select 1 from run where id = $1", [run])).toEqual([]);
  });
});
