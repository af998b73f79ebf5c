import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createAuthenticator, type Authenticator } from "@/lib/engine/testing/authenticator";
import { MOST_PERSONAL, serviceScopeSchema } from "@/lib/engine/principal";
import type { Rule } from "@/lib/approval-rules/rule";
import { graphSchema } from "@/lib/graph/document";
import { asksPerson } from "@/lib/graph/kind-of";
import { hexDigestSchema } from "@/lib/hash";
import { useDatabase } from "@/server/db/client";
import { openStand, type Stand } from "@/server/outside/testing/fixture";
import { publishAs, query } from "@/server/runner/testing/desk";
import { publishDemanding } from "@/server/runner/testing/passkeys";
import { readRun } from "@/server/runner/testing/run";
import { openTestSession } from "@/server/testing/authority";
import { submitCommand } from "@/server/web/submit-command";
import { createRequests, decisionOf, type Seen } from "./testing/personal";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const open = await openStand();
let stand: Stand;
let api: ReturnType<typeof createRequests>;
let account: string;
let mine: Authenticator;
let theirs: Authenticator;
let demanding: string;

beforeAll(async () => {
  stand = await open();
  api = createRequests(stand);
  account = (await stand.mint({ ownerId: stand.desk.people.admin, scopes: [...serviceScopeSchema.options] })).token;
  const { reviewer, second } = stand.desk.people;
  [mine, theirs] = [await register(reviewer), await register(second)];
  demanding = await publish(() => publishDemanding(supportDesk()));
});
afterAll(() => stand.close());

const graphOf = async (hash: string): Promise<string> => {
  const [row] = await query<{ graph_id: string }>(stand.desk.urls.admin, "select graph_id from graph_version where hash = $1", [hash]);

  return row?.graph_id ?? "";
};
const supportDesk = () => stand.demo.of("support-desk");
const publish = async (store: () => Promise<string>): Promise<string> => {
  await useDatabase(stand.desk.urls.runner);
  const hash = await store();
  await useDatabase(stand.desk.urls.web);

  return graphOf(hash);
};
const publishNaming = (people: readonly string[]): Promise<string> => {
  const desk = supportDesk();
  const { graph } = desk.published;
  const nodes = graph.nodes.map((node) => (asksPerson(node) ? { ...node, approvers: { groups: [], people: [...people] } } : node));

  return publish(() => publishAs(desk, { ...desk.published, graph: graphSchema.parse({ ...graph, nodes }) }, desk.people.builder));
};
const register = async (user: string): Promise<Authenticator> => {
  const authenticator = await createAuthenticator("es256");
  expect(await api.administer({ kind: "passkey_allow", allowance: randomUUID(), user })).toBe("accepted");
  const { passkey } = authenticator;
  expect(await api.administer({ kind: "passkey_register", passkey, label: "Laptop" }, user)).toBe("accepted");

  return authenticator;
};
const assertionOf = (authenticator: Authenticator, { passkey }: Seen) =>
  authenticator.assert(hexDigestSchema.parse(Buffer.from(passkey?.challenge ?? "", "base64url").toString("hex")));

test("a request that names approvers is decided by their tokens alone", async () => {
  const { reviewer, second } = stand.desk.people;
  const { runId, approvalId } = await api.waiting(account, await publishNaming([second]));
  const [other, named] = await Promise.all([api.mint(reviewer), api.mint(second)]);
  const seen = await api.see(other.token, approvalId);
  expect(seen).toMatchObject({ canDecide: false, whyNot: "Only second can approve this." });
  for (const decision of ["approve", "reject"]) {
    const asked = decisionOf(seen, { decision, ...(decision === "reject" ? { reason: "No." } : {}) });
    expect(await api.decide(other.token, approvalId, asked)).toMatchObject({ status: 409, refusal: "not_named" });
  }
  const own = await api.see(named.token, approvalId);
  expect(await api.decide(named.token, approvalId, decisionOf(own, { decision: "reject", reason: "No." }))).toEqual({ status: 200 });
  expect(await api.decisionsOf(runId)).toMatchObject([{ event: { user: second, token: named.id } }]);
});

