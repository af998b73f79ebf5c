import { describe, expect, it } from "vitest";
import type { RunEvent } from "@/lib/engine/event";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { ownRecord } from "@/lib/engine/ledger/workspace-ledger";
import { MOST_RULES } from "@/lib/approval-rules/rule";
import { engine, user, uuid } from "@/lib/engine/testing/run";
import type { Principal } from "@/lib/engine/principal";
import type { Role } from "@/lib/roles";
import type { ApproverCommand } from "./approver-command";
import { foldApprovers, listSeats, NO_APPROVERS, type ApproverFold } from "./approver-fold";
import { decideApprovers } from "./decide-approvers";

const ADMIN = user(uuid(20), "admin");
const [ADA, BEN, CY, DI, VIEWER, EVE] = [uuid(21), uuid(22), uuid(23), uuid(24), uuid(25), uuid(26)];
const NOW = 1_800_000_000_000;
const DAY = 86_400_000;

const member = (role: Role, disabled = false) => ({ role, auditor: false, disabled });
const MEMBERS = new Map([
  [uuid(20), member("admin")],
  ...[ADA, BEN, CY, DI, EVE].map((id) => [id, member("reviewer")] as const),
  [VIEWER, member("viewer")],
]);

const recordBy = (principal: Principal, outcome: Parameters<typeof ownRecord>[1]): LedgerRecord =>
  ownRecord({ id: uuid(90), workspace: uuid(1), at: NOW, principal, body: { kind: "test" } }, outcome, null);

const carryOut = (fold: ApproverFold, by: Principal, command: ApproverCommand, atMs = NOW) => {
  const outcome = decideApprovers(by, command, { fold, members: MEMBERS, atMs });
  if (typeof outcome === "string") return outcome;

  return foldApprovers(fold, recordBy(by, outcome));
};
const done = (outcome: ApproverFold | string): ApproverFold => {
  if (typeof outcome === "string") throw new Error(outcome);

  return outcome;
};
const set = (people: readonly string[], was: readonly string[] | null = null, group = "Finance"): ApproverCommand => ({
  kind: "group_set",
  group,
  was: was && [...was],
  people: [...people],
});
const give = (id: number, to: string, startsAt = NOW, endsAt = NOW + DAY): ApproverCommand => ({
  kind: "delegation_give",
  delegation: uuid(id),
  to,
  starts_at: startsAt,
  ends_at: endsAt,
});
const given = (...edges: readonly (readonly [string, string])[]): ApproverFold =>
  edges.reduce((fold, [from, to], index) => done(carryOut(fold, user(from), give(100 + index, to))), NO_APPROVERS);

describe("an approver group", () => {
  it("is changed by admins only", () => {
    for (const by of [user(ADA), user(ADA, "builder"), user(VIEWER, "viewer"), engine]) {
      expect(carryOut(NO_APPROVERS, by, set([ADA]))).toBe("principal_not_allowed");
      expect(carryOut(NO_APPROVERS, by, { kind: "group_remove", group: "Finance" })).toBe("principal_not_allowed");
    }
    const fold = done(carryOut(NO_APPROVERS, ADMIN, set([BEN, ADA, ADA])));
    expect(fold.groups.get("Finance")).toEqual([ADA, BEN]);
    expect(done(carryOut(fold, ADMIN, { kind: "group_remove", group: "Finance" })).groups.size).toBe(0);
  });

  it("is in force only if an admin's record says so", () => {
    const event: RunEvent = { type: "approver_group_changed", group: "Finance", people: [ADA] };
    expect(foldApprovers(NO_APPROVERS, recordBy(user(ADA), event))).toBe(NO_APPROVERS);
    expect(foldApprovers(NO_APPROVERS, recordBy(engine, event))).toBe(NO_APPROVERS);
    expect(foldApprovers(NO_APPROVERS, recordBy(ADMIN, event)).groups.size).toBe(1);
  });

  it("is not changed over a concurrent change, given a twin's name or a stranger", () => {
    const fold = done(carryOut(NO_APPROVERS, ADMIN, set([ADA])));
    expect(carryOut(fold, ADMIN, set([BEN]))).toBe("group_changed");
    expect(carryOut(fold, ADMIN, set([BEN], [BEN]))).toBe("group_changed");
    expect(carryOut(fold, ADMIN, set([BEN], null, "finance"))).toBe("group_name_taken");
    expect(carryOut(fold, ADMIN, set([ADA, uuid(99)], [ADA]))).toBe("not_found");
    expect(done(carryOut(fold, ADMIN, set([BEN], [ADA]))).groups.get("Finance")).toEqual([BEN]);
  });
});

