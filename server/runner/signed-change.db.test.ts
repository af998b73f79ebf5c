import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { changeToSign, toPeopleChange, toRegistryChange, toTokenChange, type AdminChange } from "@/lib/admin-change";
import { countersignatureChallenge, type AdminSignature } from "@/lib/engine/ledger/countersignable";
import { createAuthenticator, type Authenticator } from "@/lib/engine/testing/authenticator";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { findLoosening, type RegistryCommand } from "@/lib/mcp/registry-command";
import { DEFAULT_TOKEN_LIMITS } from "@/lib/outside/token-limits";
import type { TokenCommand } from "@/lib/outside/token-command";
import type { PeopleCommand } from "@/lib/people/command";
import { systemClock } from "@/server/clock";
import { applyRegistryCommand } from "@/server/mcp/registry";
import type { McpService } from "@/server/mcp/service";
import { createLocalMcp } from "@/server/mcp/testing/local-mcp";
import { testInstallation } from "@/server/mcp/testing/installation";
import { serverRow } from "@/server/mcp/testing/registered";
import { setPolicyAsOperator } from "@/server/runner/approval-policy";
import { createMcpStepRecorder } from "@/server/runner/mcp-record";
import { allowAsOperator } from "@/server/runner/passkeys";
import { verifySignedChange } from "@/server/runner/signed-change";
import { addMember, openDesk, query, type Desk } from "@/server/runner/testing/desk";
import { sendOwn } from "@/server/runner/testing/passkeys";
import { generateSessionSeed, getPublicKey } from "@/server/security/session-key";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let mcp: McpService;
let key: Authenticator;
let admin: string;
let member: string;

const setPolicy = (approvals: "write" | "graph") => setPolicyAsOperator(desk.deps, desk.deps.authority, desk.workspace, approvals);

const adminWithPasskey = async (): Promise<{ readonly id: string; readonly own: Authenticator }> => {
  const [id, own] = [await addMember(desk, "admin"), await createAuthenticator("es256")];
  await allowAsOperator(desk.deps, desk.workspace, id);
  const { refusal } = await sendOwn(desk, { kind: "passkey_register", passkey: own.passkey, label: "Laptop" }, id);
  if (refusal) throw new Error(`no passkey: ${refusal.code}`);

  return { id, own };
};

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  mcp = createLocalMcp({
    clock: systemClock,
    installation,
    customersUrl: urls.customers,
    authority: desk.deps.authority,
    record: createMcpStepRecorder(desk.deps),
    verifyChange: (workspaceId, userId, change) => verifySignedChange(desk.deps.authority, workspaceId, userId, change),
  });
  ({ id: admin, own: key } = await adminWithPasskey());
}, 120_000);
afterAll(async () => {
  await mcp.close();
  await desk.mcp.close();
});
beforeEach(async () => {
  await setPolicy("write");
  member = await addMember(desk, "viewer");
});

const sign = async (change: AdminChange, by = admin, authenticator = key): Promise<AdminSignature> => {
  const request = randomUUID();

  return { request, assertion: await authenticator.assert(countersignatureChallenge(desk.workspace, by, changeToSign(change, request))) };
};

const VIEWER = { role: "viewer", auditor: false } as const;
const REVIEWER = { role: "reviewer", auditor: false } as const;
const seed = generateSessionSeed();

type Command =
  | Extract<PeopleCommand, { kind: "people_invite" | "people_change" | "people_enable" }>
  | Extract<TokenCommand, { kind: "token_mint" }>;

const invite = (email: string, standing: { role: "viewer" | "reviewer"; auditor: boolean }): Command => ({
  kind: "people_invite",
  invite: randomUUID(),
  hash: randomUUID().replaceAll("-", "").padEnd(64, "0"),
  email,
  standing,
});
const mint = (scopes: ["run.read"] | ["run.read", "run.drive"]): Command => ({
  kind: "token_mint",
  token: {
    id: randomUUID(),
    name: "Agent",
    hash: randomUUID().replaceAll("-", "").padEnd(64, "0"),
    publicKey: getPublicKey(seed),
    hint: "cs_",
    audience: "http://127.0.0.1",
    scopes,
    graphs: null,
    integrity: "untrusted",
    strictErrors: false,
    singleBlock: false,
    limits: DEFAULT_TOKEN_LIMITS,
    lifetimeMs: 60_000,
  },
});

