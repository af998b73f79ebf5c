import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CommandBody } from "@/lib/engine/proposal";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { openDesk, query, type Desk } from "@/server/runner/testing/desk";
import { answerTo, outsider, publishCounter, startedBy, stepBody, type Outsider } from "@/server/runner/testing/outside";
import { drive } from "@/server/runner/testing/run";
import { generateSessionSeed, getPublicKey } from "@/server/security/session-key";
import { openEnvelope, type AgentSigner } from "@/server/store/runs/command-envelope";
import { openTestSession, writeCommand } from "@/server/testing/authority";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let counter: string;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  counter = await publishCounter(desk);
}, 120_000);
afterAll(() => desk.mcp.close());

const STEP: CommandBody = stepBody("count");

const stepSignedBy = async ({ token, session }: Outsider, run: string, signer: AgentSigner): Promise<string | null> => {
  const author = { type: "agent", token, session, signer } as const;
  const id = await writeCommand(urls.admin, desk.deps, { workspace: desk.workspace, runId: run, author, body: STEP });
  await drive(desk, run);

  return (await answerTo(desk, id))?.refusal?.code ?? null;
};
const byToken = (key: string): AgentSigner => ({ type: "token", key });
const byOwner = async (id: string): Promise<AgentSigner> => ({ type: "owner", id, session: await openTestSession(urls.admin, id) });
const begin = async (): Promise<{ readonly agent: Outsider; readonly run: string }> => {
  const agent = await outsider(desk, counter);

  return { agent, run: await startedBy(desk, agent) };
};
const recordsBy = async ({ token }: Outsider) =>
  Number((await query<{ n: string }>(urls.admin, "select count(*) as n from ledger_record where strpos(body, $1) > 0", [token]))[0]?.n);

describe("an outside agent's command", () => {
  it("counts when its token's key signed it", async () => {
    const { agent, run } = await begin();
    expect(await stepSignedBy(agent, run, byToken(agent.key))).toBeNull();
  });

  it("is forged under another key, and leaves no record in the agent's name", async () => {
    const { agent, run } = await begin();
    const other = await outsider(desk, counter);
    const before = await recordsBy(agent);
    expect(await stepSignedBy(agent, run, byToken(generateSessionSeed()))).toBe("command_forged");
    expect(await stepSignedBy(agent, run, byToken(other.key))).toBe("command_forged");
    expect(await recordsBy(agent)).toBe(before);
  });

  it("is forged when resealed for another session or body", async () => {
    const { agent, run } = await begin();
    const other = await outsider(desk, counter);
    const author = { type: "agent", token: agent.token, session: agent.session, signer: byToken(agent.key) } as const;
    for (const change of [{ session: other.session }, { body: stepBody("end") }] as const) {
      const id = await writeCommand(urls.admin, desk.deps, { workspace: desk.workspace, runId: run, author, body: STEP });
      const [row] = await query<{ body: Buffer }>(urls.admin, "select body from command where id = $1", [id]);
      const opened = openEnvelope(desk.deps.vault, { workspaceId: desk.workspace, place: id, sealed: row?.body ?? Buffer.alloc(0) });
      if (typeof opened === "string" || opened.author.type !== "agent") throw new Error("the command does not open");
      const session = "session" in change ? change.session : agent.session;
      const next = { ...opened, author: { ...opened.author, session }, body: "body" in change ? change.body : opened.body };
      const sealed = Buffer.from(desk.deps.vault.sealCommand(desk.workspace, id, JSON.parse(JSON.stringify(next))));
      await asAdmin(urls.admin, "update command set body = $2, session_id = $3 where id = $1", [id, sealed, session]);
      await drive(desk, run);
      expect((await answerTo(desk, id))?.refusal?.code).toBe("command_forged");
    }
  });

  it("is refused by code when its token predates agent signatures", async () => {
    const { agent, run } = await begin();
    const old = await outsider(desk, counter, { publicKey: null });
    expect(await stepSignedBy(old, run, byToken(old.key))).toBe("token_without_key");
    expect(await stepSignedBy(agent, run, byToken(agent.key))).toBeNull();
  });

  it("is refused when the public key in the row differs from the recorded one", async () => {
    const { agent, run } = await begin();
    const stolen = generateSessionSeed();
    await asAdmin(urls.admin, "update agent_token set public_key = $2 where id = $1", [agent.token, getPublicKey(stolen)]);
    expect(await stepSignedBy(agent, run, byToken(stolen))).toBe("projection_mismatch");
  });
});

describe("an owner's manual command", () => {
  it("counts when their own session signed it", async () => {
    const { agent, run } = await begin();
    expect(await stepSignedBy(agent, run, await byOwner(desk.people.starter))).toBeNull();
  });

  it("is void for other people and after the session ends", async () => {
    const { agent, run } = await begin();
    expect(await stepSignedBy(agent, run, await byOwner(desk.people.admin))).toBe("command_forged");
    const own = await byOwner(desk.people.starter);
    if (own.type !== "owner") throw new Error("not the owner's");
    expect(await stepSignedBy(agent, run, { ...own, session: { ...own.session, key: generateSessionSeed() } })).toBe("command_forged");
    await asAdmin(urls.admin, "update session set revoked_at = now() where id = $1", [own.session.id]);
    expect(await stepSignedBy(agent, run, own)).toBe("session_over");
  });
});