describe("a delegation", () => {
  it("is given and revoked by the delegator alone, to another reviewer, for a future period", () => {
    expect(carryOut(NO_APPROVERS, user(VIEWER, "viewer"), give(100, ADA))).toBe("principal_not_allowed");
    expect(carryOut(NO_APPROVERS, user(ADA), give(100, ADA))).toBe("delegate_unable");
    expect(carryOut(NO_APPROVERS, user(ADA), give(100, VIEWER))).toBe("delegate_unable");
    expect(carryOut(NO_APPROVERS, user(ADA), give(100, BEN, NOW - 2 * DAY, NOW))).toBe("delegation_invalid");
    expect(carryOut(NO_APPROVERS, user(ADA), give(100, BEN, NOW, NOW + 400 * DAY))).toBe("delegation_invalid");
    const fold = given([ADA, BEN]);
    const revoke: ApproverCommand = { kind: "delegation_revoke", delegation: uuid(100) };
    expect(carryOut(fold, user(BEN), revoke)).toBe("not_found");
    expect(carryOut(fold, ADMIN, revoke)).toBe("not_found");
    expect(done(carryOut(fold, user(ADA), revoke)).delegations.size).toBe(0);
  });

  it("counts only in a record by the delegator", () => {
    const event = { type: "delegation_given", delegation: uuid(100), from: ADA, to: BEN, starts_at: NOW, ends_at: NOW + DAY } as const;
    expect(foldApprovers(NO_APPROVERS, recordBy(user(BEN), event))).toBe(NO_APPROVERS);
    expect(foldApprovers(NO_APPROVERS, recordBy(ADMIN, event))).toBe(NO_APPROVERS);
  });

  it("closes no loop and no chain of four", () => {
    expect(carryOut(given([ADA, BEN]), user(BEN), give(110, ADA))).toBe("delegation_chain");
    expect(carryOut(given([ADA, BEN], [BEN, CY]), user(CY), give(110, ADA))).toBe("delegation_chain");
    const three = given([ADA, BEN], [BEN, CY], [CY, DI]);
    expect(listSeats(three, MEMBERS, DI, NOW).map((seat) => seat.for)).toEqual([[], [CY], [CY, BEN], [CY, BEN, ADA]]);
    expect(carryOut(three, user(DI), give(110, EVE))).toBe("delegation_chain");
    expect(carryOut(three, user(EVE), give(110, ADA))).toBe("delegation_chain");
  });
});

describe("a person's places", () => {
  it("are their own and the delegators', with the groups of the one who counts", () => {
    const fold = done(carryOut(given([ADA, BEN]), ADMIN, set([ADA])));
    expect(listSeats(fold, MEMBERS, BEN, NOW)).toEqual([
      { for: [], groups: [] },
      { for: [ADA], groups: ["Finance"] },
    ]);
    expect(listSeats(fold, MEMBERS, ADA, NOW)).toEqual([{ for: [], groups: ["Finance"] }]);
  });

  it("last for the period, and while the delegator may decide", () => {
    const fold = done(carryOut(NO_APPROVERS, user(ADA), give(100, BEN, NOW + DAY, NOW + 2 * DAY)));
    const places = (atMs: number, members: ReadonlyMap<string, ReturnType<typeof member>> = MEMBERS) =>
      listSeats(fold, members, BEN, atMs).length;
    expect([NOW, NOW + DAY, NOW + 2 * DAY - 1, NOW + 2 * DAY].map((at) => places(at))).toEqual([1, 2, 2, 1]);
    for (const other of [member("reviewer", true), member("viewer"), member("admin")])
      expect(places(NOW + DAY, new Map(MEMBERS).set(ADA, other))).toBe(1);
  });
});