const KINDS: readonly {
  readonly name: string;
  readonly wanted: () => Command;
  readonly other: () => Command;
  readonly prepare?: () => Promise<unknown>;
}[] = [
  { name: "an invite", wanted: () => invite("ana@example.com", REVIEWER), other: () => invite("ana@example.com", VIEWER) },
  { name: "an invite to an address", wanted: () => invite("bea@example.com", VIEWER), other: () => invite("eve@example.com", VIEWER) },
  {
    name: "a role",
    wanted: () => ({ kind: "people_change", user: member, was: VIEWER, standing: REVIEWER }),
    other: () => ({ kind: "people_change", user: member, was: VIEWER, standing: { role: "admin", auditor: false } }),
  },
  {
    name: "re-enabling a user",
    prepare: () => sendOwn(desk, { kind: "people_disable", user: member }, admin),
    wanted: () => ({ kind: "people_enable", user: member }),
    other: () => ({ kind: "people_enable", user: desk.people.second }),
  },
  { name: "a token", wanted: () => mint(["run.read"]), other: () => mint(["run.read", "run.drive"]) },
];

const changeOf = (command: Command): AdminChange => {
  const found = command.kind === "token_mint" ? toTokenChange(command) : toPeopleChange(command, admin);
  if (!found) throw new Error("it takes no signature");

  return found.change;
};
const send = async (command: Command, by = admin) => (await sendOwn(desk, command, by)).refusal?.code ?? null;

const lastEvents = async (): Promise<readonly string[]> => {
  const [row] = await query<{ body: string }>(urls.admin, "select body from ledger_record where run_id = $1 order by seq desc limit 1", [
    getWorkspaceLedgerId(desk.workspace),
  ]);
  const { control } = JSON.parse(row?.body ?? "{}") as { control: { type: string }[] };

  return control.map(({ type }) => type);
};

describe.each(KINDS)("$name", ({ wanted, other, prepare }) => {
  it("is refused without the signature of an admin who has a passkey", async () => {
    await prepare?.();
    expect(await send(wanted())).toBe("passkey_required");
  });

  it("is refused with a signature over another change, by another person, or by another key", async () => {
    await prepare?.();
    const command = wanted();
    const stranger = await createAuthenticator("es256");
    const { id, own } = await adminWithPasskey();
    for (const signed of [
      await sign(changeOf(other())),
      await sign(changeOf(command), admin, stranger),
      await sign(changeOf(command), id, own),
    ]) {
      expect(await send({ ...command, signed })).toBe("passkey_invalid");
    }
  });

  it("is done once with the signature, which is recorded", async () => {
    await prepare?.();
    const command = wanted();
    const signed = await sign(changeOf(command));
    expect(await send({ ...command, signed })).toBeNull();
    expect(await lastEvents()).toEqual(expect.arrayContaining(["admin_changed", "countersigned"]));
    const again = { people_change: "person_changed", people_enable: "person_changed" } as const;
    // The web process chooses ids and hashes.
    const repeated = command.kind === "people_invite" || command.kind === "token_mint" ? wanted() : command;
    expect(await send({ ...repeated, signed })).toBe(command.kind in again ? "person_changed" : "passkey_invalid");
  });
});

describe("a role change that was signed once", () => {
  it("is not repeated with the same signature after being undone", async () => {
    const raise = { kind: "people_change", user: member, was: VIEWER, standing: REVIEWER } as const;
    const lower = { kind: "people_change", user: member, was: REVIEWER, standing: VIEWER } as const;
    const signed = await sign(raise);
    expect(await send({ ...raise, signed })).toBeNull();
    expect(await send({ ...lower, signed: await sign(lower) })).toBeNull();
    expect(await send({ ...raise, signed })).toBe("passkey_invalid");
    expect(await send({ ...raise, signed: await sign(raise) })).toBeNull();
  });
});

describe("a signature is not required", () => {
  it("of an admin who never had a passkey", async () => {
    expect(await send(invite(`${randomUUID()}@example.com`, VIEWER), desk.people.admin)).toBeNull();
  });

  it("where the policy leaves passkeys to the graph", async () => {
    await setPolicy("graph");
    expect(await send(invite(`${randomUUID()}@example.com`, VIEWER))).toBeNull();
  });

  it("for removing rights", async () => {
    for (const body of [
      { kind: "people_disable", user: member },
      { kind: "people_end_sessions", user: member, session: null },
    ] as const)
      expect((await sendOwn(desk, body, admin)).refusal).toBeNull();
  });
});

