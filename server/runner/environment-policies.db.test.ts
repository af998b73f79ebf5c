import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { PolicyCommand } from "@/lib/approval-policy/command";
import { countersignatureChallenge } from "@/lib/engine/ledger/countersignable";
import { createAuthenticator } from "@/lib/engine/testing/authenticator";
import { verifyLedger } from "@/lib/engine/verify/verify";
import { DEFAULT_ENVIRONMENTS, type Environment } from "@/lib/environments/environment";
import type { WorkspaceCommand } from "@/lib/workspace-command";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { listDifferingRows } from "@/server/runner/adopt";
import { getStandingPolicy, isDemandedAnywhere, setPolicyAsOperator } from "@/server/runner/approval-policy";
import { openLedger } from "@/server/runner/load";
import { allowAsOperator } from "@/server/runner/passkeys";
import { addMember, openDesk, publishAs, startRun, type Desk } from "@/server/runner/testing/desk";
import { forkRun } from "@/server/runner/testing/fork";
import { registerAllowed, sendOwn } from "@/server/runner/testing/passkeys";
import { ask, decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { listCurrentProjections } from "@/server/store/ledger/projections";
import { testDatabase } from "@/server/testing/database";

vi.stubEnv("NEXTAUTH_URL", "https://countersign.example.com");
const urls = await testDatabase("runner");
const installation = await testInstallation();
const TWO: readonly Environment[] = ["dev", "production"].map((id) => ({ id, title: id }));
let desk: Desk;
let other: string;
let inDev: string;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  other = await addMember(desk, "admin");
  await list(DEFAULT_ENVIRONMENTS, TWO);
  const { graph, ...rest } = desk.published;
  inDev = await publishAs(desk, { graph: { ...graph, description: "In dev" }, ...rest }, desk.people.builder);
}, 120_000);
afterAll(() => desk.mcp.close());

const send = async (userId: string, body: WorkspaceCommand) => (await sendOwn(desk, body, userId)).refusal?.code ?? null;
const list = (was: readonly Environment[], environments: readonly Environment[]) =>
  send(desk.people.admin, { kind: "environments_set", was: [...was], environments: [...environments] });
const set = (approvals: "write" | "graph", environment: string | null = null) =>
  setPolicyAsOperator(desk.deps, desk.deps.authority, desk.workspace, approvals, environment);
const setAll = async (approvals: "write" | "graph") => {
  for (const place of [null, "dev", "production"]) await set(approvals, place);
};
const inForce = async (environment: string | null) => (await getStandingPolicy(desk.deps.authority, desk.workspace, environment)).inForce;
const inForces = () => Promise.all([null, "dev", "production"].map(inForce));
const lower = async (environment: string) => {
  const request = randomUUID();

  return [
    await send(desk.people.admin, { kind: "policy_lower", request, environment }),
    await send(other, { kind: "policy_confirm", request, environment }),
  ];
};
const atGate = async (graphHash: string) => {
  const run = await startRun(desk, "honest", "02-outage-credit.txt", graphHash);
  await drive(desk, run);
  const { state } = await readRun(desk, run);

  return { run, state, approval: decisionFor(desk, state, "approve") };
};

