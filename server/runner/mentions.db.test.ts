import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { chooseSetting, sendDueMessages } from "@/server/notify/testing/notifications";
import type { NotificationMessage } from "@/lib/notifications/message";
import { createNotificationDeps } from "@/server/runner/notification-deps";
import { loadRun } from "@/server/runner/load";
import { loadOnce } from "@/server/runner/notification-item";
import { describeMentionFor } from "@/server/runner/mention-item";
import { movedClock } from "@/server/notify/testing/fixture";
import { openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { ask, drive, openGateOf, readRun } from "@/server/runner/testing/run";
import { runHead } from "@/server/store/ledger/run-heads";
import { testDatabase } from "@/server/testing/database";

const POLICY = { origin: "https://desk.example.com", most: "internal" } as const;

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let run: string;
let approval: string;
beforeAll(async () => {
  desk = await openDesk(urls, installation);
  run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
  approval = openGateOf((await readRun(desk, run)).state).gate.id;
}, 120_000);
afterAll(() => desk.mcp.close());

type Row = { id: string; user_id: string; by_id: string; approval_id: string | null; seq: number };
const mentions = () => query<Row>(urls.admin, "select id, user_id, by_id, approval_id, seq from mention order by created_at, user_id");
const describeFor = (mentionId: string, userId: string, policy: { origin: string; most: "internal" | "public" } = POLICY) =>
  describeMentionFor(desk.deps, policy, { workspaceId: desk.workspace, mentionId, userId });

describe("a comment that mentions people", () => {
  it("notes each of them, on the request or on the run, and sends what its record says", async () => {
    const { starter, reviewer, second } = desk.people;
    const about = await ask(desk, run, starter, {
      kind: "comment",
      approval_id: approval,
      text: "@Reviewer, so much?",
      mentions: [reviewer],
    });
    const ofRun = await ask(desk, run, starter, { kind: "comment", text: "See also this run.", mentions: [reviewer, second, starter] });
    expect([about.refusal, ofRun.refusal]).toEqual([null, null]);
    const rows = await mentions();
    expect(rows).toMatchObject([
      { user_id: reviewer, by_id: starter, approval_id: approval, seq: about.seq },
      ...[reviewer, second].toSorted().map((user_id) => ({ user_id, by_id: starter, approval_id: null, seq: ofRun.seq })),
    ]);
    const [first, ...others] = rows;
    expect(await describeFor(first?.id ?? "", reviewer)).toMatchObject({
      text: "@Reviewer, so much?",
      graphName: desk.published.graph.name,
      url: `https://desk.example.com/approvals/${approval}?workspace=${desk.workspace}#comments`,
    });
    const own = others.find(({ user_id: user }) => user === second);
    expect(await describeFor(own?.id ?? "", second)).toMatchObject({
      url: `https://desk.example.com/runs/${run}?comments=true&workspace=${desk.workspace}`,
    });
    expect(await describeFor(own?.id ?? "", reviewer)).toBeNull();
  });

  it("sends no text where the operator's messages carry none", async () => {
    const [first] = await mentions();
    expect(await describeFor(first?.id ?? "", desk.people.reviewer, { ...POLICY, most: "public" })).toMatchObject({ text: null });
  });

  it("sends nothing for a row without a signed comment, and nothing to people who lost access", async () => {
    const [first] = await mentions();
    const forged = [randomUUID(), randomUUID()] as const;
    for (const [at, id] of forged.entries()) {
      await asAdmin(
        urls.admin,
        "insert into mention (workspace_id, id, run_id, seq, user_id, by_id, created_at) values ($1, $2, $3, $4, $5, $6, now())",
        [desk.workspace, id, run, at === 0 ? 1 : first?.seq, desk.people.second, desk.people.starter],
      );
    }
    for (const id of forged) expect(await describeFor(id, desk.people.second)).toBeNull();
    await asAdmin(urls.admin, "update membership set disabled_at = now() where user_id = $1", [desk.people.reviewer]);
    expect(await describeFor(first?.id ?? "", desk.people.reviewer)).toBeNull();
    await asAdmin(urls.admin, "update membership set disabled_at = null where user_id = $1", [desk.people.reviewer]);
    await asAdmin(urls.admin, "delete from mention where id = any ($1)", [forged]);
  });

  it("is refused if it names a person who is no member", async () => {
    const answer = await ask(desk, run, desk.people.starter, { kind: "comment", text: "@Nobody", mentions: [randomUUID()] });
    expect(answer.refusal?.code).toBe("not_found");
  });

  it("reaches its people once on each channel they chose, whatever requests they chose", async () => {
    const { starter, second } = desk.people;
    await asAdmin(urls.admin, "delete from notification");
    await chooseSetting(urls.admin, desk.workspace, second, { classes: [] });
    const sent: NotificationMessage[] = [];
    const channel = {
      mostItems: 5,
      deliver: (message: NotificationMessage) => (sent.push(message), Promise.resolve({ ok: true as const, code: 250, isFinal: false })),
    };
    const deps = { ...createNotificationDeps({ ...desk.deps, clock: movedClock() }, { mail: channel }, POLICY) };
    await ask(desk, run, starter, { kind: "comment", text: "Please look.", mentions: [second] });
    expect(await sendDueMessages(deps)).toBe(1);
    expect(await sendDueMessages(deps)).toBe(0);
    expect(sent).toMatchObject([{ items: [], mentions: [{ text: "Please look." }] }]);
    await asAdmin(urls.admin, "delete from notification_setting");
    await ask(desk, run, starter, { kind: "comment", text: "Again.", mentions: [second] });
    expect(await sendDueMessages(deps)).toBe(0);
  });
});

it("a comment on an ended run is recorded, and its person told", async () => {
  const { starter, second } = desk.people;
  await ask(desk, run, starter, { kind: "cancel" });
  expect((await readRun(desk, run)).state.status).toBe("cancelled");
  const answer = await ask(desk, run, starter, { kind: "comment", text: "Why did it end?", mentions: [second] });
  expect(answer.refusal).toBeNull();
  const { records, state } = await readRun(desk, run);
  expect(records.at(-1)?.record.control).toEqual([{ type: "commented", user: starter, mentions: [second] }]);
  expect(state.status).toBe("cancelled");
  expect((await mentions()).at(-1)).toMatchObject({ user_id: second, seq: answer.seq });
});

it("reads a run as of its head while the run moves on, unlike the holder of its lease", async () => {
  const head = await runHead(desk.workspace, run);
  if (!head) throw new Error("no run");
  expect((await ask(desk, run, desk.people.reviewer, { kind: "comment", text: "So much?" })).refusal).toBeNull();
  expect((await loadOnce(desk.deps, head))?.state).toMatchObject({ version: head.version, head: head.head });
  const { workspaceId, version, head: digest, graphHash } = head;
  await expect(
    loadRun(desk.deps.vault, await desk.deps.publicKeys(), { workspaceId, runId: run, version, digest }, graphHash),
  ).rejects.toMatchObject({ reason: "truncated" });
});