it("requires a signature from an admin whose passkeys are all revoked", async () => {
  const { id, own } = await adminWithPasskey();
  expect((await sendOwn(desk, { kind: "passkey_revoke", credential_id: own.passkey.credential_id }, id)).refusal).toBeNull();
  const wanted = invite(`${randomUUID()}@example.com`, VIEWER);
  expect(await send(wanted, id)).toBe("passkey_required");
  expect(await send({ ...wanted, signed: await sign(changeOf(wanted), id, own) }, id)).toBe("passkey_invalid");
  expect((await sendOwn(desk, { kind: "passkey_allow", allowance: randomUUID(), user: member }, id)).refusal?.code).toBe(
    "passkey_required",
  );
});

describe("a step of the registry", () => {
  const TIGHT = { effect: "irreversible", idempotent: false, output: "secret", outward: true, clearance: "public" } as const;
  const LOOSE = { effect: "read", idempotent: true, output: "public", outward: false, clearance: "secret" } as const;
  const apply = (command: RegistryCommand, by = admin) =>
    applyRegistryCommand(mcp, desk.workspace, { type: "user", id: by, role: "admin", auditor: false }, command);
  const target = async () => ({ id: "customers", revision: (await serverRow(desk.workspace, "customers", mcp)).revision });
  const label = async (labels: typeof TIGHT | typeof LOOSE): Promise<RegistryCommand> => ({
    type: "set_labels",
    ...(await target()),
    labels: { find_customer: labels },
  });
  const signedBy = async (command: RegistryCommand): Promise<RegistryCommand> => {
    const loosening = findLoosening(command, { allowedAgents: [], tools: [] });
    if (!loosening) throw new Error("it takes no signature");

    return { ...loosening, signed: await sign(toRegistryChange(loosening).change) };
  };

  it("loosening a label needs a signature over exactly that; tightening does not", async () => {
    expect(await apply(await label(TIGHT))).toMatchObject({ ok: true });
    const loose = await label(LOOSE);
    expect(await apply(loose)).toMatchObject({ ok: false, code: "refused", message: "Sign this with your passkey." });
    const other = await signedBy({ ...loose, labels: { update_plan: LOOSE } } as RegistryCommand);
    const { signed } = other as { signed: AdminSignature };
    expect(await apply({ ...loose, signed } as RegistryCommand)).toMatchObject({ ok: false, code: "refused" });
    expect(await serverRow(desk.workspace, "customers", mcp)).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: "find_customer", ...TIGHT })]) as unknown,
    });
    expect(await apply(await signedBy(loose))).toMatchObject({ ok: true });
    expect(await lastEvents()).toEqual(["admin_changed", "countersigned"]);
  });

  it("adding a caller needs a signature; removing one does not", async () => {
    const { allowedAgents } = await serverRow(desk.workspace, "customers", mcp);
    const more: RegistryCommand = { type: "set_allowed_agents", ...(await target()), agents: [...allowedAgents, "another"] };
    expect(await apply(more)).toMatchObject({ ok: false, code: "refused" });
    expect(await apply(await signedBy(more))).toMatchObject({ ok: true });
    expect(await apply({ type: "set_allowed_agents", ...(await target()), agents: allowedAgents.slice(0, 1) })).toMatchObject({ ok: true });
  });

  it("reactivating a server or tool needs a signature; suspending does not", async () => {
    expect(await apply({ type: "block_tool", ...(await target()), tool: "find_customer" })).toMatchObject({ ok: true });
    const unblock: RegistryCommand = { type: "unblock_tool", ...(await target()), tool: "find_customer" };
    expect(await apply(unblock)).toMatchObject({ ok: false, code: "refused" });
    expect(await apply(await signedBy(unblock))).toMatchObject({ ok: true });
    expect(await apply({ type: "suspend", ...(await target()) })).toMatchObject({ ok: true });
    const resume: RegistryCommand = { type: "resume", ...(await target()) };
    expect(await apply(resume)).toMatchObject({ ok: false, code: "refused" });
    expect(await apply(await signedBy(resume))).toMatchObject({ ok: true });
  });
});
