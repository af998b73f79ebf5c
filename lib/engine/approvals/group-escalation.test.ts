import { describe, expect, it } from "vitest";
import type { Rule } from "@/lib/approval-rules/rule";
import type { RunEvent } from "@/lib/engine/event";
import { plan } from "@/lib/engine/plan";
import { nodesWith, publishWith } from "@/lib/engine/testing/graph";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { newKey } from "@/lib/engine/testing/ledger";
import { approve, atAgent, ask, FINANCE, propose, rule, say, verifyChanged, verifyRecords } from "@/lib/engine/testing/rules";
import {
  atGate,
  AUTHOR,
  decision,
  engine,
  getCode,
  openGate,
  REVIEWER,
  SECOND,
  STARTER,
  user,
  uuid,
  type TestRun,
} from "@/lib/engine/testing/run";
import type { Seat } from "@/lib/people/approvers";

const HOUR_MS = 3_600_000;
const SUPPORT: Seat = { for: [], groups: ["Support"] };
const LEGAL: Seat = { for: [], groups: ["Legal"] };
const LEGAL_RULE = uuid(91);
const THIRD = uuid(23);

const atNode = (change: Record<string, unknown> = {}): TestRun =>
  atGate(
    publishWith({
      nodes: nodesWith("ask", {
        approvers: { groups: ["Finance"], people: [] },
        config: {
          prompt: "Write it?",
          review_keys: ["request"],
          for_node: "write",
          rejection_node: "decline",
          escalation: { after_ms: 2 * HOUR_MS, to: "group", group: "Support" },
          ...change,
        },
      }),
    }),
  );

const byRule = (afterHours = 2, id?: string, groups = ["Finance"]): Rule =>
  rule({ groups, escalation: { after_ms: afterHours * HOUR_MS, group: "Support" } }, {}, id);
const atCall = (...rules: readonly Rule[]): TestRun => {
  const run = atAgent(rules);
  ask(run);

  return run;
};

const escalate = (run: TestRun): string => {
  const next = plan(run.published, run.state(), run.now(), 1);

  return next.type === "propose" && next.body.kind === "escalate" ? getCode(run.propose(engine, next.body)) : next.type;
};
const passAndEscalate = (run: TestRun, hours = 2): TestRun => {
  run.pass(hours * HOUR_MS);
  expect(escalate(run)).toBe("accepted");

  return run;
};

describe("a request that escalates to a group", () => {
  it.each([
    ["an approval node", () => atNode()],
    ["a workspace rule", () => atCall(byRule())],
  ])("of %s lets the group's members decide from then on, on record", (_what, open) => {
    const early = open();
    early.pass(2 * HOUR_MS - 1);
    expect(escalate(early)).toBe("wait");
    expect(approve(early, REVIEWER, SUPPORT)).toBe("not_named");
    expect(approve(early, REVIEWER, FINANCE)).toBe("accepted");

    const run = passAndEscalate(open());
    expect(run.records().at(-1)?.record).toMatchObject({
      principal: { type: "engine" },
      control: [{ type: "gate_escalated", to: "group", group: "Support" }],
    });
    const { id } = openGate(run).gate;
    expect(approve(run, REVIEWER)).toBe("not_named");
    expect(approve(run, REVIEWER, SUPPORT)).toBe("accepted");
    expect(run.state().gates[id]).toMatchObject({ status: "approved", decisions: [{ user: REVIEWER, groups: ["Support"] }] });
  });

  it("still lets those who were asked first decide", () => {
    expect(approve(passAndEscalate(atNode()), REVIEWER, FINANCE)).toBe("accepted");
  });

  it("lifts nothing else: role, own run, own version and quorum hold for the group's members", () => {
    const decide = (run: TestRun, by: ReturnType<typeof user>) => getCode(run.propose(by, decision(run, by), { seats: [SUPPORT] }));
    expect(decide(passAndEscalate(atNode()), user(REVIEWER, "builder"))).toBe("role_missing");
    expect(decide(passAndEscalate(atNode()), user(STARTER))).toBe("own_run");
    expect(decide(passAndEscalate(atNode()), user(AUTHOR))).toBe("own_version");
    const two = passAndEscalate(atNode({ quorum: 2 }));
    decide(two, user(REVIEWER));
    expect(openGate(two).status).toBe("open");
  });

  it("tells the group and widens nothing if no approvers are named", () => {
    const run = atGate(
      publishWith({
        nodes: nodesWith("ask", {
          config: { prompt: "?", for_node: "write", escalation: { after_ms: HOUR_MS, to: "group", group: "Support" } },
        }),
      }),
    );
    const { gate } = openGate(run);
    passAndEscalate(run, 1);
    expect(openGate(run).gate).toEqual(gate);
    expect(gate).not.toHaveProperty("demands");
  });
});

