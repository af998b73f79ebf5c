import { generateKeyPairSync, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildApprovalView } from "@/lib/engine/approvals/approval-view";
import { getClearance } from "@/lib/engine/approvals/policy";
import type { CommandBody } from "@/lib/engine/proposal";
import type { Classification } from "@/lib/graph/label";
import {
  REPLY_ACTIONS,
  createReplyToken,
  getReplyCommandId,
  verifyReplyToken,
  type LinkAction,
  type ReplyLink,
} from "@/lib/notifications/reply-link";
import { renderMail } from "@/lib/notifications/mail";
import type { Channel } from "@/lib/notifications/setting";
import type { NotificationItem } from "@/lib/notifications/message";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { describeApproval } from "@/server/runner/notification-item";
import { addMember, openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { awaitAnswer, customersOf, decisionFor, drive, openGateOf, readRun } from "@/server/runner/testing/run";
import { loadSignerFromPem } from "@/server/security/keyring";
import { writeCommand } from "@/server/testing/authority";
import { testDatabase } from "@/server/testing/database";

const ORIGIN = "https://approvals.example.com";
/** Personal data: for reviewers on the page only. */
const PERSONAL = `Canary ${randomUUID()}`;
const CREDIT_CENTS = 777_123;

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let applied = 0;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await query(urls.customers, "update customers.customer set name = $1, credit_cents = $2", [PERSONAL, CREDIT_CENTS]);
  applied = (await customersOf(desk)).applied;
}, 120_000);
afterAll(() => desk.mcp.close());

const waiting = async () => {
  const run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
  const { state } = await readRun(desk, run);

  return { run, state, approval: openGateOf(state).gate.id, no: decisionFor(desk, state, "reject") };
};

const describeFor = (
  approvalId: string,
  userId: string,
  most: Classification = "internal",
  channel: Channel = "mail",
): Promise<NotificationItem | null> =>
  describeApproval(desk.deps, { origin: ORIGIN, most }, { workspaceId: desk.workspace, approvalId, userId, channel });

const tokenIn = (item: NotificationItem | null, kind: LinkAction): string | null => {
  const url = item?.actions.find((action) => action.kind === kind)?.url;

  return url === undefined ? null : new URL(url).searchParams.get("token");
};

type Waiting = Awaited<ReturnType<typeof waiting>>;

const linkOf = ({ approval, no }: Waiting, changes: Partial<ReplyLink> = {}): ReplyLink => ({
  workspace: desk.workspace,
  approval,
  user: desk.people.reviewer,
  view: no.view_digest,
  expires: Math.floor(Date.now() / 1_000) + 600,
  channel: "mail",
  ...changes,
});

const sign = (digest: string) => desk.deps.signer.signDigest(digest);

const sendBy = async (
  { run }: Waiting,
  token: string,
  body: CommandBody,
  id: string,
  user = desk.people.reviewer,
): Promise<string | null> => {
  const author = { type: "link", id: user, token } as const;
  await writeCommand(urls.admin, desk.deps, { id, workspace: desk.workspace, runId: run, author, body });
  await drive(desk, run);

  return (await awaitAnswer(desk, id)).refusal?.code ?? null;
};

const isUntouched = async ({ run }: Waiting): Promise<boolean> =>
  (await readRun(desk, run)).state.status === "waiting" && (await customersOf(desk)).applied === applied;

