import { describe, expect, test } from "vitest";
import type { Principal } from "@/lib/engine/principal";
import { digestOf } from "@/lib/hash";
import { roleSchema } from "@/lib/roles";
import type { PeopleCommand } from "./command";
import { decidePeople, describePeopleStep, type PeopleFacts } from "./decide";

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const [ADMIN, MEMBER, INVITE] = [uuid(1), uuid(2), uuid(3)];

const admin: Principal = { type: "user", id: ADMIN, role: "admin", auditor: false };
const builder = { role: "builder", auditor: false } as const;
const identity = { issuer: "https://id.example.com", subject: "ines" };
const person = { ...builder, isDisabled: false, hasPassword: true };
const invite = { ...builder, email: "new@example.com", hash: "a".repeat(64) };
const facts: PeopleFacts = {
  person,
  identity,
  isIdentityTaken: false,
  invite,
  isMember: false,
  openInvites: 0,
  hasOtherAdmin: true,
  isElsewhere: false,
};

const COMMANDS = {
  people_invite: { kind: "people_invite", invite: INVITE, hash: "a".repeat(64), email: "new@example.com", standing: builder },
  people_withdraw: { kind: "people_withdraw", invite: INVITE },
  people_change: { kind: "people_change", user: MEMBER, was: builder, standing: { role: "reviewer", auditor: true } },
  people_disable: { kind: "people_disable", user: MEMBER },
  people_leave: { kind: "people_leave", user: MEMBER },
  people_enable: { kind: "people_enable", user: MEMBER },
  people_end_sessions: { kind: "people_end_sessions", user: MEMBER, session: null },
  people_sign_out: { kind: "people_sign_out", user: MEMBER, session: null, keep: null },
  people_link_identity: { kind: "people_link_identity", user: MEMBER, identity },
  people_unlink_identity: { kind: "people_unlink_identity", user: MEMBER, identity, keep: null },
} as const satisfies Record<PeopleCommand["kind"], PeopleCommand>;

const all = Object.values<PeopleCommand>(COMMANDS);
const others: readonly Principal[] = [
  ...roleSchema.options.filter((role) => role !== "admin").map((role) => ({ type: "user", id: ADMIN, role, auditor: true }) as const),
  { type: "agent", token: uuid(7), session: uuid(8), owner: ADMIN, integrity: "trusted", scopes: ["run.drive"] },
  { type: "executor", node: "n", agent: null, epoch: 1 },
  { type: "engine", epoch: 1 },
];

