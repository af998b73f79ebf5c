import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plan } from "@/lib/engine/plan";
import { nodesWith, publishWith } from "@/lib/engine/testing/graph";
import {
  atGate,
  atParse,
  AUTHOR,
  decideAs,
  engine,
  executor,
  getCode,
  openGate,
  result,
  REVIEWER,
  SECOND,
  STARTER,
  update,
  user,
  uuid,
  type TestRun,
} from "@/lib/engine/testing/run";

const HOUR_MS = 3_600_000;
const ESCALATION = { after_ms: 2 * HOUR_MS, to: "admins" };
const asking = (change: Record<string, unknown> = { escalation: ESCALATION }) =>
  publishWith({
    nodes: nodesWith("ask", {
      config: { prompt: "Write it?", review_keys: ["request"], for_node: "write", rejection_node: "decline", ...change },
    }),
  });
const next = (run: TestRun) => plan(run.published, run.state(), run.now(), 1);
const escalate = (run: TestRun, id = openGate(run).gate.id) => run.propose(engine, { kind: "escalate", approval_id: id });
const DECIDERS = [
  user(REVIEWER),
  user(SECOND),
  user(STARTER),
  user(AUTHOR),
  user(uuid(20), "admin"),
  user(uuid(21), "builder"),
  user(uuid(22), "viewer"),
];

describe("an undecided request", () => {
  it("waits for its escalation, then for its expiry", () => {
    const run = atGate(asking());
    const { id, expires_at: end, opened_at: start } = openGate(run).gate;
    expect(next(run)).toEqual({ type: "wait", until: start + 2 * HOUR_MS });
    run.pass(2 * HOUR_MS);
    expect(next(run)).toEqual({ type: "propose", body: { kind: "escalate", approval_id: id } });
    expect(getCode(escalate(run))).toBe("accepted");
    expect(run.records().at(-1)?.record).toMatchObject({
      proposal_kind: "escalate",
      principal: { type: "engine" },
      node: "ask",
      control: [{ type: "gate_escalated", approval_id: id, to: "admins" }],
    });
    expect(openGate(run).escalatedAt).toBe(run.now());
    expect(next(run)).toEqual({ type: "wait", until: end });
  });

  it("is not escalated early, twice, once decided, once expired, or without the graph saying so", () => {
    const early = atGate(asking());
    early.pass(2 * HOUR_MS - 1);
    expect(getCode(escalate(early))).toBe("approval_not_due");
    early.pass(1);
    escalate(early);
    expect(getCode(escalate(early))).toBe("version_conflict");
    const decided = atGate(asking());
    const { id } = openGate(decided).gate;
    decideAs(decided, user(REVIEWER));
    decided.pass(3 * HOUR_MS);
    expect(getCode(escalate(decided, id))).toBe("approval_closed");
    const late = atGate(asking());
    late.pass(24 * HOUR_MS);
    expect(getCode(escalate(late))).toBe("approval_closed");
    expect(next(late)).toMatchObject({ body: { kind: "expire" } });
    const plain = atGate(asking({}));
    plain.pass(3 * HOUR_MS);
    expect(getCode(escalate(plain))).toBe("version_conflict");
    expect(next(plain)).toMatchObject({ type: "wait" });
  });

  it("is escalated by the engine alone", () => {
    const run = atGate(asking());
    run.pass(2 * HOUR_MS);
    const body = { kind: "escalate", approval_id: openGate(run).gate.id } as const;
    for (const principal of [user(REVIEWER), user(uuid(20), "admin"), executor("ask")]) {
      expect(getCode(run.propose(principal, body))).toBe("principal_not_allowed");
    }
    expect(openGate(run).escalatedAt).toBeUndefined();
  });

  it("has no escalation if it would expire first, and none of the gates of other nodes has", () => {
    expect(openGate(atGate(asking({ escalation: ESCALATION, timeout_ms: 2 * HOUR_MS }))).gate).not.toHaveProperty("escalation");
    const writing = atParse(asking());
    writing.work(result(update("is_admin", true)));
    expect(openGate(writing).gate).not.toHaveProperty("escalation");
  });

  it("is still voided, expired and decided as before", () => {
    const run = atGate(asking({ escalation: ESCALATION, quorum: 2 }));
    run.pass(2 * HOUR_MS);
    escalate(run);
    expect(getCode(decideAs(run, user(REVIEWER)))).toBe("accepted");
    expect(run.state().currentNode).toBe("ask");
    expect(getCode(decideAs(run, user(SECOND)))).toBe("accepted");
    expect(run.state().currentNode).toBe("write");
    const undecided = atGate(asking({ escalation: ESCALATION, expiry_node: "rescue" }));
    undecided.pass(24 * HOUR_MS);
    expect(getCode(undecided.propose(engine, { kind: "expire", approval_id: openGate(undecided).gate.id }))).toBe("accepted");
    expect(undecided.state().currentNode).toBe("rescue");
  });
});

describe("an escalation, whatever the gate demands,", () => {
  const gates = fc.record({
    quorum: fc.integer({ min: 1, max: 3 }),
    passkey: fc.option(fc.constant(true as const), { nil: undefined }),
    to: fc.constantFrom("everyone", "admins"),
  });

  it("gives no right to decide and removes no demand", () => {
    fc.assert(
      fc.property(gates, fc.constantFrom(...DECIDERS), ({ to, passkey, quorum }, principal) => {
        const config = { quorum, ...(passkey ? { passkey } : {}), escalation: { after_ms: HOUR_MS, to } };
        const [before, after] = [atGate(asking(config)), atGate(asking(config))];
        for (const run of [before, after]) run.pass(HOUR_MS);
        const { gate } = openGate(after);
        expect(getCode(escalate(after))).toBe("accepted");
        expect(openGate(after).gate).toEqual(gate);
        expect(getCode(decideAs(after, principal))).toBe(getCode(decideAs(before, principal)));
        expect(after.state().currentNode).toBe(before.state().currentNode);
      }),
    );
  });
});
