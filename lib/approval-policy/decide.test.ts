import { beforeAll, describe, expect, it } from "vitest";
import { countersignatureChallenge, type Countersignable } from "@/lib/engine/ledger/countersignable";
import { NO_PASSKEYS } from "@/lib/engine/ledger/passkey-fold";
import { createAuthenticator, type Authenticator } from "@/lib/engine/testing/authenticator";
import { engine, user, uuid } from "@/lib/engine/testing/run";
import { idSchema, uuidSchema } from "@/lib/ids";
import { getDefaultApprovals, getPolicySubject, UNSET_POLICY, type PolicyCommand, type PolicySettings } from "./command";
import { decidePolicy, type PolicyFacts } from "./decide";

const [ONE, OTHER, REQUEST] = [uuid(20), uuid(21), uuid(30)];
const WORKSPACE = uuid(1);
const OPEN: PolicySettings = { approvals: null, request: { id: REQUEST, by: ONE } };

const facts = (more: Partial<PolicyFacts> = {}): PolicyFacts => ({
  workspace: WORKSPACE,
  origin: "http://localhost:3000",
  environments: ["dev", "production"],
  settings: UNSET_POLICY,
  inForce: "write",
  general: null,
  passkeys: NO_PASSKEYS,
  isRequesterAdmin: true,
  ...more,
});
const admin = (id: string) => user(id, "admin");
const LOWER: PolicyCommand = { kind: "policy_lower", request: REQUEST };
const CONFIRM: PolicyCommand = { kind: "policy_confirm", request: REQUEST };
const DECLINE: PolicyCommand = { kind: "policy_decline", request: REQUEST };

it.each([
  ["https://countersign.example", false, "write"],
  ["http://localhost:3000", false, "write"],
  ["http://localhost:3000", true, "graph"],
  ["http://127.0.0.1:3000", false, "graph"],
  ["http://countersign.example", false, "graph"],
] as const)("on %s (demo: %s) the default is %s", (origin, isDemo, approvals) => {
  expect(getDefaultApprovals(origin, isDemo)).toBe(approvals);
});

it("only admins change it", () => {
  expect(decidePolicy(user(ONE, "builder"), LOWER, facts())).toBe("principal_not_allowed");
  expect(decidePolicy(user(ONE, "reviewer"), { kind: "policy_raise" }, facts({ inForce: "graph" }))).toBe("principal_not_allowed");
  expect(decidePolicy(engine, CONFIRM, facts({ settings: OPEN }))).toBe("principal_not_allowed");
});

describe("raising it", () => {
  it("takes one admin", () => {
    expect(decidePolicy(admin(ONE), { kind: "policy_raise" }, facts({ inForce: "graph" }))).toEqual({
      step: "raised",
      after: { approvals: "write", request: null },
      also: [],
    });
    expect(decidePolicy(admin(ONE), { kind: "policy_raise" }, facts())).toBe("policy_moved");
  });
});

describe("lowering it", () => {
  it("takes a request and another admin's confirmation", () => {
    expect(decidePolicy(admin(ONE), LOWER, facts())).toEqual({ step: "lowering_requested", after: OPEN, also: [] });
    expect(decidePolicy(admin(ONE), CONFIRM, facts())).toBe("policy_moved");
    expect(decidePolicy(admin(ONE), CONFIRM, facts({ settings: OPEN }))).toBe("policy_second_person");
    expect(decidePolicy(admin(OTHER), CONFIRM, facts({ settings: OPEN }))).toEqual({
      step: "lowered",
      after: { approvals: "graph", request: null },
      also: [],
    });
  });

  it("can be requested once at a time, and only if there is something to lower", () => {
    expect(decidePolicy(admin(OTHER), { ...LOWER, request: uuid(31) }, facts({ settings: OPEN }))).toBe("policy_moved");
    expect(decidePolicy(admin(ONE), LOWER, facts({ inForce: "graph" }))).toBe("policy_moved");
    expect(decidePolicy(admin(OTHER), { ...CONFIRM, request: uuid(31) }, facts({ settings: OPEN }))).toBe("policy_moved");
  });

  it("lapses when the requester is no longer an admin", () => {
    expect(decidePolicy(admin(OTHER), CONFIRM, facts({ settings: OPEN, isRequesterAdmin: false }))).toBe("policy_moved");
  });

  it("is withdrawn by the requester, or declined by another admin", () => {
    const after = UNSET_POLICY;
    expect(decidePolicy(admin(ONE), DECLINE, facts({ settings: OPEN }))).toEqual({ step: "lowering_withdrawn", after, also: [] });
    expect(decidePolicy(admin(OTHER), DECLINE, facts({ settings: OPEN }))).toEqual({ step: "lowering_declined", after, also: [] });
    expect(decidePolicy(admin(OTHER), DECLINE, facts())).toBe("policy_moved");
  });
});

