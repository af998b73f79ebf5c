import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { graphSchema } from "@/lib/graph/document";
import { getReplyCommandId, verifyReplyToken, type ReplyAction } from "@/lib/notifications/reply-link";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { createSlackChannel } from "@/server/notify/slack";
import { sendBy } from "@/server/notify/send";
import { movedClock } from "@/server/notify/testing/fixture";
import { chooseSetting, sendDueMessages } from "@/server/notify/testing/notifications";
import { openSlack, type SlackStand } from "@/server/notify/testing/slack";
import { createTeamsChannel } from "@/server/notify/teams";
import type { Receiver } from "@/server/notify/testing/receiver";
import { openTeams } from "@/server/notify/testing/teams";
import { createNotificationDeps } from "@/server/runner/notification-deps";
import { openDesk, publishAs, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { sendOwn } from "@/server/runner/testing/passkeys";
import { ask, awaitAnswer, decisionFor, drive, openGateOf, readRun } from "@/server/runner/testing/run";
import { createEgress } from "@/server/security/egress";
import { writeCommand } from "@/server/testing/authority";
import { testDatabase } from "@/server/testing/database";

const ACCOUNT = "U012AB3CD";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let slack: SlackStand;
beforeAll(async () => {
  desk = await openDesk(urls, installation);
  slack = await openSlack();
}, 120_000);
afterAll(async () => {
  await desk.mcp.close();
  await slack.close();
});

const sendAll = async (): Promise<readonly string[]> => {
  const before = slack.posted.length;
  const channel = createSlackChannel(slack, sendBy(createEgress({ policy: { allowOrigins: [slack.origin] } })));
  const clock = movedClock();
  const policy = { origin: "https://approvals.example.com", most: "internal" } as const;
  await sendDueMessages(createNotificationDeps({ ...desk.deps, clock }, { slack: channel }, policy));

  return slack.posted.slice(before).map(({ method, body }) => `${method} ${JSON.stringify(body)}`);
};

const queue = (type: string, subject: string = randomUUID(), user = desk.people.reviewer): Promise<void> =>
  asAdmin(urls.admin, "insert into notification (workspace_id, id, user_id, channel, type, subject) values ($1, $2, $3, 'slack', $4, $5)", [
    desk.workspace,
    randomUUID(),
    user,
    type,
    subject,
  ]);

/** As the web process does. */
const propose = async (account: string, user = desk.people.reviewer): Promise<string> => {
  await asAdmin(urls.admin, "delete from notification_account where user_id = $1 and confirmed_at is null", [user]);
  await asAdmin(urls.admin, "insert into notification_account (workspace_id, user_id, channel, account) values ($1, $2, 'slack', $3)", [
    desk.workspace,
    user,
    account,
  ]);
  await queue("code", randomUUID(), user);
  const code = /[0-9A-Z]{4}-[0-9A-Z]{4}/u.exec((await sendAll()).join())?.[0];
  if (code === undefined) throw new Error("no code arrived");

  return code;
};

const link = (code: string, { account = ACCOUNT, user = desk.people.reviewer } = {}) =>
  sendOwn(desk, { kind: "account_link", channel: "slack", account, code }, user);

const codeOf = async (sent: ReturnType<typeof link>): Promise<string | null> => (await sent).refusal?.code ?? null;

const messageSchema = z.looseObject({
  blocks: z.array(z.looseObject({ elements: z.array(z.looseObject({ action_id: z.string(), value: z.string().optional() })).default([]) })),
});

/** Returns the token of a button of the latest message. */
const findButton = (kind: ReplyAction | "approve"): string => {
  const { blocks } = messageSchema.parse(slack.posted.at(-1)?.body);

  return blocks.flatMap(({ elements }) => elements).find((each) => each.action_id === kind)?.value ?? "";
};

describe("a Slack account", () => {
  it("is linked on record by the code that reached it, and by no other", async () => {
    const code = await propose(ACCOUNT);
    const wrong = code.startsWith("0") ? `1${code.slice(1)}` : `0${code.slice(1)}`;
    expect(await codeOf(link(wrong))).toBe("code_invalid");
    expect(await codeOf(link(code, { account: "U0OTHER99" }))).toBe("code_invalid");
    expect(await codeOf(link(code, { user: desk.people.second }))).toBe("code_invalid");
    expect(await codeOf(link(code))).toBeNull();
    expect(await codeOf(link(code))).toBe("step_refused");
    expect(await query(urls.admin, "select account, confirmed_at is not null as confirmed from notification_account")).toEqual([
      { account: ACCOUNT, confirmed: true },
    ]);
  });

  it("gets messages while its row agrees with the records", async () => {
    await queue("test");
    expect(await sendAll()).toEqual([expect.stringContaining(`"channel":"${ACCOUNT}"`)]);
    await asAdmin(urls.admin, "update notification_account set account = 'U0ATTACKER'");
    await queue("test");
    expect(await sendAll()).toEqual([]);
    await asAdmin(urls.admin, "update notification_account set account = $1", [ACCOUNT]);
  });
});

describe("a request in Slack", () => {
  it("is rejected by its button on record as from Slack, and its message then says so", async () => {
    await chooseSetting(urls.admin, desk.workspace, desk.people.reviewer);
    await asAdmin(urls.admin, "update notification_setting set channel = 'slack'");
    const run = await startRun(desk, "honest", "02-outage-credit.txt");
    await drive(desk, run);
    const { state } = await readRun(desk, run);
    const approval = openGateOf(state).gate.id;
    const [sent] = await sendAll();
    expect(sent).toMatch(/^chat\.postMessage .*Write · Medium risk/u);
    // An untrusted value selects the customer, so it needs the page.
    expect(findButton("approve")).toBe("");
    const token = findButton("reject");
    const found = await verifyReplyToken(token, await desk.deps.publicKeys(), Date.now());
    if (!found) throw new Error("the link is void");
    expect(found).toMatchObject({ channel: "slack", user: desk.people.reviewer, approval });

    const author = { type: "link", id: desk.people.reviewer, token } as const;
    const send = async (id: string, author_ = author): Promise<string | null> => {
      await writeCommand(urls.admin, desk.deps, {
        id,
        workspace: desk.workspace,
        runId: run,
        author: author_,
        body: decisionFor(desk, state, "reject"),
      });
      await drive(desk, run);

      return (await awaitAnswer(desk, id)).refusal?.code ?? null;
    };
    // The channel is signed along, so a link of Slack cannot pass for one of e-mail.
    const bytes = Buffer.from(token, "base64url");
    const relabelled = Buffer.concat([bytes.subarray(0, -65), bytes.subarray(-64)]).toString("base64url");
    expect(relabelled).toHaveLength(200);
    expect(await send(getReplyCommandId(found, "reject"), { ...author, token: relabelled })).toBe("link_invalid");
    await asAdmin(urls.admin, "delete from command where id = $1", [getReplyCommandId(found, "reject")]);
    expect(await send(getReplyCommandId(found, "reject"))).toBeNull();
    const { records } = await readRun(desk, run);
    const made = records.flatMap(({ record }) => record.control.filter((event) => event.type === "decision_made"));
    expect(made).toMatchObject([{ user: desk.people.reviewer, decision: "reject", via: "slack" }]);
    const [update, ...others] = await sendAll();
    expect(others).toEqual([]);
    expect(update).toMatch(/^chat\.update .*"ts":"1\.\d+".*Request in .*: rejected\./u);
    expect(update).not.toContain('"value"');
  });

  it("is approved by its button alone, on record, while the account is linked", async () => {
    const node = { id: "ask", kind: "approval", read_keys: ["mail_file"], config: { prompt: "Answer it?", review_keys: ["mail_file"] } };
    const graph = graphSchema.parse({ ...desk.published.graph, nodes: [node], edges: [], start_node: "ask", end_nodes: ["ask"] });
    const version = await publishAs(desk, { ...desk.published, graph }, desk.people.builder);
    const run = await startRun(desk, "honest", "02-outage-credit.txt", version);
    await drive(desk, run);
    const { state } = await readRun(desk, run);
    await sendAll();
    const token = findButton("approve");
    const found = await verifyReplyToken(token, await desk.deps.publicKeys(), Date.now());
    if (!found) throw new Error("the message has no button that approves");
    expect(JSON.stringify(slack.posted.at(-1)?.body)).toContain(String.raw`mail_file: \"02-outage-credit.txt\"`);

    const id = getReplyCommandId(found, "approve");
    const send = async (with_: string): Promise<string | null> => {
      await asAdmin(urls.admin, "delete from command where id = $1", [id]);
      const author = { type: "link", id: desk.people.reviewer, token: with_ } as const;
      await writeCommand(urls.admin, desk.deps, {
        id,
        workspace: desk.workspace,
        runId: run,
        author,
        body: decisionFor(desk, state, "approve"),
      });
      await drive(desk, run);

      return (await awaitAnswer(desk, id)).refusal?.code ?? null;
    };
    expect(await send(findButton("reject"))).toBe("link_invalid");
    await sendOwn(desk, { kind: "account_unlink", channel: "slack" }, desk.people.reviewer);
    expect(await send(token)).toBe("link_invalid");
    expect(await codeOf(link(await propose(ACCOUNT)))).toBeNull();
    expect(await send(token)).toBeNull();
    const { records } = await readRun(desk, run);
    const made = records.flatMap(({ record }) => record.control.filter((event) => event.type === "decision_made"));
    expect(made).toMatchObject([{ user: desk.people.reviewer, decision: "approve", via: "slack" }]);
    expect((await sendAll()).join()).toMatch(/chat\.update .*: approved\./u);
  });

  it("is changed once decided elsewhere, in its reminders too", async () => {
    const run = await startRun(desk, "honest", "02-outage-credit.txt");
    await drive(desk, run);
    const { state } = await readRun(desk, run);
    const approval = openGateOf(state).gate.id;
    const remind = (percent: number) =>
      asAdmin(
        urls.admin,
        "insert into approval_reminder (workspace_id, approval_id, percent, recipients, created_at) values ($1, $2, $3, $4, now())",
        [desk.workspace, approval, percent, [desk.people.reviewer]],
      );
    expect(await sendAll()).toHaveLength(1);
    for (const percent of [50, 90]) {
      await remind(percent);
      expect(await sendAll()).toEqual([expect.stringMatching(/^chat\.postMessage .*"text":"Reminder: /u)]);
    }
    expect((await ask(desk, run, desk.people.second, decisionFor(desk, state, "reject"))).refusal).toBeNull();
    const updates = await sendAll();
    expect(updates.every((update) => /^chat\.update .*: rejected\./u.test(update))).toBe(true);
    expect(new Set(updates.map((update) => /"ts":"([\d.]+)"/u.exec(update)?.[1])).size).toBe(3);
    expect(updates).toHaveLength(3);
  });

  it("that was commented on from there says so, and offers no second comment", async () => {
    const run = await startRun(desk, "honest", "02-outage-credit.txt");
    await drive(desk, run);
    const { state } = await readRun(desk, run);
    const approval = openGateOf(state).gate.id;
    await sendAll();
    const token = findButton("comment");
    const found = await verifyReplyToken(token, await desk.deps.publicKeys(), Date.now());
    if (!found) throw new Error("the link is void");
    const body = { kind: "comment", approval_id: approval, text: "Ask finance." } as const;
    const author = { type: "link", id: desk.people.reviewer, token } as const;
    await writeCommand(urls.admin, desk.deps, {
      id: getReplyCommandId(found, "comment"),
      workspace: desk.workspace,
      runId: run,
      author,
      body,
    });
    await drive(desk, run);
    await queue("approval.updated", approval);
    const [update] = await sendAll();
    expect(update).toContain("You commented.");
    expect(update).not.toContain('"action_id":"comment"');
    expect(update).toContain('"action_id":"reject"');
  });

  it("is tried again after an error of Slack's own, and given up after another", async () => {
    const statusAfter = async (error: string): Promise<string | undefined> => {
      slack.failWith(error);
      const run = await startRun(desk, "honest", "02-outage-credit.txt");
      await drive(desk, run);
      await sendAll();
      slack.failWith(null);
      const text = "select status from notification where type = 'approval.requested' order by created_at desc limit 1";

      return (await query<{ status: string }>(urls.admin, text))[0]?.status;
    };
    expect(await statusAfter("internal_error")).toBe("pending");
    expect(await statusAfter("account_inactive")).toBe("failed");
  });
});

it("is unlinked by its person, and gets nothing more", async () => {
  expect((await sendOwn(desk, { kind: "account_unlink", channel: "slack" }, desk.people.reviewer)).refusal).toBeNull();
  await queue("test");
  expect(await sendAll()).toEqual([]);
});

describe("a Teams workflow", () => {
  let teams: Receiver;
  beforeAll(async () => {
    teams = await openTeams();
  });
  afterAll(() => teams.close());

  const send = async (opened: readonly string[] = [teams.origin], nowMs?: number): Promise<readonly string[]> => {
    const before = teams.received.length;
    const clock = nowMs === undefined ? movedClock() : { ...movedClock(), now: () => nowMs };
    const channel = createTeamsChannel(sendBy(createEgress({ policy: { allowOrigins: [teams.origin] } })), opened);
    const policy = { origin: "https://approvals.example.com", most: "internal" } as const;
    await sendDueMessages(createNotificationDeps({ ...desk.deps, clock }, { teams: channel }, policy));

    return teams.received.slice(before).map(({ body }) => body);
  };
  const queueFor = (type: string): Promise<void> =>
    asAdmin(
      urls.admin,
      "insert into notification (workspace_id, id, user_id, channel, type, subject) values ($1, $2, $3, 'teams', $4, $2)",
      [desk.workspace, randomUUID(), desk.people.second, type],
    );
  const linkTeams = (code: string, account = teams.url) =>
    codeOf(sendOwn(desk, { kind: "account_link", channel: "teams", account, code }, desk.people.second));

  it("is linked on record by the code that reached its chat, for exactly its address", async () => {
    await asAdmin(urls.admin, "insert into notification_account (workspace_id, user_id, channel, account) values ($1, $2, 'teams', $3)", [
      desk.workspace,
      desk.people.second,
      teams.url,
    ]);
    await queueFor("code");
    const code = /[0-9A-Z]{4}-[0-9A-Z]{4}/u.exec((await send()).join())?.[0] ?? "";
    expect(await linkTeams(code, `${teams.url}/other`)).toBe("code_invalid");
    expect(await linkTeams(code)).toBeNull();
    await queueFor("test");
    expect(await send()).toEqual([expect.stringContaining("This is a test.")]);
  });

  it("gets nothing at an address that is neither Microsoft's nor opened, nor once its row was changed", async () => {
    await queueFor("test");
    expect(await send([])).toEqual([]);
    expect(
      await query(
        urls.admin,
        "select status, fault from notification where channel = 'teams' and type = 'test' order by created_at desc limit 1",
      ),
    ).toEqual([{ status: "failed", fault: "blocked" }]);
    await asAdmin(urls.admin, "update notification_account set account = $1 where channel = 'teams'", [`${teams.origin}/attacker`]);
    await queueFor("test");
    expect(await send()).toEqual([]);
    await asAdmin(urls.admin, "update notification_account set account = $1 where channel = 'teams'", [teams.url]);
  });

  it("gets a request after quiet hours, with sentence, class and a link to the page, and nothing that decides", async () => {
    await asAdmin(urls.admin, "delete from notification_setting");
    await chooseSetting(urls.admin, desk.workspace, desk.people.second, { quiet: { from: 0, until: 1_439 } });
    await asAdmin(urls.admin, "update notification_setting set channel = 'teams'");
    const run = await startRun(desk, "honest", "02-outage-credit.txt");
    await drive(desk, run);
    const { gate } = openGateOf((await readRun(desk, run)).state);
    const midnight = new Date(gate.opened_at).setUTCHours(24, 0, 0, 0);
    expect(await send(undefined, midnight - 120_000)).toEqual([]);
    const [card = ""] = await send(undefined, midnight - 1);
    expect(card).toContain("Write · Medium risk");
    expect(card).toContain(`https://approvals.example.com/approvals/${gate.id}`);
    expect(card).not.toMatch(/\/reply|token|Action\.(?:Submit|Http|Execute)/u);
  });
});