describe("commands about people", () => {
  test.each(all)("$kind needs an admin", (command) => {
    for (const principal of others) expect(decidePeople(principal, command, facts)).toBe("principal_not_allowed");
  });

  test("people sign out themselves only", () => {
    const signOut = COMMANDS.people_sign_out;
    const self: Principal = { ...admin, id: MEMBER, role: "viewer" };
    expect(decidePeople(self, signOut, facts)).toEqual({ before: null, after: null });
    expect(decidePeople(admin, signOut, facts)).toBe("principal_not_allowed");
  });

  test("people leave by themselves, unless they are the only admin", () => {
    const self: Principal = { ...admin, id: MEMBER, role: "viewer" };
    const alone = { ...facts, hasOtherAdmin: false };
    const lastAdmin = { ...alone, person: { ...person, role: "admin" as const } };
    expect(decidePeople(admin, COMMANDS.people_leave, facts)).toBe("principal_not_allowed");
    expect(decidePeople(self, COMMANDS.people_leave, alone)).toMatchObject({ after: digestOf("settings", { ...builder, disabled: true }) });
    expect(decidePeople({ ...self, role: "admin" }, COMMANDS.people_leave, lastAdmin)).toBe("last_admin");
  });

  test("an identity is linked by its account only, not by an admin", () => {
    const self: Principal = { ...admin, id: MEMBER, role: "viewer" };
    const free = { ...facts, identity: null };
    expect(decidePeople(admin, COMMANDS.people_link_identity, free)).toBe("principal_not_allowed");
    expect(decidePeople(self, COMMANDS.people_link_identity, free)).toEqual({ before: null, after: digestOf("settings", identity) });
    expect(decidePeople(self, COMMANDS.people_link_identity, facts)).toBe("identity_known");
    expect(decidePeople(self, COMMANDS.people_link_identity, { ...free, isIdentityTaken: true })).toBe("identity_known");
  });

  test("an identity is unlinked by its person or an admin, as seen, and if another sign-in remains", () => {
    const self: Principal = { ...admin, id: MEMBER, role: "viewer" };
    const unlink = COMMANDS.people_unlink_identity;
    for (const by of [admin, self]) {
      expect(decidePeople(by, unlink, facts)).toEqual({ before: digestOf("settings", identity), after: null });
      expect(decidePeople(by, unlink, { ...facts, person: { ...person, hasPassword: false } })).toBe("identity_last");
      expect(decidePeople(by, unlink, { ...facts, identity: { ...identity, subject: "other" } })).toBe("person_changed");
      expect(decidePeople(by, unlink, { ...facts, identity: null })).toBe("person_changed");
    }
    const elsewhere = { ...facts, isElsewhere: true };
    expect(decidePeople(admin, unlink, elsewhere)).toBe("identity_elsewhere");
    expect(decidePeople(self, unlink, elsewhere)).toMatchObject({ after: null });
  });

  test.each(all)("$kind is recorded under its subject, without an address", (command) => {
    const step = describePeopleStep(command);
    expect(step.subject).toBe("user" in command ? MEMBER : INVITE);
    expect(JSON.stringify([step, decidePeople(admin, command, facts)])).not.toContain("@");
  });

  test("about missing or closed subjects are not found", () => {
    const gone = { ...facts, person: null, invite: null };
    for (const command of all.filter(
      ({ kind }) => kind !== "people_invite" && kind !== "people_leave" && kind !== "people_sign_out" && kind !== "people_link_identity",
    )) {
      expect(decidePeople(admin, command, gone)).toBe("not_found");
    }
  });

  test.each([
    { ...COMMANDS.people_change, user: ADMIN },
    { ...COMMANDS.people_disable, user: ADMIN },
    { ...COMMANDS.people_enable, user: ADMIN },
  ])("$kind of one's own account is refused", (command) => {
    expect(decidePeople(admin, command, facts)).toBe("own_account");
  });

  test("may end one's own sessions", () => {
    expect(decidePeople(admin, { ...COMMANDS.people_end_sessions, user: ADMIN }, facts)).toEqual({ before: null, after: null });
  });

  test("are refused after a concurrent change", () => {
    const since: PeopleFacts = { ...facts, person: { ...person, role: "viewer" } };
    expect(decidePeople(admin, COMMANDS.people_change, since)).toBe("person_changed");
    expect(decidePeople(admin, COMMANDS.people_change, { ...facts, person: { ...person, auditor: true } })).toBe("person_changed");
    expect(decidePeople(admin, COMMANDS.people_enable, facts)).toBe("person_changed");
    expect(decidePeople(admin, COMMANDS.people_disable, { ...facts, person: { ...person, isDisabled: true } })).toBe("person_changed");
  });

  test("refuse invites of members, and beyond the limit of open ones", () => {
    expect(decidePeople(admin, COMMANDS.people_invite, { ...facts, isMember: true })).toBe("person_known");
    expect(decidePeople(admin, COMMANDS.people_invite, { ...facts, openInvites: 200 })).toBe("invite_limit");
    expect(decidePeople(admin, COMMANDS.people_invite, { ...facts, openInvites: 199 })).toMatchObject({ before: null });
  });

  test("record different settings for any changed right", () => {
    const parts = [
      { ...COMMANDS.people_change, standing: { role: "reviewer", auditor: false } },
      { ...COMMANDS.people_change, standing: { role: "builder", auditor: true } },
      COMMANDS.people_disable,
    ] as const;
    const outcomes = parts.map((command) => decidePeople(admin, command, facts));
    const digests = outcomes.flatMap((outcome) => (typeof outcome === "string" ? [] : [outcome.before, outcome.after]));
    expect(digests).toHaveLength(6);
    expect(new Set(digests).size).toBe(4);
  });
});