describe("a link in a message", () => {
  it("rejects in its person's name, on record as from e-mail", async () => {
    const at = await waiting();
    const token = tokenIn(await describeFor(at.approval, desk.people.reviewer), "reject") ?? "";
    expect(await sendBy(at, token, at.no, getReplyCommandId(linkOf(at), "reject"))).toBeNull();
    const { state, records } = await readRun(desk, at.run);
    expect(state.gates[at.approval]?.status).toBe("rejected");
    const made = records.flatMap(({ record }) => record.control.filter((event) => event.type === "decision_made"));
    expect(made).toMatchObject([{ user: desk.people.reviewer, decision: "reject", via: "mail" }]);
    expect((await customersOf(desk)).applied).toBe(applied);
  });

  it("comments, on record as from e-mail, and leaves the request open", async () => {
    const at = await waiting();
    const token = tokenIn(await describeFor(at.approval, desk.people.admin), "comment") ?? "";
    const link = linkOf(at, { user: desk.people.admin });
    expect(tokenIn(await describeFor(at.approval, desk.people.admin), "reject")).toBeNull();
    const body = { kind: "comment", approval_id: at.approval, text: "Ask finance." } as const;
    const verified = await verifyReplyToken(token, await desk.deps.publicKeys(), Date.now());
    expect(verified).toMatchObject({ user: link.user, approval: link.approval });
    expect(await sendBy(at, token, body, getReplyCommandId(verified ?? link, "comment"), desk.people.admin)).toBeNull();
    const { records } = await readRun(desk, at.run);
    expect(records.at(-1)?.record.control).toEqual([{ type: "commented", approval_id: at.approval, user: desk.people.admin, via: "mail" }]);
    expect(await isUntouched(at)).toBe(true);
  });

  it("requests no changes where the node takes none", async () => {
    const at = await waiting();
    expect(tokenIn(await describeFor(at.approval, desk.people.reviewer), "request_changes")).toBeNull();
    const body = { ...at.no, decision: "request_changes", reason: "Halve the credit." } as const;
    const id = getReplyCommandId(linkOf(at), "request_changes");
    expect(await sendBy(at, createReplyToken(linkOf(at), sign), body, id)).toBe("changes_unsupported");
    expect(await isUntouched(at)).toBe(true);
  });

  it("snoozes only for those who can decide", async () => {
    const at = await waiting();
    expect(tokenIn(await describeFor(at.approval, desk.people.reviewer), "snooze")).not.toBeNull();
    expect(tokenIn(await describeFor(at.approval, desk.people.admin), "snooze")).toBeNull();
  });

  it("never approves", async () => {
    const at = await waiting();
    const yes = decisionFor(desk, at.state, "approve");
    const token = createReplyToken(linkOf(at), sign);
    for (const action of REPLY_ACTIONS) {
      expect(await sendBy(at, token, yes, getReplyCommandId(linkOf(at), action))).toBe("link_invalid");
    }
    expect(await isUntouched(at)).toBe(true);
  });

  it("is for one command: another id, request, view or person is refused", async () => {
    const at = await waiting();
    const other = await waiting();
    const token = createReplyToken(linkOf(at), sign);
    const id = getReplyCommandId(linkOf(at), "reject");
    expect(await sendBy(at, token, at.no, randomUUID())).toBe("link_invalid");
    expect(await sendBy(other, token, other.no, getReplyCommandId(linkOf(other), "reject"))).toBe("link_invalid");
    expect(await sendBy(at, token, { ...at.no, view_digest: "0".repeat(64) }, id)).toBe("link_invalid");
    const viewer = linkOf(at, { user: desk.people.viewer });
    expect(await sendBy(at, token, at.no, getReplyCommandId(viewer, "reject"), desk.people.viewer)).toBe("link_invalid");
    const own = createReplyToken(linkOf(other), sign);
    await asAdmin(urls.admin, "delete from command where id = $1", [getReplyCommandId(linkOf(other), "reject")]);
    expect(await sendBy(other, own, other.no, getReplyCommandId(linkOf(other), "reject"), desk.people.second)).toBe("link_invalid");
    expect(await isUntouched(at)).toBe(true);
    expect(await isUntouched(other)).toBe(true);
  });

  it("must be signed by this installation's runner and not have expired", async () => {
    const at = await waiting();
    const { privateKey } = generateKeyPairSync("ed25519");
    const stranger = loadSignerFromPem(privateKey.export({ type: "pkcs8", format: "pem" }).toString());
    const late = linkOf(at, { expires: Math.floor(Date.now() / 1_000) - 1 });
    const forged = createReplyToken(linkOf(at), (digest) => stranger.signDigest(digest));
    expect(await sendBy(at, forged, at.no, getReplyCommandId(linkOf(at), "reject"))).toBe("link_invalid");
    const again = await waiting();
    const old = createReplyToken(linkOf(again, { expires: late.expires }), sign);
    expect(await sendBy(again, old, again.no, getReplyCommandId(linkOf(again), "reject"))).toBe("link_invalid");
    expect([await isUntouched(at), await isUntouched(again)]).toEqual([true, true]);
  });

  it("of a disabled person does nothing", async () => {
    const at = await waiting();
    const leaver = await addMember(desk, "reviewer");
    const link = linkOf(at, { user: leaver });
    await asAdmin(urls.admin, "update membership set disabled_at = now() where user_id = $1", [leaver]);
    const code = await sendBy(at, createReplyToken(link, sign), at.no, getReplyCommandId(link, "reject"), leaver);
    expect(code).toBe("projection_mismatch");
    expect(await isUntouched(at)).toBe(true);
  });

  it("carries out the same command once, however often it is sent", async () => {
    const at = await waiting();
    const token = createReplyToken(linkOf(at), sign);
    const id = getReplyCommandId(linkOf(at), "reject");
    expect(await sendBy(at, token, at.no, id)).toBeNull();
    // A row that was put back to pending, body included.
    const { records } = await readRun(desk, at.run);
    await asAdmin(urls.admin, "delete from command where id = $1", [id]);
    expect(await sendBy(at, token, at.no, id)).toBeNull();
    expect((await readRun(desk, at.run)).records).toHaveLength(records.length);
  });
});

