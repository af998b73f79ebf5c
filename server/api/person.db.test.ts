import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { API_PATH } from "@/lib/api/routes";
import { PERSONAL_SCOPES, serviceScopeSchema } from "@/lib/engine/principal";
import { openStand, type Stand } from "@/server/outside/testing/fixture";
import { query } from "@/server/runner/testing/desk";
import { readRun } from "@/server/runner/testing/run";
import { submitCommand } from "@/server/web/submit-command";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const open = await openStand();
let stand: Stand;
let account: string;
let graphId: string;

type Seen = {
  readonly viewDigest: string;
  readonly transitionDigest: string;
  readonly nonce: string;
  readonly status: string;
  readonly canDecide: boolean;
  readonly whyNot: string | null;
  readonly passkey: { readonly isRequired: boolean; readonly challenge: string } | null;
};

const send = (token: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${stand.origin}${API_PATH}${path}`, {
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
const read = async <T>(token: string, path: string): Promise<T> => (await (await send(token, path)).json()) as T;

const personal = (change: Parameters<Stand["mint"]>[0] = {}) =>
  stand.mint({ ownerId: stand.desk.people.reviewer, scopes: [...PERSONAL_SCOPES], ...change });

const statusOf = async (answer: Promise<Response>) => {
  const response = await answer;
  const { refusal, title } = (await response.json()) as { refusal?: string | null; title?: string };

  return { status: response.status, refusal, title };
};

/** Starts a run of the demo that waits for an approval. */
const waiting = async (mail = "04-downgrade.txt") => {
  const body = { graphId, goal: "Answer the mail.", inputs: { mail_file: mail }, model: "scripted:honest" };
  const { runId } = (await (await send(account, "/runs", body)).json()) as { runId: string };
  const { waitingFor } = await read<{ waitingFor: { approvalId: string }[] }>(account, `/runs/${runId}?wait=60`);

  return { runId, approvalId: waitingFor[0]?.approvalId ?? "" };
};
const seenBy = (token: string, approvalId: string) => read<Seen>(token, `/approvals/${approvalId}`);
const decisionOf = ({ viewDigest, transitionDigest, nonce }: Seen, change: object = {}) => ({
  decision: "approve",
  viewDigest,
  transitionDigest,
  nonce,
  ...change,
});

beforeAll(async () => {
  stand = await open();
  graphId = await stand.graphId("support-desk");
  account = (await stand.mint({ ownerId: stand.desk.people.admin, scopes: [...serviceScopeSchema.options] })).token;
});
afterAll(() => stand.close());

test("a decision names the view that its person sees, and no other person's", async () => {
  const { approvalId } = await waiting();
  const { token } = await personal();
  const seen = await seenBy(token, approvalId);
  const asAccount = await seenBy(account, approvalId);
  expect([asAccount.canDecide, asAccount.passkey]).toEqual([false, null]);
  const decide = (change: object) => statusOf(send(token, `/approvals/${approvalId}/decision`, decisionOf(seen, change)));
  expect(await decide({ viewDigest: "0".repeat(64) })).toMatchObject({ status: 409, refusal: "view_mismatch" });
  expect(await decide({ nonce: randomUUID() })).toMatchObject({ status: 409, refusal: "nonce_mismatch" });
  expect(await decide({ decision: "reject" })).toMatchObject({ status: 409, refusal: "reason_missing" });
  expect((await decide({ decision: "reject", reason: "Not this customer." })).status).toBe(200);
});

test("no token of an account, of a past time, or of another person decides", async () => {
  const { runId, approvalId } = await waiting();
  const { token, id } = await personal();
  const seen = await seenBy(token, approvalId);
  const decide = (shown: string) => statusOf(send(shown, `/approvals/${approvalId}/decision`, decisionOf(seen)));
  expect(await decide(account)).toMatchObject({ status: 403, refusal: "scope_missing" });
  const elsewhere = await personal({ graphs: [await stand.graphId("refund-desk")] });
  expect((await decide(elsewhere.token)).status).toBe(404);
  const late = await personal();
  await query(stand.desk.urls.admin, "update agent_token set expires_at = now() - interval '1 second' where id = $1", [late.id]);
  expect((await decide(late.token)).status).toBe(401);
  await stand.revoke(id);
  expect((await decide(token)).status).toBe(401);
  // The runner checks each part itself.
  const { deriveAgentSeed } = await import("@/server/security/session-key");
  const body = {
    kind: "decision",
    approval_id: approvalId,
    transition_digest: seen.transitionDigest,
    view_digest: seen.viewDigest,
    decision: "approve",
    nonce: seen.nonce,
  } as const;
  const good = await personal();
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
    personal(change).then(
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
  const { runId, approvalId } = await waiting();
  const { token } = await personal();
  const seen = await seenBy(token, approvalId);
  expect(seen).toMatchObject({ status: "open", canDecide: true, whyNot: null, passkey: { isRequired: false } });
  const headers = { "Idempotency-Key": randomUUID() };
  const answers = [0, 1].map(() => statusOf(send(token, `/approvals/${approvalId}/decision`, decisionOf(seen), headers)));
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
  const { records } = await readRun(stand.demo.of("support-desk"), runId);
  const made = records.flatMap(({ record }) =>
    record.control.flatMap((event) => (event.type === "decision_made" ? [{ record, event }] : [])),
  );
  expect(made).toHaveLength(1);
  expect(made[0]?.event).toMatchObject({ user: stand.desk.people.reviewer, decision: "approve", via: "api" });
  expect(made[0]?.record.principal).toMatchObject({ type: "user", id: stand.desk.people.reviewer, role: "reviewer" });
  expect(await read(account, `/runs/${runId}?wait=60`)).toMatchObject({ status: "completed" });
  const again = await statusOf(send(token, `/approvals/${approvalId}/decision`, decisionOf(seen)));
  expect([again.status, again.refusal]).toEqual([409, "run_finished"]);
});