describe("the policy of an environment", () => {
  it("is lowered there alone by two admins, and decides in the runs that start there", async () => {
    await setAll("write");
    expect(await send(desk.people.builder, { kind: "policy_lower", request: randomUUID(), environment: "dev" })).toBe(
      "principal_not_allowed",
    );
    const request = randomUUID();
    const confirm: PolicyCommand = { kind: "policy_confirm", request, environment: "dev" };
    expect(await send(desk.people.admin, { kind: "policy_lower", request, environment: "dev" })).toBeNull();
    expect(await send(desk.people.admin, confirm)).toBe("policy_second_person");
    for (const environment of ["production", "qa"])
      expect(await send(other, { ...confirm, environment })).toBe(environment === "qa" ? "environment_unknown" : "policy_moved");
    expect(await send(other, { kind: "policy_confirm", request }), "in all others").toBe("policy_moved");
    expect(await inForces()).toEqual(["write", "write", "write"]);
    expect(await send(other, confirm)).toBeNull();
    expect(await inForces()).toEqual(["write", "graph", "write"]);

    const [dev, production] = [await atGate(inDev), await atGate(desk.graphHash)];
    expect([dev.state.start, production.state.start]).toMatchObject([
      { environment: "dev" },
      { environment: "production", approvals: "write" },
    ]);
    expect(dev.state.start).not.toHaveProperty("approvals");
    expect((await ask(desk, production.run, desk.people.reviewer, production.approval)).refusal?.code).toBe("passkey_required");
    expect((await ask(desk, dev.run, desk.people.reviewer, dev.approval)).refusal).toBeNull();
    const { state } = await readRun(desk, dev.run);
    expect(state.status).toBe("completed");
    const place = { workspaceId: desk.workspace, runId: dev.run, version: state.version, digest: state.head };
    expect(await verifyLedger(await openLedger(desk.deps.vault, place), await listPublicKeys())).toMatchObject({ ok: true });

    const forks = [await forkRun(desk, dev.run, 0, { type: "none" }), await forkRun(desk, production.run, 0, { type: "none" })];
    const starts = await Promise.all(forks.map(async (fork) => (await readRun(desk, fork.run)).state.start?.approvals));
    expect(starts).toEqual([undefined, "write"]);
  });

  it("is demanded in one alone, and follows the others again once it is the same", async () => {
    await setAll("graph");
    await set("write", "production");
    expect(await inForces()).toEqual(["graph", "graph", "write"]);
    expect((await atGate(desk.graphHash)).state.start?.approvals).toBe("write");
    expect(await send(desk.people.admin, { kind: "policy_raise" })).toBeNull();
    expect(await send(desk.people.admin, { kind: "policy_raise", environment: "dev" })).toBe("policy_moved");
    await set("write", "production");
    await set("graph");
    expect(await inForces()).toEqual(["graph", "graph", "graph"]);
  });

  it("has admins sign changes while any demands it, and a promotion by its target", async () => {
    const [signer, authenticator] = [await addMember(desk, "admin"), await createAuthenticator("es256")];
    await setAll("graph");
    await registerAllowed(desk, authenticator, signer);
    const { deps, workspace } = desk;
    const renamed = TWO.map((one) => ({ ...one, title: `${one.id} 2` }));
    const rename: WorkspaceCommand = { kind: "environments_set", was: [...TWO], environments: renamed };
    await set("write", "production");
    expect(await isDemandedAnywhere(deps.authority, workspace)).toBe(true);
    expect(await send(signer, rename)).toBe("passkey_required");
    await set("graph", "production");
    expect(await isDemandedAnywhere(deps.authority, workspace)).toBe(false);

    await set("write", "production");
    const second = await addMember(desk, "builder");
    const request = randomUUID();
    const asked: WorkspaceCommand = { kind: "promotion_ask", request, environment: "production", version: inDev, base: null };
    expect(await send(desk.people.builder, asked)).toBeNull();
    const approve: WorkspaceCommand = { kind: "promotion_approve", request, version: inDev };
    expect(await send(second, approve)).toBe("passkey_required");
    await set("graph", "production");
    expect(await send(second, approve)).toBeNull();
  });

  it("is another admin's passkey signature for this environment, usable nowhere else", async () => {
    await setAll("write");
    const [signer, authenticator, request] = [await addMember(desk, "admin"), await createAuthenticator("es256"), randomUUID()];
    await allowAsOperator(desk.deps, desk.workspace, signer);
    await sendOwn(desk, { kind: "passkey_register", passkey: authenticator.passkey, label: "Key" }, signer);
    expect(await send(desk.people.admin, { kind: "policy_lower", request, environment: "dev" })).toBeNull();
    const confirm = { kind: "policy_confirm", request, environment: "dev" } as const;
    const signFor = (asked: Parameters<typeof countersignatureChallenge>[2]) =>
      authenticator.assert(countersignatureChallenge(desk.workspace, signer, asked));
    expect(await send(signer, confirm)).toBe("passkey_required");
    expect(await send(signer, { ...confirm, assertion: await signFor({ kind: "policy_confirm", request }) })).toBe("passkey_invalid");
    expect(await send(signer, { ...confirm, assertion: await signFor(confirm) })).toBeNull();
    expect(await inForces()).toEqual(["write", "graph", "write"]);
  });

  it("in a row that another environment has on record blocks runs there until restored, and is reported", async () => {
    await setAll("write");
    await set("graph", "dev");
    const differing = async () =>
      listDifferingRows(await desk.deps.authority.read(desk.workspace), await listCurrentProjections(desk.workspace)).map(
        ({ area, subject }) => [area, subject],
      );
    expect(await differing()).not.toContainEqual(["policy", "in production"]);
    await asAdmin(
      urls.admin,
      `insert into approval_policy (workspace_id, environment, approvals) values ($1, 'production', 'graph')
       on conflict (workspace_id, environment) do update set approvals = 'graph'`,
      [desk.workspace],
    );
    await expect(inForce("production")).rejects.toThrow(/not what the signed records say/);
    expect(await inForce("dev")).toBe("graph");
    expect(await differing()).toContainEqual(["policy", "in production"]);
    await asAdmin(urls.admin, "update approval_policy set approvals = null where workspace_id = $1 and environment = 'production'", [
      desk.workspace,
    ]);
    expect(await inForces()).toEqual(["write", "graph", "write"]);
  });

  it("ends where it was lowered once one admin moves or renames the environment, not when another joins", async () => {
    const [dev, production] = TWO;
    if (!dev || !production) throw new Error("two environments are missing");
    const joined = [dev, { id: "staging", title: "staging" }, production];
    for (const [next, expected] of [
      [joined, "graph"],
      [[production, dev], "write"],
      [[{ ...dev, title: "Live" }, production], "write"],
      [[dev], "write"],
    ] as const) {
      await setAll("write");
      expect(await lower("dev")).toEqual([null, null]);
      expect(await list(TWO, next)).toBeNull();
      expect(await inForce("dev")).toBe(expected);
      expect(await list(next, TWO)).toBeNull();
    }
  });

  it("goes with its environment if it was lowered, and stays if it demands more", async () => {
    const [dev, production] = TWO;
    if (!dev || !production) throw new Error("two environments are missing");
    await setAll("write");
    expect(await lower("dev")).toEqual([null, null]);
    expect(await list(TWO, [production])).toBeNull();
    expect(await list([production], TWO)).toBeNull();
    expect(await inForce("dev")).toBe("write");
    await set("graph");
    await set("write", "dev");
    expect(await list(TWO, [production])).toBeNull();
    expect(await list([production], TWO)).toBeNull();
    expect(await inForces()).toEqual(["graph", "write", "graph"]);
  });
});
