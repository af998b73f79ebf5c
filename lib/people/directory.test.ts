import { describe, expect, it } from "vitest";
import type { RunEvent } from "@/lib/engine/event";
import type { MemberInForce } from "@/lib/engine/ledger/members-in-force";
import { ownRecord } from "@/lib/engine/ledger/workspace-ledger";
import type { Principal } from "@/lib/engine/principal";
import { engine, user, uuid } from "@/lib/engine/testing/run";
import { digestOf } from "@/lib/hash";
import type { Role } from "@/lib/roles";
import { foldApprovers, NO_APPROVERS, type ApproverFold } from "./approver-fold";
import { decideDirectory, decideNewcomer, decideSync } from "./decide-directory";
import { computeDirectoryDigest, readGroups, resolveAccess, type Directory } from "./directory";
import type { DirectoryCommand } from "./directory-command";

const [ADMIN, SECOND, ADA, BEN] = [uuid(20), uuid(21), uuid(22), uuid(23)];
const TOKEN = digestOf("proof", { token: 1 });
const DIRECTORY: Directory = {
  claim: "groups",
  newcomers: true,
  otherwise: null,
  rules: [
    { group: "reviewers", role: "reviewer", approvers: ["Finance"] },
    { group: "builders", role: "builder", approvers: [] },
    { group: "auditing", role: null, approvers: ["Legal"] },
  ],
};
const WITH_ADMINS: Directory = { ...DIRECTORY, rules: [{ group: "root", role: "admin", approvers: [] }, ...DIRECTORY.rules] };

const member = (role: Role, more: Partial<MemberInForce> = {}): MemberInForce => ({ role, auditor: false, disabled: false, ...more });
const MEMBERS = new Map([
  [ADMIN, member("admin")],
  [SECOND, member("admin")],
  [ADA, member("viewer")],
]);

const recorded = (fold: ApproverFold, by: Principal, outcome: RunEvent | readonly RunEvent[], seq = 7): ApproverFold =>
  foldApprovers(fold, {
    ...ownRecord({ id: uuid(90), workspace: uuid(1), at: 1, principal: by, body: { kind: "test" } }, outcome, null),
    seq,
  });

const withGroups = ["Finance", "Legal"].reduce(
  (fold, group) => recorded(fold, user(ADMIN, "admin"), { type: "approver_group_changed", group, people: [BEN] }),
  NO_APPROVERS,
);
const inForce = (directory: Directory = DIRECTORY): ApproverFold =>
  recorded(withGroups, engine, { type: "directory_changed", step: "set", directory });
const set = (directory: Directory | null, was: Directory | null = null): DirectoryCommand => ({
  kind: "directory_set",
  was: was && computeDirectoryDigest(was),
  directory,
});
const decide = (by: Principal, command: DirectoryCommand, fold: ApproverFold, members = MEMBERS) =>
  decideDirectory(by, command, { fold, members, atMs: 0 });
const syncOf = (fold: ApproverFold, groups: readonly string[], members = MEMBERS, hasPassword = false) =>
  decideSync(ADA, groups, { fold, members, hasPassword });
type Synced = Extract<RunEvent, { type: "directory_synced" }>;
const synced = (more: Partial<Synced> = {}): Synced => ({
  type: "directory_synced",
  user: ADA,
  mapping: 7,
  token: TOKEN,
  given: true,
  joins: [],
  leaves: [],
  ...more,
});
const managed = (given: boolean, fold = inForce()) => recorded(fold, engine, synced({ given }), 8);

