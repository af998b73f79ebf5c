import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { AppError } from "@/lib/errors";
import { createReplyToken, getReplyCommandId, type ReplyLink } from "@/lib/notifications/reply-link";
import { refuse } from "@/lib/refusal";
import { useDatabase } from "@/server/db/client";
import { closeRunBus } from "@/server/live/run-bus";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { decisionFor, drive, openGateOf, readRun } from "@/server/runner/testing/run";
import { loadSignerFromPem } from "@/server/security/keyring";
import { testDatabase } from "@/server/testing/database";
import { createCaller } from "@/server/trpc/root";

const PERSONAL = `Canary ${randomUUID()}`;

const urls = await testDatabase("runner");
const installation = await testInstallation();
vi.stubEnv("COUNTERSIGN_HOME", installation.home);

let desk: Desk;
let link: ReplyLink;
let token: string;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await mkdir(path.join(installation.home, "keys"), { recursive: true });
  await writeFile(path.join(installation.home, "keys", "vault.key"), desk.keys.vault, { mode: 0o600 });
  await query(urls.customers, "update customers.customer set name = $1", [PERSONAL]);
  const run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
  const { state } = await readRun(desk, run);
  const { view_digest: view } = decisionFor(desk, state, "reject");
  link = {
    workspace: desk.workspace,
    approval: openGateOf(state).gate.id,
    user: desk.people.reviewer,
    view,
    expires: Math.floor(Date.now() / 1_000) + 600,
    channel: "mail",
  };
  await asAdmin(urls.admin, "insert into reason_template values ($1, array['Wrong customer'], $1, now())", [desk.workspace]);
  token = createReplyToken(link, (digest) => desk.deps.signer.signDigest(digest));
  await useDatabase(urls.web);
}, 120_000);
afterAll(async () => {
  closeRunBus();
  await desk.mcp.close();
});

/** Nobody is signed in. */
const visitor = (address: string = randomUUID()) =>
  createCaller({ requestId: randomUUID(), address, host: "localhost", signedIn: () => Promise.resolve(null) });

const codeOf = async (call: Promise<unknown>): Promise<string> => {
  try {
    await call;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null;

    return cause instanceof AppError ? (cause.refusal ?? cause.code) : String(error);
  }

  return "none";
};

const commands = () =>
  query<{ id: string; user_id: string; kind: string }>(urls.admin, "select id, user_id, kind from command where kind <> 'start'");

describe("opening a link from a message", () => {
  test("shows the request as every member may see it, and sends nothing however often it is opened", async () => {
    for (let visit = 0; visit < 3; visit += 1) {
      const { reply } = await visitor().reply.get({ token });
      expect(reply).toMatchObject({
        authority: "write",
        risk: "medium",
        status: "open",
        used: [],
        reasons: ["Wrong customer"],
        approvalId: link.approval,
      });
      expect(reply?.sentence).toContain("hidden");
      expect(JSON.stringify(reply)).not.toContain(PERSONAL);
    }
    expect(await commands()).toEqual([]);
  });

  test("shows nothing when another key signed it, it has expired, or its person has left", async () => {
    const stranger = loadSignerFromPem(generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString());
    const forged = createReplyToken(link, (digest) => stranger.signDigest(digest));
    const expired = createReplyToken({ ...link, expires: 1 }, (digest) => desk.deps.signer.signDigest(digest));
    for (const each of [forged, expired, "", token.slice(1)]) {
      expect(await visitor().reply.get({ token: each })).toEqual({ reply: null });
      expect(await codeOf(visitor().reply.send({ token: each, action: "reject", text: "No." }))).toBe("link_invalid");
    }
    await asAdmin(urls.admin, "update membership set disabled_at = now() where user_id = $1", [link.user]);
    expect(await visitor().reply.get({ token })).toEqual({ reply: null });
    await asAdmin(urls.admin, "update membership set disabled_at = null where user_id = $1", [link.user]);
    expect(await commands()).toEqual([]);
  });

  test("is limited for each address", async () => {
    const codes = new Set<string>();
    for (let visit = 0; visit < 61; visit += 1) codes.add(await codeOf(visitor("one").reply.get({ token: "" })));
    expect(codes).toEqual(new Set(["none", "rate_limited"]));
  });
});

describe("sending by a link", () => {
  test("queues one command in its person's name, whether sent twice at once or again later", async () => {
    // A second attempt meets what the first left.
    await asAdmin(urls.admin, "delete from command where kind <> 'start'");
    const send = () => visitor().reply.send({ token, action: "reject", text: "Ask finance first." });
    const both = Promise.all([send(), send()]);
    const id = getReplyCommandId(link, "reject");
    await vi.waitFor(async () => expect(await commands()).toEqual([{ id, user_id: link.user, kind: "decision" }]));
    await asAdmin(urls.admin, `update command set status = 'accepted', outcome = '{"seq":7,"refusal":null}' where id = $1`, [id]);
    expect(await both).toEqual([{ seq: 7 }, { seq: 7 }]);
    expect(await codeOf(send())).toBe("conflict");
    expect((await visitor().reply.get({ token })).reply?.used).toEqual(["reject"]);
    expect(await commands()).toHaveLength(1);
  });

  test("tells the runner's refusal", async () => {
    const refused = codeOf(visitor().reply.send({ token, action: "comment", text: "Hm." }));
    const id = getReplyCommandId(link, "comment");
    await vi.waitFor(async () => expect((await commands()).map((each) => each.id)).toContain(id));
    await asAdmin(urls.admin, "update command set status = 'refused', outcome = $2 where id = $1", [
      id,
      JSON.stringify({ seq: 9, refusal: refuse("approval_closed") }),
    ]);
    expect(await refused).toBe("approval_closed");
  });

  test("snoozes for its person alone, without a command", async () => {
    const before = (await commands()).length;
    const until = Date.now() + 3_600_000;
    expect(await visitor().reply.snooze({ token, untilMs: until })).toEqual({ snoozed: [link.approval] });
    expect(await query(urls.admin, "select approval_id, user_id, kind from approval_aside")).toEqual([
      { approval_id: link.approval, user_id: link.user, kind: "snoozed" },
    ]);
    expect(await codeOf(visitor().reply.snooze({ token: token.slice(1), untilMs: until }))).toBe("link_invalid");
    expect(await commands()).toHaveLength(before);
  });

  test("needs a text", async () => {
    expect(await codeOf(visitor().reply.send({ token, action: "reject", text: "  " }))).not.toBe("none");
  });
});
