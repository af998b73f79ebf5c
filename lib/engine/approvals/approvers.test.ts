import { describe, expect, it } from "vitest";
import { areMet, type Demand, type Seat } from "@/lib/people/approvers";
import { nodesWith, publishWith } from "@/lib/engine/testing/graph";
import { atGate, AUTHOR, decision, getCode, openGate, REVIEWER, SECOND, STARTER, user, uuid, type TestRun } from "@/lib/engine/testing/run";

const THIRD = uuid(14);
const FINANCE: Seat = { for: [], groups: ["Finance"] };
const NOBODYS: Seat = { for: [], groups: [] };
const inPlaceOf = (groups: readonly string[], ...chain: readonly string[]): Seat => ({ for: chain, groups });

type Named = { readonly groups?: readonly string[]; readonly people?: readonly string[] };

const named = (approvers: Named, quorum = 1) =>
  publishWith({
    nodes: nodesWith("ask", {
      config: { prompt: "Write it?", review_keys: ["request"], for_node: "write", quorum },
      approvers: { groups: [...(approvers.groups ?? [])], people: [...(approvers.people ?? [])] },
    }),
  });

const decide = (run: TestRun, id: string, seats: readonly Seat[], role: "reviewer" | "viewer" = "reviewer", more: object = {}) => {
  const by = user(id, role);

  return getCode(run.propose(by, { ...decision(run, by), ...more }, { seats }));
};
const isOver = (run: TestRun) => run.state().currentNode === "write";
const lastDecision = (run: TestRun) =>
  run
    .records()
    .flatMap(({ record }) => record.control.filter(({ type }) => type === "decision_made"))
    .at(-1);

describe("a gate that names approvers", () => {
  it("names them in its record, with the quorum", () => {
    const demands: Demand[] = [{ groups: ["Finance"], people: [SECOND], count: 2 }];
    expect(openGate(atGate(named({ groups: ["Finance"], people: [SECOND] }, 2))).gate.demands).toEqual(demands);
    expect(openGate(atGate()).gate).not.toHaveProperty("demands");
  });

  it("is decided only by the people and the members of groups that it names", () => {
    const run = atGate(named({ groups: ["Finance"], people: [SECOND] }));
    expect(decide(run, REVIEWER, [NOBODYS])).toBe("not_named");
    expect(decide(run, REVIEWER, [{ for: [], groups: ["Support"] }])).toBe("not_named");
    expect(decide(run, REVIEWER, [FINANCE], "viewer")).toBe("role_missing");
    expect(decide(run, STARTER, [FINANCE])).toBe("own_run");
    expect(decide(run, REVIEWER, [FINANCE])).toBe("accepted");
    expect(isOver(run)).toBe(true);
    expect(lastDecision(run)).toMatchObject({ user: REVIEWER, groups: ["Finance"] });
  });

  it("records only the groups that it demands", () => {
    const run = atGate(named({ groups: ["Finance"] }));
    decide(run, REVIEWER, [{ for: [], groups: ["Support", "Finance"] }]);
    expect(lastDecision(run)).toMatchObject({ groups: ["Finance"] });
  });

  it("cannot be rejected or edited by others", () => {
    const run = atGate(named({ people: [SECOND] }));
    const by = user(REVIEWER);
    expect(getCode(run.propose(by, decision(run, by, "reject"), { seats: [NOBODYS] }))).toBe("not_named");
    const { gate } = openGate(run);
    const edit = { kind: "edit", approval_id: gate.id, transition_digest: gate.transition_digest, nonce: gate.nonce } as const;
    expect(getCode(run.propose(by, { ...edit, change: { arguments: { plan: "team" } } }, { seats: [NOBODYS] }))).toBe("not_named");
  });
});

describe("a delegate", () => {
  it("decides in the place of a named person, and both are in the record", () => {
    const run = atGate(named({ people: [SECOND] }));
    expect(decide(run, REVIEWER, [NOBODYS, inPlaceOf([], SECOND)])).toBe("accepted");
    expect(isOver(run)).toBe(true);
    expect(lastDecision(run)).toMatchObject({ user: REVIEWER, for: [SECOND] });
  });

  it("never decides in the place of the initiator, the version's author or an editor", () => {
    for (const party of [STARTER, AUTHOR]) {
      const run = atGate(named({ groups: ["Finance"] }, 2));
      expect(decide(run, REVIEWER, [inPlaceOf(["Finance"], party)])).toBe("not_named");
      expect(decide(run, REVIEWER, [inPlaceOf(["Finance"], party, SECOND)])).toBe("not_named");
    }
  });

  it("does not count beside the person in whose place it decides, nor for two delegators", () => {
    const run = atGate(named({ groups: ["Finance"] }, 2));
    expect(decide(run, REVIEWER, [inPlaceOf(["Finance"], SECOND)])).toBe("accepted");
    expect(decide(run, SECOND, [FINANCE])).toBe("not_named");
    expect(decide(run, REVIEWER, [inPlaceOf(["Finance"], THIRD)])).toBe("duplicate_decision");
    expect(isOver(run)).toBe(false);
    expect(decide(run, THIRD, [inPlaceOf(["Finance"], SECOND)])).toBe("not_named");
    expect(decide(run, THIRD, [FINANCE])).toBe("accepted");
    expect(isOver(run)).toBe(true);
  });

  it("frees the place again when its approval lapses", () => {
    const run = atGate(named({ groups: ["Finance"] }, 2));
    decide(run, REVIEWER, [inPlaceOf(["Finance"], SECOND)]);
    expect(decide(run, SECOND, [FINANCE], "reviewer", { lapsed: [REVIEWER] })).toBe("accepted");
    expect(isOver(run)).toBe(false);
  });
});

describe("several demands", () => {
  const demand = (group: string, count = 1): Demand => ({ groups: [group], people: [], count });
  const person = (id: string, ...groups: string[]) => ({ id, groups });

  it("are met only together", () => {
    const both = [demand("Finance"), demand("Legal", 2)];
    expect(areMet(both, [person(REVIEWER, "Finance"), person(SECOND, "Legal"), person(THIRD, "Legal")])).toBe(true);
    expect(areMet(both, [person(REVIEWER, "Finance"), person(SECOND, "Legal")])).toBe(false);
    expect(areMet(both, [person(SECOND, "Legal"), person(THIRD, "Legal")])).toBe(false);
  });

  it("count a person towards each, once", () => {
    const both = [demand("Finance"), demand("Legal", 2)];
    expect(areMet(both, [person(REVIEWER, "Finance", "Legal"), person(SECOND, "Legal")])).toBe(true);
    expect(areMet(both, [person(REVIEWER, "Finance", "Legal"), person(REVIEWER, "Finance", "Legal")])).toBe(false);
  });
});
