import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { PERSONAL_SCOPES, serviceScopeSchema } from "@/lib/engine/principal";
import { openStand, type Stand } from "@/server/outside/testing/fixture";
import { query } from "@/server/runner/testing/desk";
import { readRun } from "@/server/runner/testing/run";
import { deriveAgentSeed } from "@/server/security/session-key";
import { submitCommand } from "@/server/web/submit-command";
import { createRequests, decisionOf } from "./testing/personal";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const open = await openStand();
let stand: Stand;
let api: ReturnType<typeof createRequests>;
let account: string;
let graphId: string;

beforeAll(async () => {
  stand = await open();
  api = createRequests(stand);
  graphId = await stand.graphId("support-desk");
  account = (await stand.mint({ ownerId: stand.desk.people.admin, scopes: [...serviceScopeSchema.options] })).token;
});
afterAll(() => stand.close());

test("a decision names the view that its person sees, and no other person's", async () => {
  const { approvalId } = await api.waiting(account, graphId);
  const { token } = await api.mint();
  const seen = await api.see(token, approvalId);
  const asAccount = await api.see(account, approvalId);
  expect([asAccount.canDecide, asAccount.passkey]).toEqual([false, null]);
  const decide = (change: object) => api.decide(token, approvalId, decisionOf(seen, change));
  expect(await decide({ viewDigest: "0".repeat(64) })).toMatchObject({ status: 409, refusal: "view_mismatch" });
  expect(await decide({ nonce: randomUUID() })).toMatchObject({ status: 409, refusal: "nonce_mismatch" });
  expect(await decide({ decision: "reject" })).toMatchObject({ status: 409, refusal: "reason_missing" });
  expect((await decide({ decision: "reject", reason: "Not this customer." })).status).toBe(200);
});

test("no token of an account, of a past time, or of another person decides", async () => {
  const { runId, approvalId } = await api.waiting(account, graphId);
  const { token, id } = await api.mint();
  const seen = await api.see(token, approvalId);
  const decide = (shown: string) => api.decide(shown, approvalId, decisionOf(seen));
  expect(await decide(account)).toMatchObject({ status: 403, refusal: "scope_missing" });
  const elsewhere = await api.mint(stand.desk.people.reviewer, { graphs: [await stand.graphId("refund-desk")] });
  expect((await decide(elsewhere.token)).status).toBe(404);
  const late = await api.mint();
  await query(stand.desk.urls.admin, "update agent_token set expires_at = now() - interval '1 second' where id = $1", [late.id]);
  expect((await decide(late.token)).status).toBe(401);
  await stand.revoke(id);
  expect((await decide(token)).status).toBe(401);
  // The runner checks each part itself.
  const body = {
    kind: "decision",
    approval_id: approvalId,
    transition_digest: seen.transitionDigest,
    view_digest: seen.viewDigest,
    decision: "approve",
    nonce: seen.nonce,
  } as const;
  const good = await api.mint();
  const { people, workspace: workspaceId } = stand.desk;
  const by = (change: object, decision: object = {}) =>
    submitCommand({
      workspaceId,
      runId,
      body: { ...body, ...decision },
      author: { type: "personal", id: people.reviewer, token: good.id, key: deriveAgentSeed(good.token), ...change },
    }).then(
      () => "accepted",
      (error: { refusal?: string }) => error.refusal,
    );
  expect(await by({ id: people.admin })).toBe("not_found");
  expect(await by({ token: id, key: deriveAgentSeed(token) })).toBe("not_found");
  expect(await by({ token: elsewhere.id, key: deriveAgentSeed(elsewhere.token) })).toBe("not_found");
  expect(await by({ key: deriveAgentSeed(account) })).toBe("command_forged");
  const comment = submitCommand({
    workspaceId,
    runId,
    author: { type: "personal", id: people.reviewer, token: good.id, key: deriveAgentSeed(good.token) },
    body: { kind: "comment", approval_id: approvalId, text: "x" },
  });
  await expect(comment).rejects.toMatchObject({ refusal: "scope_missing" });
  const { state } = await readRun(stand.demo.of("support-desk"), runId);
  expect(state.gates[approvalId]).toMatchObject({ status: "open", decisions: [] });
  expect(await by({}, { decision: "reject", reason: "No." })).toBe("accepted");
});

test("a reviewer makes tokens for approvals only, for at most 30 days", async () => {
  const refused = (change: Parameters<Stand["mint"]>[0]) =>
    api.mint(stand.desk.people.reviewer, change).then(
      () => "made",
      (error: { refusal?: string }) => error.refusal,
    );
  expect(await refused({ ownerId: stand.desk.people.builder })).toBe("role_missing");
  expect(await refused({ ownerId: stand.desk.people.admin })).toBe("role_missing");
  expect(await refused({ scopes: [...PERSONAL_SCOPES, "runs:start"] })).toBe("role_missing");
  expect(await refused({ scopes: [...PERSONAL_SCOPES, "approval.request"] })).toBe("role_missing");
  expect(await refused({ integrity: "trusted" })).toBe("role_missing");
  expect(await refused({ scopes: ["runs:read"] })).toBe("role_missing");
  expect(await refused({ lifetimeMs: 31 * 86_400_000 })).toBe("step_refused");
});

// Last: an approved downgrade is done, so later runs have nothing to ask.
test("a person's token approves as that person, once, on record", async () => {
  const { runId, approvalId } = await api.waiting(account, graphId);
  const { id, token } = await api.mint();
  const seen = await api.see(token, approvalId);
  expect(seen).toMatchObject({ status: "open", canDecide: true, whyNot: null, passkey: { isRequired: false } });
  const headers = { "Idempotency-Key": randomUUID() };
  const answers = [0, 1].map(() => api.decide(token, approvalId, decisionOf(seen), headers));
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
  const made = await api.decisionsOf(runId);
  expect(made).toHaveLength(1);
  expect(made[0]?.event).toMatchObject({ user: stand.desk.people.reviewer, decision: "approve", token: id });
  expect(made[0]?.record.principal).toMatchObject({ type: "user", id: stand.desk.people.reviewer, role: "reviewer" });
  expect(await api.read(account, `/runs/${runId}?wait=60`)).toMatchObject({ status: "completed" });
  const again = await api.decide(token, approvalId, decisionOf(seen));
  expect([again.status, again.refusal]).toEqual([409, "run_finished"]);
});
