import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe as group, expect, test, vi } from "vitest";
import { API_PATH } from "@/lib/api/routes";
import { openStand, type Stand } from "@/server/outside/testing/fixture";
import { query } from "@/server/runner/testing/desk";
import { decisionFor, readRun } from "@/server/runner/testing/run";
import { openTestSession } from "@/server/testing/authority";
import { submitCommand } from "@/server/web/submit-command";
import { openCalls, type Calls } from "./testing/calls";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const open = await openStand();
let stand: Stand;
let api: Calls;

beforeAll(async () => {
  stand = await open();
  api = await openCalls(stand);
});
afterAll(() => stand.close());

test("start, wait for the approval, approve by a person, read the result", async () => {
  const { runId } = await api.call("startRun", {}, { body: api.start() });
  const run = String(runId);
  const waiting = await api.call("getRun", { runId: run }, {}, "?wait=60");
  expect(waiting["status"]).toBe("waiting");
  const [gate] = waiting["waitingFor"] as { approvalId: string }[];
  const approvalId = gate?.approvalId ?? "";
  await api.call("listApprovals");
  const seen = await api.call("getApproval", { approvalId });
  expect(seen["status"]).toBe("open");
  await api.call("commentOnApproval", { approvalId }, { body: { text: "From CI." } });
  const after = await api.call("getApproval", { approvalId });
  expect(after["comments"]).toMatchObject([{ text: "From CI." }]);
  const desk = stand.demo.of("support-desk");
  const person = { type: "user", id: desk.people.reviewer, session: await openTestSession(desk.urls.admin, desk.people.reviewer) } as const;
  const { state } = await readRun(desk, run);
  await submitCommand({ workspaceId: desk.workspace, author: person, runId: run, body: decisionFor(desk, state, "approve") });
  const done = await api.call("getRun", { runId: run }, {}, "?wait=60");
  expect(done["status"]).toBe("completed");
  expect(await api.call("getRunState", { runId: run })).toMatchObject({ run_id: run, status: "completed" });
  expect(await api.call("verifyRun", { runId: run })).toMatchObject({ ok: true });
  await api.call("exportRun", { runId: run });
  const events = await api.send("GET", `/runs/${run}/events`);
  expect([events.headers.get("content-type"), await events.text()]).toEqual([
    "text/event-stream; charset=utf-8",
    expect.stringContaining('"status":"completed"'),
  ]);
  expect((await api.call("listRuns", {}, {}, `?graphId=${api.graphId}&limit=1`))["items"]).toHaveLength(1);
  await api.call("forkRun", { runId: run }, { body: { seq: 1 } });
});

test("an account of an environment starts nothing elsewhere", async () => {
  const startBy = async (environments: string[]) => {
    const { token } = await api.account({ environments });
    const answer = await api.send("POST", "/runs", { token, body: api.start() });

    return [answer.status, ((await answer.json()) as { refusal?: string }).refusal ?? null];
  };
  expect(await startBy(["staging"])).toEqual([409, "environment_not_granted"]);
  expect(await startBy(["staging", "production"])).toEqual([201, null]);
  const { id, token } = await api.account({ environments: ["staging"] });
  await query(stand.desk.urls.admin, "update agent_token set environments = '{}' where id = $1", [id]);
  const tampered = await api.send("POST", "/runs", { token, body: api.start() });
  expect(tampered.ok, "a row without its record").toBe(false);
});

