import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { PolicyCommand } from "@/lib/approval-policy/command";
import { countersignatureChallenge, type Countersignable } from "@/lib/engine/ledger/countersignable";
import { createAuthenticator } from "@/lib/engine/testing/authenticator";
import { graphSchema } from "@/lib/graph/document";
import { toCanonicalJson, type Json } from "@/lib/json";
import { publishCase } from "@/server/architect/publishing";
import { verifyLedger } from "@/lib/engine/verify/verify";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { setPolicyAsOperator, getStandingPolicy } from "@/server/runner/approval-policy";
import { openLedger } from "@/server/runner/load";
import { allowAsOperator } from "@/server/runner/passkeys";
import { addMember, openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { atApproval, registerAllowed, sendOwn } from "@/server/runner/testing/passkeys";
import { ask, customersOf, decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { recordRows } from "@/server/testing/authority";
import { testDatabase } from "@/server/testing/database";

vi.stubEnv("NEXTAUTH_URL", "https://countersign.example.com");
const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let other: string;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  other = await addMember(desk, "admin");
}, 120_000);
afterAll(() => desk.mcp.close());

const send = async (userId: string, body: PolicyCommand) => (await sendOwn(desk, body, userId)).refusal?.code ?? null;
const inForce = async () => (await getStandingPolicy(desk.deps.authority, desk.workspace)).inForce;
const lower = (request: string): PolicyCommand => ({ kind: "policy_lower", request });
const confirm = (request: string): PolicyCommand => ({ kind: "policy_confirm", request });
const reset = (approvals: "write" | "graph") => setPolicyAsOperator(desk.deps, desk.deps.authority, desk.workspace, approvals);

describe("a workspace without a recorded policy", () => {
  const fresh = async (demo: boolean) => {
    const id = randomUUID();
    await asAdmin(urls.admin, "insert into workspace (id, name, demo) values ($1, 'Fresh', $2)", [id, demo]);
    await recordRows(desk.deps, id);

    return (await getStandingPolicy(desk.deps.authority, id)).inForce;
  };

  it("requires a passkey for writes where passkeys are possible, and in no demo", async () => {
    expect([await fresh(false), await fresh(true)]).toEqual(["write", "graph"]);
  });
});

describe("the policy", () => {
  it("is raised by one admin, and by no one else", async () => {
    await reset("graph");
    expect(await send(desk.people.builder, { kind: "policy_raise" })).toBe("principal_not_allowed");
    expect(await inForce()).toBe("graph");
    expect(await send(desk.people.admin, { kind: "policy_raise" })).toBeNull();
    expect(await inForce()).toBe("write");
  });

  it("is lowered by two different admins, not by one asking twice", async () => {
    await reset("write");
    const request = randomUUID();
    expect(await send(desk.people.admin, lower(request))).toBeNull();
    expect(await inForce()).toBe("write");
    expect(await send(desk.people.admin, confirm(request))).toBe("policy_second_person");
    expect(await send(other, confirm(randomUUID()))).toBe("policy_moved");
    expect(await inForce()).toBe("write");
    expect(await send(other, confirm(request))).toBeNull();
    expect(await inForce()).toBe("graph");
    expect(await send(other, confirm(request))).toBe("policy_moved");
  });

  it("stays when a request is declined or withdrawn, or its admin loses the role", async () => {
    await reset("write");
    for (const by of [other, desk.people.admin]) {
      const request = randomUUID();
      expect(await send(desk.people.admin, lower(request))).toBeNull();
      expect(await send(by, { kind: "policy_decline", request })).toBeNull();
      expect(await send(other, confirm(request))).toBe("policy_moved");
    }
    const [gone, request] = [await addMember(desk, "admin"), randomUUID()];
    expect(await send(gone, lower(request))).toBeNull();
    await sendOwn(desk, { kind: "people_disable", user: gone }, desk.people.admin);
    expect(await send(other, confirm(request))).toBe("policy_moved");
    expect(await inForce()).toBe("write");
  });

  it("needs the passkey signature of an admin who has one, usable once", async () => {
    await reset("write");
    const [signer, authenticator] = [await addMember(desk, "admin"), await createAuthenticator("es256")];
    await allowAsOperator(desk.deps, desk.workspace, signer);
    await sendOwn(desk, { kind: "passkey_register", passkey: authenticator.passkey, label: "Key" }, signer);
    const request = randomUUID();
    expect(await send(desk.people.admin, lower(request))).toBeNull();
    expect(await send(signer, confirm(request))).toBe("passkey_required");
    const asked = { kind: "policy_confirm", request } as const;
    const assertion = await authenticator.assert(countersignatureChallenge(desk.workspace, signer, asked));
    expect(await send(signer, { ...asked, assertion })).toBeNull();
    await reset("write");
    expect(await send(desk.people.admin, lower(request))).toBeNull();
    expect(await send(signer, { ...asked, assertion })).toBe("passkey_invalid");
    expect(await inForce()).toBe("write");
  });

  it("is set by the operator alone, on record, which ends open requests", async () => {
    await reset("write");
    await send(desk.people.admin, lower(randomUUID()));
    expect(await reset("graph")).toBe(true);
    expect(await getStandingPolicy(desk.deps.authority, desk.workspace)).toMatchObject({ settings: { approvals: "graph", request: null } });
    expect(await reset("graph")).toBe(false);
    const [last] = await query<{ body: string }>(
      urls.admin,
      "select body from ledger_record where workspace_id = $1 and body like '%set_by_operator%' order by seq desc limit 1",
      [desk.workspace],
    );
    expect(JSON.parse(last?.body ?? "{}")).toMatchObject({ principal: { type: "engine" }, proposal_kind: "policy_step" });
  });

  it("in an unrecorded row blocks runs and changes until restored", async () => {
    await reset("write");
    const set = (approvals: string) =>
      asAdmin(urls.admin, "update approval_policy set approvals = $2 where workspace_id = $1", [desk.workspace, approvals]);
    await set("graph");
    await expect(inForce()).rejects.toThrow(/not what the signed records say/);
    expect(await send(desk.people.admin, lower(randomUUID()))).toBe("projection_mismatch");
    const run = await startRun(desk, "honest", "02-outage-credit.txt");
    await drive(desk, run);
    expect(await query(urls.admin, "select 1 from run where id = $1", [run])).toEqual([]);
    await asAdmin(urls.admin, "delete from approval_policy where workspace_id = $1", [desk.workspace]);
    await expect(inForce()).rejects.toThrow(/not what the signed records say/);
    await asAdmin(urls.admin, "insert into approval_policy (workspace_id, approvals) values ($1, 'write')", [desk.workspace]);
    expect(await inForce()).toBe("write");
  });

  it("is writable by the runner only", async () => {
    const asWeb = (sql: string) =>
      query(urls.web, `with scoped as (select set_config('countersign.workspace', '${desk.workspace}', true)) ${sql}`);
    await expect(asWeb("update approval_policy set approvals = 'graph'")).rejects.toThrow(/permission denied/);
    await expect(asWeb(`insert into approval_policy (workspace_id) values ('${randomUUID()}')`)).rejects.toThrow(/permission denied/);
  });
});

