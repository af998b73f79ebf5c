import { describe, expect, it } from "vitest";
import { countersignatureChallenge } from "@/lib/engine/ledger/countersignable";
import { uuid } from "@/lib/engine/testing/run";
import { findLoosening, type TrustedServer } from "@/lib/mcp/registry-command";
import type { PeopleCommand } from "@/lib/people/command";
import { changeToSign, toPeopleChange, type AdminChange } from "./admin-change";

const [ADMIN, OTHER, WORKSPACE, REQUEST] = [uuid(1), uuid(2), uuid(3), uuid(4)];
const invite = {
  kind: "people_invite",
  invite: uuid(5),
  hash: "a".repeat(64),
  email: "ana@example.com",
  standing: { role: "reviewer", auditor: false },
} as const satisfies PeopleCommand;

const changeOf = (command: PeopleCommand): AdminChange => {
  const found = toPeopleChange(command, ADMIN);
  if (!found) throw new Error("it takes no signature");

  return found.change;
};
const challenge = (command: PeopleCommand, request = REQUEST, by = ADMIN, workspace = WORKSPACE) =>
  countersignatureChallenge(workspace, by, changeToSign(changeOf(command), request));

describe("an admin's signature", () => {
  it("covers all choices, for one request, person and workspace", () => {
    const others = [
      challenge({ ...invite, email: "eve@example.com" }),
      challenge({ ...invite, standing: { role: "admin", auditor: false } }),
      challenge({ ...invite, standing: { role: "reviewer", auditor: true } }),
      challenge(invite, uuid(6)),
      challenge(invite, REQUEST, OTHER),
      challenge(invite, REQUEST, ADMIN, uuid(7)),
    ];
    expect(new Set([challenge(invite), ...others]).size).toBe(7);
  });

  it("does not depend on values made by the web process", () => {
    expect(challenge({ ...invite, invite: uuid(8), hash: "b".repeat(64) })).toBe(challenge(invite));
  });

  it("is not needed to remove rights or unlink one's own identity", () => {
    const unlink = { kind: "people_unlink_identity", identity: { issuer: "https://id.example", subject: "s" }, keep: null } as const;
    const takingAway: readonly PeopleCommand[] = [
      { kind: "people_disable", user: OTHER },
      { kind: "people_withdraw", invite: uuid(5) },
      { kind: "people_end_sessions", user: OTHER, session: null },
      { ...unlink, user: ADMIN },
    ];
    expect(takingAway.map((command) => toPeopleChange(command, ADMIN))).toEqual([null, null, null, null]);
    expect(toPeopleChange({ ...unlink, user: OTHER }, ADMIN)).not.toBeNull();
  });
});

describe("a label change", () => {
  const was = { effect: "write", idempotent: false, output: "pii", outward: true, clearance: "internal" } as const;
  const server: TrustedServer = { allowedAgents: ["node"], tools: [{ name: "pay", ...was }] };
  const labelled = (change: object, tool = "pay") =>
    findLoosening({ type: "set_labels", id: "till", revision: 1, labels: { [tool]: { ...was, ...change } } }, server);

  it.each([{ effect: "read" }, { idempotent: true }, { output: "public" }, { outward: false }, { clearance: "secret" }])(
    "loosens with %o, whatever else tightens",
    (change) => {
      expect(labelled(change)).not.toBeNull();
      expect(labelled({ effect: "irreversible", output: "secret", ...change })).not.toBeNull();
    },
  );

  it.each([{}, { effect: "irreversible" }, { output: "secret" }, { clearance: "public" }])("does not loosen with %o", (change) => {
    expect(labelled(change)).toBeNull();
  });

  it("of an unknown tool counts as looser", () => {
    expect(labelled({}, "other")).not.toBeNull();
  });
});