describe("a mapping", () => {
  it("gives the role of the first matching rule, and the approver groups of all", () => {
    expect(resolveAccess(DIRECTORY, ["auditing", "builders", "reviewers"])).toEqual({
      role: "reviewer",
      isNamed: true,
      approvers: ["Finance", "Legal"],
    });
    expect(resolveAccess(DIRECTORY, ["auditing"])).toEqual({ role: null, isNamed: false, approvers: [] });
    expect(resolveAccess({ ...DIRECTORY, otherwise: "viewer" }, ["auditing"])).toEqual({
      role: "viewer",
      isNamed: false,
      approvers: ["Legal"],
    });
    expect(resolveAccess(DIRECTORY, ["Reviewers", "reviewers ", "__proto__"])).toMatchObject({ role: null });
  });

  it("is changed by admins only, against the one on screen, with distinct groups and existing approver groups", () => {
    for (const by of [user(ADA), user(ADA, "builder"), engine])
      expect(decide(by, set(DIRECTORY), withGroups)).toBe("principal_not_allowed");
    const by = user(ADMIN, "admin");
    expect(decide(by, set(DIRECTORY), withGroups)).toEqual({ type: "directory_changed", step: "set", directory: DIRECTORY });
    expect(decide(by, set(DIRECTORY), inForce())).toBe("directory_changed");
    expect(decide(by, set(null, DIRECTORY), inForce())).toMatchObject({ step: "set", directory: null });
    expect(decide(by, set(null), withGroups)).toBe("directory_changed");
    expect(decide(by, set(DIRECTORY), NO_APPROVERS)).toBe("not_found");
    for (const change of [
      { rules: [...DIRECTORY.rules, ...DIRECTORY.rules] },
      { claim: "preferred_username" },
      { rules: [{ group: "root\u202e", role: "viewer" as const, approvers: [] }] },
    ]) {
      expect(decide(by, set({ ...DIRECTORY, ...change }), withGroups)).toBe("malformed");
    }
  });

  it("that makes admins needs a second admin, who is asked about exactly it", () => {
    const asked = decide(user(ADMIN, "admin"), set(WITH_ADMINS), withGroups);
    expect(asked).toMatchObject({ step: "asked" });
    const fold = recorded(withGroups, user(ADMIN, "admin"), asked as RunEvent);
    expect(fold.directory).toMatchObject({ inForce: null, asked: { by: ADMIN } });
    const confirm: DirectoryCommand = { kind: "directory_confirm", asked: computeDirectoryDigest(WITH_ADMINS) };
    expect(decide(user(ADMIN, "admin"), confirm, fold)).toBe("policy_second_person");
    expect(decide(user(SECOND, "admin"), { ...confirm, asked: computeDirectoryDigest(DIRECTORY) }, fold)).toBe("directory_changed");
    expect(decide(user(SECOND, "admin"), confirm, fold, new Map([[ADMIN, member("viewer")]]))).toBe("directory_changed");
    const confirmed = decide(user(SECOND, "admin"), confirm, fold) as RunEvent;
    expect(recorded(fold, user(SECOND, "admin"), confirmed).directory).toMatchObject({ inForce: { directory: WITH_ADMINS }, asked: null });
    const declined = decide(user(SECOND, "admin"), { ...confirm, kind: "directory_decline" }, fold) as RunEvent;
    expect(recorded(fold, user(SECOND, "admin"), declined).directory).toMatchObject({ inForce: null, asked: null });
  });

  it("counts in the fold only from admins, and for admins only from two or the operator", () => {
    const change = { type: "directory_changed", step: "set", directory: WITH_ADMINS } as const;
    const asked = recorded(withGroups, user(ADMIN, "admin"), { ...change, step: "asked" });
    expect(recorded(asked, user(ADMIN, "admin"), change).directory.inForce).toBeNull();
    expect(recorded(withGroups, user(SECOND, "admin"), change).directory.inForce).toBeNull();
    expect(
      recorded(asked, user(SECOND, "admin"), { ...change, directory: { ...WITH_ADMINS, otherwise: "builder" } }).directory.inForce,
    ).toBeNull();
    expect(recorded(withGroups, engine, change).directory.inForce).toMatchObject({ seq: 7 });
    expect(recorded(withGroups, user(ADA, "reviewer"), { ...change, directory: DIRECTORY }).directory.inForce).toBeNull();
  });
});