describe("a write in a workspace that demands passkeys", () => {
  it("needs a passkey by the policy at the run's start, and its records verify", async () => {
    await reset("write");
    const authenticator = await createAuthenticator("es256");
    expect((await registerAllowed(desk, authenticator)).refusal).toBeNull();
    const { run, plain, signedBy } = await atApproval(desk, desk.graphHash);
    await reset("graph");
    const { applied } = await customersOf(desk);
    expect((await ask(desk, run, desk.people.reviewer, plain)).refusal?.code).toBe("passkey_required");
    expect((await customersOf(desk)).applied).toBe(applied);
    expect((await ask(desk, run, desk.people.reviewer, await signedBy(authenticator))).refusal).toBeNull();
    const { state } = await readRun(desk, run);
    expect(state).toMatchObject({ status: "completed", start: { approvals: "write" } });
    const place = { workspaceId: desk.workspace, runId: run, version: state.version, digest: state.head };
    expect(await verifyLedger(await openLedger(desk.deps.vault, place), await listPublicKeys())).toMatchObject({
      ok: true,
      passkeys: [{ user: desk.people.reviewer, registered: true }],
    });
  });

  it("needs none when the policy leaves it to the graph", async () => {
    await reset("graph");
    const run = await startRun(desk, "honest", "02-outage-credit.txt");
    await drive(desk, run);
    const { state } = await readRun(desk, run);
    expect(state.start).not.toHaveProperty("approvals");
    expect((await ask(desk, run, desk.people.reviewer, decisionFor(desk, state, "approve"))).refusal).toBeNull();
  });
});

describe("publishing with a second person in a workspace that demands passkeys", () => {
  it("takes the second person's passkey over exactly this request, and records the signature", async () => {
    const { builder, starter } = desk.people;
    const authenticator = await createAuthenticator("es256");
    await reset("write");
    await registerAllowed(desk, authenticator, starter);
    const graph = randomUUID();
    const document = graphSchema.parse({
      format: "countersign/graph/v1",
      id: "second",
      name: "Second",
      memory: [],
      nodes: [{ id: "stop", kind: "router", config: {} }],
      edges: [],
      start_node: "stop",
      end_nodes: ["stop"],
    });
    await asAdmin(
      urls.admin,
      `with made as (insert into graph (workspace_id, id, name) values ($1, $2, 'Second'))
       insert into graph_revision (workspace_id, graph_id, revision, document, author_id) values ($1, $2, 1, $3, $4)`,
      [desk.workspace, graph, toCanonicalJson(JSON.parse(JSON.stringify(document)) as Json), builder],
    );
    const { hash } = await publishCase(desk.workspace, graph, 1);
    const request = randomUUID();
    expect((await sendOwn(desk, { kind: "publish_request", request, graph, revision: 1, hash }, builder)).refusal).toBeNull();
    const asked = { kind: "publish_approve", request, hash } as const;
    const codeFor = async (about: Countersignable | null) => {
      const assertion = about && (await authenticator.assert(countersignatureChallenge(desk.workspace, starter, about)));

      return (await sendOwn(desk, { ...asked, ...(assertion ? { assertion } : {}) }, starter)).refusal?.code ?? null;
    };
    expect(await codeFor(null)).toBe("passkey_required");
    expect(await codeFor({ ...asked, request: randomUUID() })).toBe("passkey_invalid");
    expect(await codeFor({ ...asked, hash: "0".repeat(64) })).toBe("passkey_invalid");
    expect(await codeFor(asked)).toBeNull();
    const [last] = await query<{ body: string }>(
      urls.admin,
      "select body from ledger_record where workspace_id = $1 and body like '%versions_step%' order by seq desc limit 1",
      [desk.workspace],
    );
    expect(JSON.parse(last?.body ?? "{}")).toMatchObject({
      control: [{ step: "published" }, { step: "approved" }, { type: "countersigned", asked }],
    });
  });
});
