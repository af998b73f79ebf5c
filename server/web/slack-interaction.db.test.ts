import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createReplyToken, getReplyCommandId, type ReplyLink } from "@/lib/notifications/reply-link";
import { useDatabase } from "@/server/db/client";
import { closeRunBus } from "@/server/live/run-bus";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { decisionFor, drive, openGateOf, readRun } from "@/server/runner/testing/run";
import { loadSignerFromPem } from "@/server/security/keyring";
import { testDatabase } from "@/server/testing/database";
import { handleSlackInteraction, type SlackInteractions } from "./slack-interaction";
import { createSlackVerifier, signSlackRequest } from "./slack-signature";

const SECRET = "a signing secret of Slack's";
const ACCOUNT = "U012AB3CD";
const NOW_S = Math.floor(Date.now() / 1_000);

const urls = await testDatabase("runner");
const installation = await testInstallation();
vi.stubEnv("COUNTERSIGN_HOME", installation.home);

let desk: Desk;
let link: ReplyLink;
const interactions: SlackInteractions = { verify: createSlackVerifier(SECRET), clock: { now: () => NOW_S * 1_000 } };

const stranger = loadSignerFromPem(generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString());
const sign = (of: ReplyLink): string => createReplyToken(of, (digest) => desk.deps.signer.signDigest(digest));

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await mkdir(path.join(installation.home, "keys"), { recursive: true });
  await writeFile(path.join(installation.home, "keys", "vault.key"), desk.keys.vault, { mode: 0o600 });
  const run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
  const { state } = await readRun(desk, run);
  link = {
    workspace: desk.workspace,
    approval: openGateOf(state).gate.id,
    user: desk.people.reviewer,
    view: decisionFor(desk, state, "reject").view_digest,
    expires: NOW_S + 600,
    channel: "slack",
  };
  await asAdmin(
    urls.admin,
    "insert into notification_account (workspace_id, user_id, channel, account, confirmed_at) values ($1, $2, 'slack', $3, now())",
    [desk.workspace, desk.people.reviewer, ACCOUNT],
  );
  await useDatabase(urls.web);
}, 120_000);
afterAll(async () => {
  closeRunBus();
  await desk.mcp.close();
});
beforeEach(() => asAdmin(urls.admin, "delete from command where kind <> 'start'"));

type Click = { readonly action?: string; readonly token?: string; readonly text?: string; readonly user?: string };

const bodyOf = ({ action = "reject", token = sign(link), text = "Ask finance.", user = ACCOUNT }: Click): string => {
  const payload = {
    type: "block_actions",
    trigger_id: randomUUID(),
    user: { id: user },
    actions: [{ action_id: action, block_id: "do 0", value: token }],
    state: { values: { "text 0": { text: { type: "plain_text_input", value: text } } } },
  };

  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
};

const post = async (body: string, headers: Readonly<Record<string, string>>): Promise<number> => {
  const request = new Request("http://localhost/api/slack/interactions", { method: "POST", body, headers });

  return (await handleSlackInteraction(request, interactions)).status;
};

const signed = (body: string, timestamp = String(NOW_S), secret = SECRET): Record<string, string> => ({
  "x-slack-request-timestamp": timestamp,
  "x-slack-signature": signSlackRequest(secret, timestamp, body),
});

const click = (of: Click): Promise<number> => {
  const body = bodyOf(of);

  return post(body, signed(body));
};

const commands = () =>
  query<{ id: string; user_id: string; kind: string }>(urls.admin, "select id, user_id, kind from command where kind <> 'start'");

/** Stands in for the runner. */
const answer = (id: string): Promise<void> =>
  asAdmin(urls.admin, `update command set status = 'accepted', outcome = '{"seq":7,"refusal":null}' where id = $1`, [id]);

test("an unsigned, wrongly signed, late or changed click is refused once and does nothing", async () => {
  const body = bodyOf({});
  const late = String(NOW_S - 301);
  expect(await post(body, {})).toBe(401);
  expect(await post(body, signed(body, undefined, "another secret of Slack's"))).toBe(401);
  expect(await post(body, signed(body, late))).toBe(401);
  expect(await post(body, { ...signed(body, late), "x-slack-request-timestamp": String(NOW_S) })).toBe(401);
  expect(await post(bodyOf({ text: "Other." }), signed(body))).toBe(401);
  expect(await commands()).toEqual([]);
});

test("a click of the linked account sends one command in its person's name, and a replay nothing", async () => {
  const body = bodyOf({});
  const id = getReplyCommandId(link, "reject");
  const first = post(body, signed(body));
  await vi.waitFor(async () => expect(await commands()).toEqual([{ id, user_id: link.user, kind: "decision" }]));
  expect(await post(body, signed(body))).toBe(401);
  await answer(id);
  expect(await first).toBe(200);
  await vi.waitFor(async () =>
    expect(await query(urls.admin, "select type, subject from notification where channel = 'slack'")).toEqual([
      { type: "approval.updated", subject: link.approval },
    ]),
  );
  expect(await click({})).toBe(200);
  expect(await commands()).toHaveLength(1);
});

test.each<readonly [string, () => Click]>([
  ["another account", () => ({ user: "U0OTHER99" })],
  ["a link that was sent by e-mail", () => ({ token: sign({ ...link, channel: "mail" }) })],
  ["a link of a person without an account", () => ({ token: sign({ ...link, user: desk.people.second }) })],
  ["a link that no runner signed", () => ({ token: createReplyToken(link, (digest) => stranger.signDigest(digest)) })],
  ["an expired link", () => ({ token: sign({ ...link, expires: 1 }) })],
])("a click with %s does nothing", async (_, of) => {
  expect(await click(of())).toBe(403);
  expect(await commands()).toEqual([]);
});

test("a link of an account that is not confirmed does nothing", async () => {
  await asAdmin(urls.admin, "update notification_account set confirmed_at = null");
  expect(await click({})).toBe(403);
  await asAdmin(urls.admin, "update notification_account set confirmed_at = now()");
  expect(await commands()).toEqual([]);
});

test("only the button that was sent for approving approves, and does nothing else", async () => {
  const token = sign({ ...link, approves: true });
  expect(await click({ token, action: "reject" })).toBe(200);
  expect(await click({ token, action: "snooze" })).toBe(200);
  expect(await click({ token, action: "approve", user: "U0OTHER99" })).toBe(403);
  expect(await commands()).toEqual([]);
  const id = getReplyCommandId(link, "approve");
  const sent = click({ token, action: "approve", text: "" });
  await vi.waitFor(async () => expect(await commands()).toEqual([{ id, user_id: link.user, kind: "decision" }]));
  await answer(id);
  expect(await sent).toBe(200);
});

test("no other button approves, and a comment needs words", async () => {
  expect(await click({ action: "approve" })).toBe(200);
  expect(await click({ action: "comment", text: "  " })).toBe(400);
  expect(await commands()).toEqual([]);
});

test("snoozing hides the request from its person alone", async () => {
  expect(await click({ action: "snooze" })).toBe(200);
  expect(await query(urls.admin, "select approval_id, user_id, kind from approval_aside")).toEqual([
    { approval_id: link.approval, user_id: link.user, kind: "snoozed" },
  ]);
  expect(await commands()).toEqual([]);
});
