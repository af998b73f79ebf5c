import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AppError } from "@/lib/errors";
import { graphSchema } from "@/lib/graph/document";
import { asksPerson } from "@/lib/graph/kind-of";
import type { ApproverCommand } from "@/lib/people/approver-command";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { removeRuleAsOperator } from "@/server/runner/approvers";
import { confirmApprovers } from "@/server/runner/confirm-approvers";
import { describeApproval } from "@/server/runner/notification-item";
import { openDesk, publishAs, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { sendOwn } from "@/server/runner/testing/passkeys";
import { ask, decisionFor, drive, openGateOf, readRun } from "@/server/runner/testing/run";
import { recordRows } from "@/server/testing/authority";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(urls, installation);
}, 120_000);
afterAll(() => desk.mcp.close());

type Named = { readonly groups?: readonly string[]; readonly people?: readonly string[] };

const waitingFor = async ({ groups = [], people = [] }: Named, quorum = 1): Promise<string> => {
  const { graph } = desk.published;
  const nodes = graph.nodes.map((node) =>
    asksPerson(node) ? { ...node, approvers: { groups: [...groups], people: [...people] }, config: { ...node.config, quorum } } : node,
  );
  const version = await publishAs(desk, { ...desk.published, graph: graphSchema.parse({ ...graph, nodes }) }, desk.people.builder);
  const run = await startRun(desk, "honest", "02-outage-credit.txt", version);
  await drive(desk, run);

  return run;
};

const approve = async (run: string, by: string): Promise<string> => {
  const { refusal } = await ask(desk, run, by, decisionFor(desk, (await readRun(desk, run)).state, "approve"));

  return refusal?.code ?? "accepted";
};
const send = async (by: string, body: ApproverCommand): Promise<string> => (await sendOwn(desk, body, by)).refusal?.code ?? "accepted";
const group = async (name: string, people: readonly string[], was: readonly string[] | null = null): Promise<void> => {
  expect(await send(desk.people.admin, { kind: "group_set", group: name, was: was && [...was], people: [...people] })).toBe("accepted");
};
const delegate = async (from: string, to: string): Promise<string> => {
  const delegation = randomUUID();
  const now = desk.deps.clock.now();
  const body = { kind: "delegation_give", delegation, to, starts_at: now, ends_at: now + 3_600_000 } as const;
  expect(await send(from, body)).toBe("accepted");

  return delegation;
};
const decisionsOf = async (run: string) =>
  (await readRun(desk, run)).records.flatMap(({ record }) =>
    record.control.flatMap((event) => (event.type === "decision_made" ? [event] : [])),
  );
const statusOf = async (run: string) => Object.values((await readRun(desk, run)).state.gates).at(-1)?.status;

describe("an approval that names a group", () => {
  it("is decided by its members as of the decision, not as of opening the page", async () => {
    const { reviewer, second, viewer } = desk.people;
    await group("Finance", [reviewer, second, viewer]);
    const run = await waitingFor({ groups: ["Finance"] });
    const open = decisionFor(desk, (await readRun(desk, run)).state, "approve");
    await group("Finance", [second, viewer], [reviewer, second, viewer]);
    expect((await ask(desk, run, reviewer, open)).refusal?.code).toBe("not_named");
    expect(await approve(run, viewer)).toBe("role_missing");
    expect(await approve(run, second)).toBe("accepted");
    expect(await decisionsOf(run)).toMatchObject([{ user: second, groups: ["Finance"] }]);
  });

  it("no longer counts an earlier approval once its author has left the group", async () => {
    const { reviewer, second } = desk.people;
    await group("Pair", [reviewer, second]);
    const run = await waitingFor({ groups: ["Pair"] }, 2);
    expect(await approve(run, reviewer)).toBe("accepted");
    await group("Pair", [second], [reviewer, second]);
    expect(await approve(run, second)).toBe("accepted");
    expect(await statusOf(run)).toBe("open");
    expect((await decisionsOf(run)).at(-1)).toMatchObject({ user: second, lapsed: [reviewer] });
  });

  it("is its members' own in messages, as of sending", async () => {
    const { reviewer, second, starter } = desk.people;
    await group("Desk", [second, starter]);
    const run = await waitingFor({ groups: ["Desk"] });
    const approvalId = openGateOf((await readRun(desk, run)).state).gate.id;
    const isOwn = async (userId: string) =>
      (
        await describeApproval(
          desk.deps,
          { origin: "https://approvals.example.com", most: "internal" },
          { workspaceId: desk.workspace, approvalId, userId, channel: "mail" },
        )
      )?.canDecide;
    expect(await Promise.all([reviewer, second, starter].map(isOwn))).toEqual([false, true, false]);
    await group("Desk", [reviewer], [second, starter]);
    expect(await Promise.all([reviewer, second].map(isOwn))).toEqual([true, false]);
  });

  it("cannot be decided while its group does not exist", async () => {
    const run = await waitingFor({ groups: ["Nowhere"] });
    expect(await approve(run, desk.people.reviewer)).toBe("not_named");
  });
});

describe("a group", () => {
  it("changes only by an admin's command, on record", async () => {
    const { reviewer, builder } = desk.people;
    const mine: ApproverCommand = { kind: "group_set", group: "Mine", was: null, people: [reviewer] };
    expect(await send(reviewer, mine)).toBe("principal_not_allowed");
    expect(await send(builder, mine)).toBe("principal_not_allowed");
    expect((await desk.deps.authority.read(desk.workspace)).approvers.groups.has("Mine")).toBe(false);
  });

  it("has no row that a database writer or the web process could change", async () => {
    const found = await query(
      urls.admin,
      "select 1 from information_schema.tables where table_schema = 'public' and table_name ~ 'group|delegation|rule'",
    );
    expect(found).toEqual([]);
    await expect(
      asAdmin(
        urls.web,
        "insert into ledger_record (workspace_id, run_id, seq, body, digest, kid, signature) values ($1, $1, 0, '{}', '', '', '')",
        [desk.workspace],
      ),
    ).rejects.toThrow("permission denied");
  });
});

