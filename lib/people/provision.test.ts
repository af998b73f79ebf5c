import { describe, expect, it } from "vitest";
import type { RunEvent } from "@/lib/engine/event";
import { ownRecord } from "@/lib/engine/ledger/workspace-ledger";
import type { Principal } from "@/lib/engine/principal";
import { engine, user, uuid } from "@/lib/engine/testing/run";
import { foldApprovers, NO_APPROVERS, type ApproverFold } from "./approver-fold";
import { changeMembers, decideGroup } from "./decide-provision";
import { getAddress, getShownName, type DirectoryUser } from "./directory-user";
import { isTokenInForce, listProviderGroups } from "./provision-fold";
import { MOST_CHANGED } from "./provision-command";
import type { RefusalCode } from "@/lib/refusal";

const [ADMIN, SECOND, ADA, TOKEN, GROUP] = [uuid(20), uuid(21), uuid(22), uuid(30), uuid(40)];
const scim: Principal = { type: "directory", token: TOKEN };

const recorded = (fold: ApproverFold, by: Principal, outcome: RunEvent | readonly RunEvent[] | RefusalCode, seq = 7): ApproverFold =>
  foldApprovers(fold, {
    ...ownRecord({ id: uuid(90), workspace: uuid(1), at: 1_000, principal: by, body: { kind: "provision_user_change" } }, outcome, null, [
      ADA,
    ]),
    seq,
  });
const token = (step: "made" | "confirmed" | "ended") =>
  ({
    type: "directory_token",
    token: TOKEN,
    step,
    key: step === "made" ? { public_key: "k".repeat(43), expires_at: 2_000 } : null,
  }) as const;
type GroupChanged = Extract<RunEvent, { type: "directory_group" }>;
const group = (more: Partial<GroupChanged> = {}): GroupChanged => ({
  type: "directory_group",
  group: GROUP,
  name: "Finance",
  external_id: "8aa1",
  joins: [ADA],
  leaves: [],
  ...more,
});
const admin = user(ADMIN, "admin");
const made = recorded(NO_APPROVERS, admin, token("made"));
const tokenOf = ({ directory }: ApproverFold) => directory.provision.tokens.get(TOKEN);
const groupsOf = ({ directory }: ApproverFold) => listProviderGroups(directory.provision, ADA);

describe("SCIM tokens", () => {
  it("are made, confirmed by a different admin, and ended", () => {
    expect(tokenOf(made)).toMatchObject({ by: ADMIN, isConfirmed: false, expiresAt: 2_000, usedAt: null });
    expect(tokenOf(recorded(made, admin, token("confirmed")))?.isConfirmed).toBe(false);
    expect(tokenOf(recorded(made, user(SECOND, "builder"), token("confirmed")))?.isConfirmed).toBe(false);
    expect(tokenOf(recorded(made, user(SECOND, "admin"), token("confirmed")))?.isConfirmed).toBe(true);
    expect(tokenOf(recorded(made, engine, token("confirmed")))?.isConfirmed).toBe(true);
    expect(tokenOf(recorded(made, admin, token("ended")))).toBeUndefined();
    expect(tokenOf(recorded(made, scim, token("confirmed")))?.isConfirmed).toBe(false);
    expect(tokenOf(recorded(NO_APPROVERS, user(ADMIN, "builder"), token("made")))).toBeUndefined();
    expect(tokenOf(recorded(NO_APPROVERS, engine, token("made")))).toBeUndefined();
  });

  it("are in force until they expire, and unconfirmed only while the mapping makes no admins", () => {
    const mapping = {
      claim: "groups",
      newcomers: true,
      otherwise: null,
      rules: [{ group: "root", role: "admin" as const, approvers: [] }],
    };
    const unconfirmed = tokenOf(made);
    const confirmed = tokenOf(recorded(made, user(SECOND, "admin"), token("confirmed")));
    if (!unconfirmed || !confirmed) throw new Error("there is no token");
    expect(isTokenInForce(unconfirmed, null, 1_999)).toBe(true);
    expect(isTokenInForce(unconfirmed, null, 2_000)).toBe(false);
    expect(isTokenInForce(unconfirmed, mapping, 1_999)).toBe(false);
    expect(isTokenInForce(confirmed, mapping, 1_999)).toBe(true);
  });
});