test("a request that demands a passkey takes only its owner's assertion over this view", async () => {
  const { reviewer } = stand.desk.people;
  const { runId, approvalId } = await api.waiting(account, demanding, { mail_file: "02-outage-credit.txt" });
  const { id, token } = await api.mint();
  const seen = await api.see(token, approvalId);
  expect(seen.passkey).toMatchObject({ isRequired: true, credentials: [{ id: mine.passkey.credential_id, rpId: "localhost" }] });
  const decide = (change: object) => api.decide(token, approvalId, decisionOf(seen, change));
  expect(await decide({})).toEqual({ status: 403, code: "refused", refusal: "passkey_required" });
  expect(await decide({ assertion: await assertionOf(theirs, seen) })).toMatchObject({ status: 409, refusal: "passkey_invalid" });
  const elsewhere = await api.waiting(account, demanding, { mail_file: "02-outage-credit.txt" });
  const stale = await api.see(token, elsewhere.approvalId);
  expect(await decide({ assertion: await assertionOf(mine, stale) })).toMatchObject({ status: 409, refusal: "passkey_invalid" });
  const assertion = await assertionOf(mine, seen);
  expect(await decide({ decision: "reject", reason: "No.", assertion })).toMatchObject({ status: 409, refusal: "passkey_invalid" });
  expect(await decide({ assertion })).toEqual({ status: 200 });
  expect(await api.decisionsOf(runId)).toMatchObject([
    { event: { decision: "approve", user: reviewer, token: id, passkey: { credential_id: mine.passkey.credential_id } } },
  ]);
});

test("a high risk needs the browser's proof of identity, or an assertion", async () => {
  const order = await api.waiting(account, await stand.graphId("order-desk"), { order_id: "ord_2001" });
  const { token } = await api.mint();
  const reservation = await api.see(token, order.approvalId);
  expect(reservation.passkey).toMatchObject({ isRequired: false });
  expect(await api.decide(token, order.approvalId, decisionOf(reservation))).toEqual({ status: 200 });
  const { approvalId } = await api.waitFor(account, order.runId);
  const seen = await api.see(token, approvalId);
  expect(seen.passkey).toMatchObject({ isRequired: true });
  const decide = (change: object) => api.decide(token, approvalId, decisionOf(seen, change));
  expect(await decide({})).toEqual({ status: 403, code: "step_up_required", refusal: null });
  const forged = { ...(await assertionOf(mine, seen)), signature: "AA" };
  expect(await decide({ assertion: forged })).toMatchObject({ status: 409, refusal: "passkey_invalid" });
  expect(await decide({ assertion: await assertionOf(mine, seen) })).toEqual({ status: 200 });
});

test("a token loses its owner's right in the moment in which the owner loses it", async () => {
  const { starter, second } = stand.desk.people;
  const runId = randomUUID();
  const { urls, workspace: workspaceId } = stand.desk;
  const { graphHash } = supportDesk();
  await submitCommand({
    workspaceId,
    runId,
    author: { type: "user", id: starter, session: await openTestSession(urls.admin, starter) },
    body: {
      kind: "start",
      graph_hash: graphHash,
      goal: "Answer the mail.",
      constraints: [],
      inputs: { mail_file: "04-downgrade.txt" },
      model: "scripted:honest",
    },
  });
  const { approvalId } = await api.waitFor(account, runId);
  const setRole = (user: string, was: "builder" | "reviewer", role: "builder" | "reviewer") =>
    api.administer({ kind: "people_change", user, was: { role: was, auditor: false }, standing: { role, auditor: false } });
  expect(await setRole(starter, "builder", "reviewer")).toBe("accepted");
  const { token } = await api.mint(starter);
  const seen = await api.see(token, approvalId);
  expect(seen).toMatchObject({ canDecide: false, whyNot: "You started this run. Someone else must decide." });
  expect(await api.decide(token, approvalId, decisionOf(seen))).toMatchObject({ status: 409, refusal: "own_run" });
  expect(await setRole(starter, "reviewer", "builder")).toBe("accepted");
  expect(await api.decide(token, approvalId, decisionOf(seen))).toMatchObject({ status: 401, code: "unauthenticated" });
  expect(await setRole(starter, "builder", "reviewer")).toBe("accepted");
  expect(await api.decide(token, approvalId, decisionOf(seen))).toMatchObject({ refusal: "own_run" });
  // Disabling ends tokens for good.
  const { token: other } = await api.mint(second);
  expect(await api.administer({ kind: "people_disable", user: second })).toBe("accepted");
  expect((await api.send(other, "/approvals")).status).toBe(401);
  expect(await api.administer({ kind: "people_enable", user: second })).toBe("accepted");
  expect((await api.send(other, "/approvals")).status).toBe(401);
});