describe("what a message says", () => {
  it("is the sentence, class and signals, and never a value that some member may not see", async () => {
    const at = await waiting();
    const seen = buildApprovalView(desk.published, at.state, openGateOf(at.state), getClearance({ role: "reviewer", auditor: false }));
    // Guards against vacuous success.
    expect(JSON.stringify(seen)).toContain(PERSONAL);
    const sayTo = async (user: string, most: Classification): Promise<string> => {
      const item = await describeFor(at.approval, user, most);
      if (!item) throw new Error("nothing is told");
      const message = {
        id: randomUUID(),
        isTest: false,
        isReminder: false,
        code: null,
        closed: [],
        mentions: [],
        workspaceName: "Desk",
        items: [item],
        settingsUrl: ORIGIN,
        timeZone: "UTC",
      };
      const mail = renderMail(message);
      expect(mail.text).toContain("Write · ");
      expect(mail.html).not.toMatch(/<(?:img|link|script|iframe|style)|url\(|src=/iu);

      return JSON.stringify([item, mail]);
    };
    const hidden = [PERSONAL, String(CREDIT_CENTS), "7,771.23", "25.00", "cus_1002"];
    for (const [user, most] of [
      [desk.people.reviewer, "internal"],
      [desk.people.admin, "internal"],
      [desk.people.admin, "pii"],
      [desk.people.viewer, "pii"],
      [await addMember(desk, "admin", { auditor: true }), "internal"],
    ] as const) {
      const said = await sayTo(user, most);
      expect(said).toContain("hidden");
      for (const value of hidden) expect(said).not.toContain(value);
    }
    // Where e-mail may hold personal data, a reviewer reads the whole sentence.
    expect(await sayTo(desk.people.reviewer, "pii")).toContain("credit");
  });

  it("ends when the request does", async () => {
    const at = await waiting();
    const id = getReplyCommandId(linkOf(at), "reject");
    await sendBy(at, createReplyToken(linkOf(at), sign), at.no, id);
    expect(await describeFor(at.approval, desk.people.second)).toBeNull();
  });

  it("has no link to reject for the person who started the run", async () => {
    const at = await waiting();
    const kinds = async (user: string) => (await describeFor(at.approval, user))?.actions.map(({ kind }) => kind);
    expect(await kinds(desk.people.reviewer)).toEqual(["open", "reject", "comment", "snooze"]);
    expect(await kinds(desk.people.starter)).toEqual(["open", "comment"]);
    expect(await kinds(desk.people.viewer)).toEqual(["open"]);
  });
});