describe("directory groups", () => {
  it("count under their name and external id, from a known token only", () => {
    expect(groupsOf(recorded(made, scim, group()))).toEqual(["Finance", "8aa1"]);
    expect(groupsOf(recorded(NO_APPROVERS, scim, group()))).toEqual([]);
    expect(groupsOf(recorded(made, admin, group()))).toEqual([]);
    expect(groupsOf(recorded(recorded(made, admin, token("ended")), scim, group()))).toEqual([]);
  });

  it("lose people who leave or are deleted, and end with their deletion", () => {
    const fold = recorded(made, scim, group());
    const gone = { type: "admin_changed", area: "directory", subject: ADA, step: "deleted", before: "a".repeat(64), after: null } as const;
    expect(groupsOf(recorded(fold, scim, group({ joins: [], leaves: [ADA] })))).toEqual([]);
    expect(groupsOf(recorded(fold, scim, gone))).toEqual([]);
    expect(groupsOf(recorded(fold, scim, group({ name: null, joins: [], leaves: [ADA] })))).toEqual([]);
  });

  it("keep the latest 20 refusals and the token's last use", () => {
    let fold = made;
    for (let seq = 0; seq < 25; seq += 1) fold = recorded(fold, scim, "person_known", seq);
    expect(fold.directory.provision.refused.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, nth) => 24 - nth));
    expect(fold.directory.provision.refused[0]).toMatchObject({ code: "person_known", kind: "provision_user_change", subject: ADA });
    expect(tokenOf(fold)?.usedAt).toBe(1_000);
  });

  it("apply member changes in order", () => {
    const changes = [
      { op: "add", people: ["b"] },
      { op: "replace", people: ["c"] },
      { op: "add", people: ["d", "d"] },
      { op: "remove", people: ["c"] },
    ] as const;
    expect([
      ...changeMembers(
        new Set(["a"]),
        changes.map(({ op, people }) => ({ op, people: [...people] })),
      ),
    ]).toEqual(["d"]);
  });

  it("refuse unknown members, and more than 1,000 changes at once", () => {
    const create = (people: string[]) =>
      ({ kind: "provision_group_create", group: GROUP, name: "Finance", externalId: null, people }) as const;
    const { provision } = made.directory;
    const many = Array.from({ length: MOST_CHANGED + 1 }, (_, nth) => uuid(1_000 + nth));
    expect(decideGroup(create([ADA]), provision, () => false)).toBe("directory_member_unknown");
    expect(decideGroup(create([ADA]), provision, () => true)).toMatchObject({ joins: [ADA], leaves: [] });
    expect(decideGroup(create(many.slice(1)), provision, () => true)).toMatchObject({ type: "directory_group" });
    expect(decideGroup(create(many), provision, () => true)).toBe("directory_limit");
  });
});

describe("a person of the directory", () => {
  const ada: DirectoryUser = {
    userName: "Ada@Example.com",
    externalId: null,
    email: null,
    displayName: null,
    formattedName: null,
    givenName: "Ada",
    familyName: "Vale",
    active: true,
  };

  it("has the address of emails, else of userName", () => {
    expect(getAddress(ada)).toBe("ada@example.com");
    expect(getAddress({ ...ada, email: "other@example.com" })).toBe("other@example.com");
    expect(getAddress({ ...ada, userName: "ada" })).toBeNull();
  });

  it("has a name to show", () => {
    expect(getShownName({ ...ada, displayName: "A. Vale" })).toBe("A. Vale");
    expect(getShownName(ada)).toBe("Ada Vale");
    expect(getShownName({ ...ada, givenName: null, familyName: null })).toBe("Ada");
  });
});