test("ending all sessions revokes personal tokens on record, and a single one does not", async () => {
  const { reviewer, admin } = stand.desk.people;
  const [first, service] = await Promise.all([api.mint(), stand.mint({ ownerId: admin, scopes: ["approvals:read"] })]);
  const session = await openTestSession(stand.desk.urls.admin, reviewer);
  expect(await api.administer({ kind: "people_end_sessions", user: reviewer, session: session.id })).toBe("accepted");
  expect((await api.send(first.token, "/approvals")).status).toBe(200);
  expect(await api.administer({ kind: "people_end_sessions", user: reviewer, session: null })).toBe("accepted");
  expect((await api.send(first.token, "/approvals")).status).toBe(401);
  expect((await api.send(service.token, "/approvals")).status).toBe(200);
  // Even if a database writer undoes the row.
  await query(stand.desk.urls.admin, "update agent_token set revoked_at = null where id = $1", [first.id]);
  expect((await api.send(first.token, "/approvals")).status).toBe(401);
});

test("a person has a bounded number of tokens", async () => {
  const { second } = stand.desk.people;
  for (let count = 0; count < MOST_PERSONAL; count += 1) await api.mint(second);
  await expect(api.mint(second)).rejects.toMatchObject({ refusal: "step_refused" });
  expect(await api.administer({ kind: "people_end_sessions", user: second, session: null })).toBe("accepted");
  await api.mint(second);
});

test("work that is stopped stays stopped when a token approves", async () => {
  const { runId, approvalId } = await api.waiting(account, await publishNaming([stand.desk.people.reviewer]), {
    mail_file: "02-outage-credit.txt",
  });
  const { token } = await api.mint();
  const seen = await api.see(token, approvalId);
  expect(await api.administer({ kind: "work_stop" })).toBe("accepted");
  expect(await api.decide(token, approvalId, decisionOf(seen))).toEqual({ status: 200 });
  const { records } = await readRun(supportDesk(), runId);
  const events = records.flatMap(({ record }) => record.control.map(({ type }) => type));
  expect(events.slice(events.indexOf("decision_made"))).not.toContain("effect_intended");
  expect(await api.administer({ kind: "work_resume" })).toBe("accepted");
  expect(await api.read(account, `/runs/${runId}?wait=60`)).toMatchObject({ status: "completed" });
});

// Last: the rule binds every run that starts from now on.
test("a workspace rule binds tokens as it binds the browser", async () => {
  const { reviewer, second } = stand.desk.people;
  const rule: Rule = {
    id: randomUUID(),
    when: { effect: "write", server: "customers" },
    needs: { groups: [], people: [second], count: 1, passkey: true },
  };
  expect(await api.administer({ kind: "rule_add", rule })).toBe("accepted");
  const { approvalId } = await api.waiting(account, await stand.graphId("support-desk"));
  const [other, named] = await Promise.all([api.mint(reviewer), api.mint(second)]);
  expect(await api.decide(other.token, approvalId, decisionOf(await api.see(other.token, approvalId)))).toMatchObject({
    refusal: "not_named",
  });
  const seen = await api.see(named.token, approvalId);
  expect(seen.passkey).toMatchObject({ isRequired: true });
  expect(await api.decide(named.token, approvalId, decisionOf(seen))).toMatchObject({ status: 403, refusal: "passkey_required" });
});