test("an account rejects what its view names, and can never approve", async () => {
  const { runId } = await api.call("startRun", {}, { body: api.start({ inputs: { mail_file: "04-downgrade.txt" } }) });
  const run = String(runId);
  const waiting = await api.call("getRun", { runId: run }, {}, "?wait=60");
  expect(waiting).toMatchObject({ status: "waiting", waitingFor: [{}] });
  const approvalId = (waiting["waitingFor"] as { approvalId: string }[])[0]?.approvalId ?? "";
  const { viewDigest, transitionDigest, nonce } = await api.call("getApproval", { approvalId });
  const asked = { viewDigest, transitionDigest, nonce, reason: "The release was withdrawn." };
  const wrong = await api.send("POST", `/approvals/${approvalId}/rejection`, { body: { ...asked, viewDigest: transitionDigest } });
  expect([wrong.status, ((await wrong.json()) as { refusal: string }).refusal]).toEqual([409, "view_mismatch"]);
  // The page's own command, with an account's signature.
  const { id, token: other } = await api.account();
  const { deriveAgentSeed } = await import("@/server/security/session-key");
  const author = { type: "agent", token: id, session: null, signer: { type: "token", key: deriveAgentSeed(other) } } as const;
  const desk = stand.demo.of("support-desk");
  const { state } = await readRun(desk, run);
  const yes = submitCommand({ workspaceId: desk.workspace, author, runId: run, body: decisionFor(desk, state, "approve") });
  await expect(yes).rejects.toMatchObject({ refusal: "principal_not_allowed" });
  // Neither refusal changed the view.
  await api.call("rejectApproval", { approvalId }, { body: asked });
  const decided = await api.call("getApproval", { approvalId });
  const [by] = decided["decisions"] as { user: string }[];
  expect((decided["names"] as Record<string, string>)[by?.user ?? ""]).toBe("Service account test");
  const { records } = await readRun(desk, run);
  const made = records.flatMap(({ record }) => (record.proposal_kind === "decision" && record.refusal === null ? [record.principal] : []));
  expect(made).toMatchObject([{ type: "agent", integrity: "untrusted" }]);
});

test("a run is cancelled by the account, which the ledger names", async () => {
  const run = String((await api.call("startRun", {}, { body: api.start({ inputs: { mail_file: "04-downgrade.txt" } }) }))["runId"]);
  expect((await api.call("getRun", { runId: run }, {}, "?wait=60"))["status"]).toBe("waiting");
  await api.call("cancelRun", { runId: run }, { body: { reason: "Superseded." } });
  expect((await api.call("getRun", { runId: run }, {}, "?wait=60"))["status"]).toBe("cancelled");
  const { records } = await readRun(stand.demo.of("support-desk"), run);
  expect(records.find(({ record }) => record.proposal_kind === "cancel")?.record.principal).toMatchObject({ type: "agent" });
});

group("a request", () => {
  const fork = (key: string, body: unknown) => api.send("POST", "/runs", { body, headers: { "Idempotency-Key": key } });

  test("with the same Idempotency-Key starts one run; another body is refused", async () => {
    const key = randomUUID();
    const answers = await Promise.all([fork(key, api.start()), fork(key, api.start())]);
    const again = await fork(key, api.start());
    const ids = await Promise.all([...answers, again].map(async (answer) => ((await answer.json()) as { runId: string }).runId));
    expect(new Set(ids).size).toBe(1);
    expect((await fork(key, api.start({ goal: "Another." }))).status).toBe(422);
  });

  test("repeated after a crash between insert and answer finds the same command", async () => {
    const key = randomUUID();
    await stand.stopRunner();
    const lost = new AbortController();
    const first = fetch(`${stand.origin}${API_PATH}/runs`, {
      method: "POST",
      headers: { Authorization: `Bearer ${api.token}`, "Content-Type": "application/json", "Idempotency-Key": key },
      body: JSON.stringify(api.start()),
      signal: lost.signal,
    }).catch(() => null);
    await vi.waitFor(async () => {
      const rows = await query(stand.desk.urls.admin, "select 1 from command where status = 'pending' and kind = 'start'", []);
      expect(rows).toHaveLength(1);
    });
    lost.abort();
    await first;
    await stand.replaceRunner();
    const { runId } = (await (await fork(key, api.start())).json()) as { runId: string };
    expect((await api.call("getRun", { runId }))["id"]).toBe(runId);
    const rows = await query(stand.desk.urls.admin, "select 1 from run where id = $1", [runId]);
    expect(rows).toHaveLength(1);
  });
});