describe("a member's access", () => {
  it("follows a matching group, approver groups included, and is then left alone", () => {
    const sync = syncOf(inForce(), ["reviewers"]);
    expect(sync).toEqual({ ...member("reviewer"), given: true, joins: ["Finance"], leaves: [] });
    const fold = recorded(inForce(), engine, synced({ joins: ["Finance"] }), 8);
    expect(fold.groups.get("Finance")).toEqual([ADA, BEN]);
    expect(syncOf(fold, ["reviewers"], new Map([[ADA, member("reviewer")]]))).toBeNull();
    expect(syncOf(fold, ["builders"], new Map([[ADA, member("reviewer", { auditor: true })]]))).toEqual({
      ...member("builder", { auditor: true }),
      given: true,
      joins: [],
      leaves: ["Finance"],
    });
  });

  it("given by a group is taken with the group, and given again with it, unless an admin disabled the person", () => {
    const reviewer = new Map([[ADA, member("reviewer", { auditor: true })]]);
    expect(syncOf(managed(true), [], reviewer)).toEqual({ ...member("reviewer", { disabled: true }), given: false, joins: [], leaves: [] });
    const disabled = new Map([[ADA, member("reviewer", { disabled: true })]]);
    expect(syncOf(managed(false), [], disabled)).toBeNull();
    expect(syncOf(managed(false), ["builders"], disabled)).toMatchObject({ role: "builder", disabled: false });
    const byAdmin = recorded(managed(false), user(ADMIN, "admin"), {
      type: "admin_changed",
      area: "people",
      subject: ADA,
      step: "disabled",
      before: TOKEN,
      after: TOKEN,
    });
    expect(syncOf(byAdmin, ["builders"], disabled)).toBeNull();
  });

  it("stays as an admin gave it for people with a password, and for invitees whom no group names", () => {
    expect(syncOf(inForce(), ["reviewers"], MEMBERS, true)).toBeNull();
    expect(syncOf(managed(true), [], MEMBERS, true)).toBeNull();
    expect(syncOf(inForce({ ...DIRECTORY, otherwise: "builder" }), [])).toBeNull();
    expect(syncOf(withGroups, ["reviewers"])).toBeNull();
  });

  it("of the last admin is not taken", () => {
    const alone = new Map([[ADA, member("admin")]]);
    expect(syncOf(managed(true), [], alone)).toBe("last_admin");
    expect(syncOf(managed(true), ["builders"], alone)).toBe("last_admin");
    expect(syncOf(managed(true), ["builders"], new Map([...alone, [ADMIN, member("admin")]]))).toMatchObject({ role: "builder" });
  });

  it("counts in the fold only under the mapping in force, only for its groups, and only from the control plane", () => {
    const joins = ["Finance", "Legal", "Unmapped"];
    const other = recorded(inForce(), user(ADMIN, "admin"), { type: "approver_group_changed", group: "Unmapped", people: [] });
    expect(recorded(other, engine, synced({ joins }), 8).groups.get("Unmapped")).toEqual([]);
    for (const fold of [
      recorded(inForce(), engine, synced({ joins, mapping: 6 }), 8),
      recorded(inForce(), user(ADMIN, "admin"), synced({ joins }), 8),
      recorded(withGroups, engine, synced({ joins }), 8),
    ]) {
      expect([fold.groups.get("Finance"), fold.directory.managed.size]).toEqual([[BEN], 0]);
    }
  });
});

it("newcomers get an account only if the mapping says so and names a role", () => {
  expect(decideNewcomer(ADA, ["builders"], inForce())).toMatchObject({ role: "builder", auditor: false });
  expect(decideNewcomer(ADA, [], inForce())).toBeNull();
  expect(decideNewcomer(ADA, [], inForce({ ...DIRECTORY, otherwise: "viewer" }))).toMatchObject({ role: "viewer" });
  expect(decideNewcomer(ADA, ["builders"], inForce({ ...DIRECTORY, newcomers: false }))).toBeNull();
  expect(decideNewcomer(ADA, ["builders"], withGroups)).toBeNull();
});

it("reads groups as a list or one name, and refuses other shapes and groups kept elsewhere", () => {
  expect(readGroups({ groups: ["a", "b"] }, "groups")).toEqual(["a", "b"]);
  expect(readGroups({ groups: "a" }, "groups")).toEqual(["a"]);
  expect(readGroups({}, "groups")).toEqual([]);
  expect(readGroups({}, "toString")).toEqual([]);
  expect(readGroups({ groups: { a: true } }, "groups")).toBeNull();
  expect(readGroups({ groups: ["a", 1] }, "groups")).toBeNull();
  expect(readGroups({ _claim_names: { groups: "src1" } }, "groups")).toBeNull();
});