describe("in an environment", () => {
  const within = (more: Partial<PolicyFacts>) => facts({ general: "write", ...more });
  const dev = { environment: "dev" } as const;
  const settle = (command: PolicyCommand, more: Partial<PolicyFacts>) => {
    const decided = decidePolicy(admin(command.kind === "policy_confirm" ? OTHER : ONE), command, within(more));

    return typeof decided === "string" ? decided : decided.after;
  };

  it("is lowered by two admins, and is a policy of its own only while it differs from the others'", () => {
    expect(settle({ ...LOWER, ...dev }, {})).toEqual(OPEN);
    expect(settle({ ...CONFIRM, ...dev }, { settings: OPEN })).toEqual({ approvals: "graph", request: null });
    expect(settle({ kind: "policy_raise", ...dev }, { inForce: "graph" })).toEqual({ approvals: null, request: null });
    expect(settle({ kind: "policy_raise", ...dev }, { inForce: "graph", general: "graph" })).toEqual({ approvals: "write", request: null });
    expect(settle({ ...CONFIRM, ...dev }, { settings: { ...OPEN, approvals: "write" }, general: "graph" })).toEqual({
      approvals: null,
      request: null,
    });
    expect(decidePolicy(admin(ONE), { ...CONFIRM, ...dev }, within({ settings: OPEN }))).toBe("policy_second_person");
  });

  it("is refused for an unknown one", () => {
    for (const command of [{ kind: "policy_raise" } as const, LOWER, CONFIRM, DECLINE])
      expect(settle({ ...command, environment: "qa" }, { settings: OPEN, inForce: "graph" })).toBe("environment_unknown");
  });

  it("is another subject than the workspace's, whatever the environment's id", () => {
    expect(getPolicySubject(WORKSPACE, "dev")).toBe("in dev");
    expect(idSchema.safeParse("in dev").success || uuidSchema.safeParse("in dev").success).toBe(false);
  });
});

describe("an admin with a passkey", () => {
  let authenticator: Authenticator;
  beforeAll(async () => {
    authenticator = await createAuthenticator("es256");
  });
  const able = (settings: PolicySettings, spent: readonly string[] = []) => {
    const known = { ...authenticator.passkey, user: OTHER, registeredAt: 1, revokedAt: null };

    return facts({ settings, passkeys: { ...NO_PASSKEYS, passkeys: new Map([[known.credential_id, known]]), spent: new Set(spent) } });
  };
  const asked: Countersignable = { kind: "policy_confirm", request: REQUEST };
  const challenge = countersignatureChallenge(WORKSPACE, OTHER, asked);

  it("signs each lowering with it", async () => {
    const assertion = await authenticator.assert(challenge);
    expect(decidePolicy(admin(OTHER), CONFIRM, able(OPEN))).toBe("passkey_required");
    expect(decidePolicy(admin(OTHER), { ...CONFIRM, assertion }, able(OPEN))).toMatchObject({ also: [{ type: "countersigned", asked }] });
    expect(decidePolicy(admin(OTHER), { ...CONFIRM, assertion }, able(OPEN, [challenge]))).toBe("passkey_invalid");
    expect(decidePolicy(admin(OTHER), { ...LOWER, assertion }, able(UNSET_POLICY))).toBe("passkey_invalid");
    expect(decidePolicy(admin(OTHER), { ...CONFIRM, environment: "dev", assertion }, able(OPEN)), "signed for all others").toBe(
      "passkey_invalid",
    );
  });
});