describe("a delegate", () => {
  it("decides while the delegation lasts, and both are in the record", async () => {
    const { reviewer, second } = desk.people;
    const run = await waitingFor({ people: [second] });
    expect(await approve(run, reviewer)).toBe("not_named");
    const delegation = await delegate(second, reviewer);
    expect(await approve(run, reviewer)).toBe("accepted");
    expect(await decisionsOf(run)).toMatchObject([{ user: reviewer, for: [second] }]);
    const next = await waitingFor({ people: [second] });
    expect(await send(second, { kind: "delegation_revoke", delegation })).toBe("accepted");
    expect(await approve(next, reviewer)).toBe("not_named");
  });

  it("decides no longer when the delegator is disabled", async () => {
    const { reviewer, second } = desk.people;
    const run = await waitingFor({ people: [second] });
    const delegation = await delegate(second, reviewer);
    const setDisabled = async (to: string) => {
      await asAdmin(urls.admin, `update membership set disabled_at = ${to} where user_id = $1`, [second]);
      await recordRows(desk.deps, desk.workspace);
    };
    await setDisabled("now()");
    expect(await approve(run, reviewer)).toBe("not_named");
    await setDisabled("null");
    expect(await approve(run, reviewer)).toBe("accepted");
    await send(second, { kind: "delegation_revoke", delegation });
  });

  it("cannot be sent in another person's name", async () => {
    const { reviewer, second } = desk.people;
    const delegation = await delegate(second, reviewer);
    expect(await send(reviewer, { kind: "delegation_revoke", delegation })).toBe("not_found");
    expect(await send(second, { kind: "delegation_revoke", delegation })).toBe("accepted");
  });
});

describe("publishing a graph that names approvers", () => {
  const publish = async (approvers: { readonly groups?: string[]; readonly people?: string[] }): Promise<string> => {
    const { graph } = desk.published;
    const nodes = graph.nodes.map((node) => (asksPerson(node) ? { ...node, approvers: { groups: [], people: [], ...approvers } } : node));
    const published = { ...desk.published, graph: graphSchema.parse({ ...graph, nodes }) };

    return confirmApprovers(desk.deps.authority, desk.workspace, published).then(
      () => "accepted",
      (error: unknown) => (error instanceof AppError ? error.code : String(error)),
    );
  };

  it("is refused if a group or person does not exist here, or no person could decide", async () => {
    const { reviewer, viewer, admin } = desk.people;
    await group("Viewers", [viewer, admin]);
    await group("Deciders", [reviewer]);
    expect(await publish({ groups: ["Deciders"] })).toBe("accepted");
    expect(await publish({ people: [reviewer] })).toBe("accepted");
    expect(await publish({ groups: ["Viewers"] })).toBe("invalid_graph");
    expect(await publish({ groups: ["Of another workspace"] })).toBe("invalid_graph");
    expect(await publish({ people: [randomUUID(), reviewer] })).toBe("invalid_graph");
    expect(await publish({})).toBe("invalid_graph");
  });
});

describe("a workspace rule", () => {
  const rule = randomUUID();
  const waiting = async (): Promise<string> => {
    const run = await startRun(desk, "honest", "02-outage-credit.txt");
    await drive(desk, run);

    return run;
  };
  const gateOf = async (run: string) => Object.values((await readRun(desk, run)).state.gates).at(-1)?.gate;

  it("is added by an admin on record, and binds runs that start from then on", async () => {
    const { reviewer, second, admin, builder } = desk.people;
    await group("Treasury", [second]);
    const earlier = await waiting();
    const add: ApproverCommand = {
      kind: "rule_add",
      rule: { id: rule, when: { effect: "write" }, needs: { groups: ["Treasury"], people: [], count: 1 } },
    };
    expect(await send(builder, add)).toBe("principal_not_allowed");
    expect(await send(admin, add)).toBe("accepted");
    expect((await gateOf(earlier))?.rules).toBeUndefined();
    const run = await waiting();
    expect(await gateOf(run)).toMatchObject({ rules: [rule], demands: [{ groups: ["Treasury"], rule }] });
    expect(await approve(run, reviewer)).toBe("not_named");
    expect(await approve(run, second)).toBe("accepted");
    expect((await readRun(desk, run)).records[0]?.record.control[0]).toMatchObject({ rules: [{ id: rule }] });
    const { receipt } = Object.values((await readRun(desk, run)).state.gates).at(-1) ?? {};
    expect(receipt?.payload.rules).toEqual([rule]);
  });

  it("is not removed by the admin who asks for it", async () => {
    const { admin } = desk.people;
    expect(await send(admin, { kind: "rule_remove", rule })).toBe("accepted");
    expect(await send(admin, { kind: "rule_remove_confirm", rule })).toBe("policy_second_person");
    expect((await desk.deps.authority.read(desk.workspace)).approvers.rules.has(rule)).toBe(true);
    expect(await send(admin, { kind: "rule_remove_decline", rule })).toBe("accepted");
  });

  it("is removed by the operator, after which runs start without it", async () => {
    await removeRuleAsOperator(desk.deps, desk.deps.authority, desk.workspace, rule);
    expect((await gateOf(await waiting()))?.rules).toBeUndefined();
  });
});