describe("approval rules", () => {
  const OTHER = user(uuid(27), "admin");
  const members = new Map([...MEMBERS, [uuid(27), member("admin")]]);
  const act = (fold: ApproverFold, by: Principal, command: ApproverCommand) => {
    const outcome = decideApprovers(by, command, { fold, members, atMs: NOW });

    return typeof outcome === "string" ? outcome : foldApprovers(fold, recordBy(by, outcome));
  };
  const add = (id: string, groups: readonly string[] = []): ApproverCommand => ({
    kind: "rule_add",
    rule: { id, when: { effect: "write" }, needs: { groups: [...groups], people: [], count: 1 } },
  });
  const RULE = uuid(40);
  const remove = { kind: "rule_remove", rule: RULE } as const;
  const confirm = { kind: "rule_remove_confirm", rule: RULE } as const;
  const decline = { kind: "rule_remove_decline", rule: RULE } as const;
  const added = done(act(NO_APPROVERS, ADMIN, add(RULE)));
  const asked = done(act(added, ADMIN, remove));

  it("are added by one admin, with existing groups", () => {
    expect([...added.rules.keys()]).toEqual([RULE]);
    expect(act(added, ADMIN, add(RULE))).toBe("rule_changed");
    expect(act(NO_APPROVERS, ADMIN, add(RULE, ["Finance"]))).toBe("not_found");
    expect(done(act(done(carryOut(NO_APPROVERS, ADMIN, set([ADA]))), ADMIN, add(RULE, ["Finance"]))).rules.size).toBe(1);
    for (const by of [user(ADA), user(ADA, "builder"), engine]) expect(act(NO_APPROVERS, by, add(RULE))).toBe("principal_not_allowed");
  });

  it("escalate to an existing group only", () => {
    const escalating = (): ApproverCommand => {
      const command = add(RULE, ["Finance"]);

      return command.kind === "rule_add"
        ? { ...command, rule: { ...command.rule, needs: { ...command.rule.needs, escalation: { after_ms: 3_600_000, group: "Support" } } } }
        : command;
    };
    const finance = done(carryOut(NO_APPROVERS, ADMIN, set([ADA])));
    expect(act(finance, ADMIN, escalating())).toBe("not_found");
    expect(
      done(act(done(act(finance, ADMIN, { kind: "group_set", group: "Support", was: null, people: [] })), ADMIN, escalating())).rules.size,
    ).toBe(1);
  });

  it("are limited in number", () => {
    const full = Array.from({ length: MOST_RULES }, (_, index) => add(uuid(100 + index))).reduce(
      (fold, command) => done(act(fold, ADMIN, command)),
      NO_APPROVERS,
    );
    expect(act(full, ADMIN, add(RULE))).toBe("rule_limit");
  });

  it("are removed by a second admin only", () => {
    expect(asked.rules.size).toBe(1);
    expect(act(added, OTHER, confirm)).toBe("rule_changed");
    expect(act(asked, ADMIN, remove)).toBe("rule_changed");
    expect(act(asked, ADMIN, confirm)).toBe("policy_second_person");
    expect(act(asked, user(ADA), confirm)).toBe("principal_not_allowed");
    expect(done(act(asked, OTHER, confirm))).toMatchObject({ rules: new Map(), removals: new Map() });
  });

  it("stay when the removal is declined, or the asker is no longer an admin", () => {
    const declined = done(act(asked, OTHER, decline));
    expect(declined.rules.size).toBe(1);
    expect(act(declined, OTHER, confirm)).toBe("rule_changed");
    members.set(uuid(20), member("reviewer"));
    expect(act(asked, OTHER, confirm)).toBe("rule_changed");
    members.set(uuid(20), member("admin"));
  });

  it("are not changed by records that their authors may not cause", () => {
    const removal = (step: "asked" | "removed" | "declined") => ({ type: "approval_rule_removal", rule: RULE, step }) as const;
    const adding = (id: string, count = 1): RunEvent => ({
      type: "approval_rule_added",
      rule: { id, when: { effect: "write" }, needs: { groups: [], people: [], count } },
    });
    expect(foldApprovers(asked, recordBy(ADMIN, removal("removed")))).toBe(asked);
    expect(foldApprovers(asked, recordBy(user(ADA), removal("removed")))).toBe(asked);
    expect(foldApprovers(asked, recordBy(user(ADA), removal("declined")))).toBe(asked);
    expect(foldApprovers(added, recordBy(OTHER, removal("removed")))).toBe(added);
    expect(foldApprovers(added, recordBy(user(ADA), adding(uuid(41))))).toBe(added);
    expect(foldApprovers(added, recordBy(ADMIN, adding(RULE, 2)))).toBe(added);
    // The operator, where there is no second admin.
    expect(foldApprovers(added, recordBy(engine, removal("removed"))).rules.size).toBe(0);
  });
});
