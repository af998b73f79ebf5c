import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { EndpointFormat } from "@/lib/webhooks/endpoint";
import type { WebhookType } from "@/lib/webhooks/types";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { addEndpoint, deliveriesOf, movedClock, notifyDeps, ORIGIN, sendDue } from "@/server/notify/testing/fixture";
import { answer, openReceiver, type Receiver } from "@/server/notify/testing/receiver";
import { openTeams } from "@/server/notify/testing/teams";
import { createDescribeForAll } from "@/server/runner/notification-deps";
import { openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { ask, decisionFor, drive, openGateOf, readRun } from "@/server/runner/testing/run";
import { testDatabase } from "@/server/testing/database";

/** Personal data: no message to many has it. */
const PERSONAL = `Canary ${randomUUID()}`;
const APPROVALS: readonly WebhookType[] = ["approval.requested", "approval.reminder", "approval.resolved"];

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let slack: Receiver;
let teams: Receiver;
beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await query(urls.customers, "update customers.customer set name = $1", [PERSONAL]);
}, 120_000);
afterAll(() => desk.mcp.close());
beforeEach(async () => {
  [slack, teams] = [await openReceiver(), await openTeams()];
  slack.answerWith(answer(200));
});
afterEach(async () => {
  await Promise.all([slack.close(), teams.close()]);
  await asAdmin(urls.admin, "truncate webhook_endpoint, webhook_delivery");
});

const depsFor = (most: "internal" | "public" = "internal") => ({
  ...notifyDeps(desk.deps.vault, movedClock(), [slack.origin, teams.origin]),
  describe: createDescribeForAll(desk.deps, { origin: ORIGIN, most }),
});

const addChat = async (url: string, format: EndpointFormat, group: string | null = null): Promise<string> => {
  const { id } = await addEndpoint(urls.admin, desk.workspace, desk.deps.vault, { url, types: APPROVALS });
  await asAdmin(urls.admin, "update webhook_endpoint set format = $2, group_name = $3 where id = $1", [id, format, group]);

  return id;
};

const waiting = async () => {
  const run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
  const { state } = await readRun(desk, run);

  return { run, state, approval: openGateOf(state).gate.id };
};

const bodies = (receiver: Receiver) => receiver.received.map(({ body }) => body);

describe("a chat", () => {
  test("gets a request once, with sentence, class and a link to the page, and no personal data, button that decides or signature", async () => {
    const ids = [await addChat(slack.url, "slack"), await addChat(teams.url, "teams")];
    const { run, state, approval } = await waiting();
    expect(await sendDue(depsFor())).toBe(2);
    expect(await sendDue(depsFor())).toBe(0);
    for (const receiver of [slack, teams]) {
      expect(receiver.received).toHaveLength(1);
      const [text = ""] = bodies(receiver);
      expect(text).toContain("Write ·");
      expect(text).toContain(`${ORIGIN}/approvals/${approval}`);
      expect(text).not.toContain(PERSONAL);
      expect(text).not.toContain("/reply");
      expect(text).not.toMatch(/"(?:input|Action\.(?:Submit|Http|Execute))"/u);
      expect(Object.keys(receiver.received[0]?.headers ?? {}).filter((name) => name.startsWith("webhook-"))).toEqual([]);
    }
    for (const id of ids) expect(await deliveriesOf(urls.admin, id)).toMatchObject([{ status: "delivered", payload: null }]);
    await ask(desk, run, desk.people.reviewer, decisionFor(desk, state, "reject"));
    expect(await sendDue(depsFor())).toBe(2);
    for (const receiver of [slack, teams]) expect(bodies(receiver).at(-1)).toMatch(/Request in [^"]+: rejected\./u);
  });

  test("gets nothing of a request that closed before its turn", async () => {
    const id = await addChat(teams.url, "teams");
    const { run } = await waiting();
    await ask(desk, run, desk.people.starter, { kind: "cancel" });
    await sendDue(depsFor());
    expect(teams.received).toHaveLength(1);
    expect(bodies(teams)[0]).toContain(": void.");
    expect((await deliveriesOf(urls.admin, id)).find(({ type }) => type === "approval.requested")).toMatchObject({
      status: "dropped",
      fault: null,
    });
  });

  test("says what the operator lets messages say", async () => {
    await addChat(slack.url, "slack");
    await waiting();
    await sendDue(depsFor("public"));
    expect(bodies(slack)[0]).toContain("Write ·");
    expect(bodies(slack)[0]).not.toContain("cus_");
  });

  test("of a group hears of its requests and no others, reminders included", async () => {
    const [of, other] = [await addChat(slack.url, "slack", "billing"), await addChat(teams.url, "teams", "legal")];
    const { run } = await waiting();
    const named = randomUUID();
    await asAdmin(
      urls.admin,
      `insert into approval (workspace_id, id, run_id, node, reason, prompt, role, transition_digest, status, opened_at, expires_at, named, named_groups)
       values ($1, $2, $3, 'write', 'effect', '?', 'reviewer', $4, 'open', now(), now() + interval '1 day', true, '{billing}')`,
      [desk.workspace, named, run, "0".repeat(64)],
    );
    await asAdmin(
      urls.admin,
      "insert into approval_reminder (workspace_id, approval_id, percent, recipients, created_at) values ($1, $2, 50, '{}', now())",
      [desk.workspace, named],
    );
    expect((await deliveriesOf(urls.admin, of)).map(({ type }) => type).toSorted()).toEqual(["approval.reminder", "approval.requested"]);
    expect(await deliveriesOf(urls.admin, other)).toEqual([]);
  });

  test("that does not answer is tried again with the same content", async () => {
    const id = await addChat(teams.url, "teams");
    await waiting();
    teams.answerWith(answer(429));
    const clock = movedClock();
    await sendDue({ ...depsFor(), clock });
    expect(await deliveriesOf(urls.admin, id)).toMatchObject([{ status: "pending", code: 429 }]);
    teams.answerWith(answer(202));
    clock.moveBy(3_600_000);
    await sendDue({ ...depsFor(), clock });
    expect(bodies(teams)[0]).toBe(bodies(teams)[1]);
    expect(await deliveriesOf(urls.admin, id)).toMatchObject([{ status: "delivered" }]);
  });
});