describe("an escalation of one rule", () => {
  it("does not widen another's demand", () => {
    const legal = rule({ groups: ["Legal"] }, {}, LEGAL_RULE);
    const run = passAndEscalate(atCall(byRule(), legal));
    expect(approve(run, REVIEWER, SUPPORT)).toBe("accepted");
    expect(openGate(run).status).toBe("open");
    expect(approve(run, SECOND, LEGAL)).toBe("accepted");
    expect(run.state().status).toBe("running");
  });

  it("does not widen another's that names the same group, before its own time", () => {
    const run = passAndEscalate(atCall(byRule(), byRule(5, LEGAL_RULE, ["Legal"])));
    expect(approve(run, REVIEWER, SUPPORT)).toBe("accepted");
    expect(openGate(run).status).toBe("open");
    passAndEscalate(run, 3);
    expect(openGate(run).escalations).toMatchObject([{ rule: byRule().id }, { rule: LEGAL_RULE }]);
    expect(approve(run, THIRD, SUPPORT)).toBe("accepted");
    expect(run.state().status).toBe("running");
  });

  it("is left out if the request would expire first", () => {
    expect(openGate(atCall(byRule(24))).gate.demands).toEqual([{ groups: ["Finance"], people: [], count: 1, rule: byRule().id }]);
  });

  it("comes in time for a call that waits beside others", () => {
    const ruled = rule(
      { groups: ["Finance"], escalation: { after_ms: HOUR_MS, group: "Support" } },
      { server: "crm", tool: "update", amount: { argument: "credit", from: 1_000 } },
    );
    const run = atAgent([ruled]);
    say(run, ["1", { credit: 1 }], ["2", { credit: 5_000 }]);
    propose(run, { credit: 1 }, "1");
    propose(run, { credit: 5_000 }, "2");
    passAndEscalate(run, 1);
    expect(Object.values(run.state().gates).map(({ escalatedAt }) => escalatedAt)).toEqual([undefined, run.now()]);
  });
});

describe("the verifier", () => {
  const approved = (): TestRun => {
    const run = passAndEscalate(atCall(byRule()));
    approve(run, REVIEWER, SUPPORT);

    return run;
  };
  const changed = async (change: (event: RunEvent) => RunEvent) => verifyChanged(approved(), await newKey("test"), change);

  it("accepts a group's decision after its escalation", async () => {
    expect(await changed((event) => event)).toBe("valid");
  });

  it.each<[string, (event: RunEvent) => RunEvent]>([
    ["names another group", (event) => (event.type === "gate_escalated" ? { ...event, group: "Sales" } : event)],
    ["is another rule's", (event) => (event.type === "gate_escalated" ? { ...event, rule: LEGAL_RULE } : event)],
    [
      "widened nothing",
      (event) => (event.type === "gate_escalated" ? { type: event.type, approval_id: event.approval_id, to: "admins" } : event),
    ],
    [
      "came before its time",
      (event) =>
        event.type === "gate_opened"
          ? {
              ...event,
              gate: {
                ...event.gate,
                opened_at: event.gate.opened_at + 1,
                demands: (event.gate.demands ?? []).map((one) => ({
                  ...one,
                  escalation: { group: "Support", at: event.gate.opened_at + 1 + 2 * HOUR_MS },
                })),
              },
            }
          : event,
    ],
    [
      "is sooner than the rule says",
      (event) =>
        event.type === "gate_opened"
          ? {
              ...event,
              gate: {
                ...event.gate,
                demands: (event.gate.demands ?? []).map((one) => ({ ...one, escalation: { group: "Support", at: 1 } })),
              },
            }
          : event,
    ],
  ])("rejects a decision if the escalation %s", async (_what, change) => {
    expect(await changed(change)).not.toBe("valid");
  });

  it("rejects an escalation by anyone but the engine", async () => {
    const forge = (record: LedgerRecord): LedgerRecord =>
      record.control.some(({ type }) => type === "gate_escalated") ? { ...record, principal: user(SECOND) } : record;
    expect(await verifyRecords(approved(), await newKey("test"), forge)).toBe("approvers");
  });
});
