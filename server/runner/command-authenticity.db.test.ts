import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CommandBody } from "@/lib/engine/proposal";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { askPlace } from "@/lib/mcp/console";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { readAskedByUser } from "@/server/runner/user-request";
import { openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { awaitAnswer, customersOf, decisionFor, drive, readRun } from "@/server/runner/testing/run";
import type { JsonObject } from "@/lib/json";
import { generateSessionSeed, type SessionKey } from "@/server/security/session-key";
import { openEnvelope, sealCommand, type Sender } from "@/server/store/runs/command-envelope";
import { openTestSession, sealedAsk, userAuthor, writeCommand } from "@/server/testing/authority";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let applied = 0;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  applied = (await customersOf(desk)).applied;
}, 120_000);
afterAll(() => desk.mcp.close());

const waiting = async (): Promise<{ run: string; yes: CommandBody }> => {
  const run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);

  return { run, yes: decisionFor(desk, (await readRun(desk, run)).state, "approve") };
};
const send = (
  run: string,
  body: CommandBody,
  author: Sender = userAuthor(desk.people.reviewer),
  deps: Pick<Desk["deps"], "vault" | "clock"> = desk.deps,
) => writeCommand(urls.admin, deps, { workspace: desk.workspace, runId: run, author, body });
const row = async (run: string, id: string, body: Uint8Array): Promise<string> => {
  const values = [desk.workspace, id, run, desk.people.reviewer, "decision", Buffer.from(body)];
  await asAdmin(urls.admin, "insert into command (workspace_id, id, run_id, user_id, kind, body) values ($1, $2, $3, $4, $5, $6)", values);

  return id;
};
const sealedBy = (id: string, run: string, body: CommandBody, session: SessionKey) => {
  const author = { type: "user", id: desk.people.reviewer, session } as const;

  return sealCommand(desk.deps.vault, { workspaceId: desk.workspace, id, runId: run, author, sentAt: Date.now(), body }).body;
};
const insert = (run: string, body: CommandBody, session: SessionKey): Promise<string> => {
  const id = randomUUID();

  return row(run, id, sealedBy(id, run, body, session));
};
const replayed = (run: string, body: CommandBody, session: SessionKey, change: JsonObject): Promise<string> => {
  const { workspace: workspaceId, deps } = desk;
  const [first, id] = [randomUUID(), randomUUID()];
  const opened = openEnvelope(deps.vault, { workspaceId, place: first, sealed: sealedBy(first, run, body, session) });
  if (typeof opened === "string") throw new Error(`the command is ${opened}`);

  return row(run, id, deps.vault.sealCommand(workspaceId, id, { ...opened, ...change }));
};
const codeOf = async (run: string, command: string): Promise<string | null> => {
  await drive(desk, run);

  return (await awaitAnswer(desk, command)).refusal?.code ?? null;
};
const isStillWaiting = async (run: string): Promise<boolean> => {
  const { state } = await readRun(desk, run);

  return state.status === "waiting" && (await customersOf(desk)).applied === applied;
};

const alarmed = async (command: string): Promise<string[]> =>
  (await query<{ kind: string }>(urls.admin, "select kind from trust_alarm where detail = $1", [`command ${command}`])).map(
    ({ kind }) => kind,
  );

describe("a decision", () => {
  it("in another person's name is refused, whether a statement or a trigger changed its author", async () => {
    const { run, yes } = await waiting();
    const viewer = userAuthor(desk.people.viewer);
    const changed = await send(run, yes, viewer);
    await asAdmin(urls.admin, "update command set user_id = $2 where id = $1", [changed, desk.people.reviewer]);
    expect(await codeOf(run, changed)).toBe("command_forged");
    expect(await alarmed(changed)).toEqual(["forged_command"]);
    await asAdmin(
      urls.admin,
      `create function swap_author() returns trigger language plpgsql as $$ begin new.user_id := '${desk.people.second}'; return new; end $$`,
    );
    await asAdmin(urls.admin, "create trigger swap_author before insert on command for each row execute function swap_author()");
    try {
      expect(await codeOf(run, await send(run, yes))).toBe("command_forged");
    } finally {
      await asAdmin(urls.admin, "drop trigger swap_author on command");
    }
    expect(await isStillWaiting(run)).toBe(true);
  });

  it("sealed with another key or moved to another run is refused", async () => {
    const { run, yes } = await waiting();
    const { createVault: vaultFrom } = await import("@/server/security/vault");
    const foreign = await send(run, yes, userAuthor(desk.people.reviewer), { ...desk.deps, vault: vaultFrom("ee".repeat(32)) });
    expect(await codeOf(run, foreign)).toBe("command_forged");
    const other = await startRun(desk, "honest", "01-upgrade.txt");
    const cancel = await send(other, { kind: "cancel" });
    await asAdmin(urls.admin, "update command set run_id = $2 where id = $1", [cancel, run]);
    expect(await codeOf(run, cancel)).toBe("command_forged");
    expect(await isStillWaiting(run)).toBe(true);
  });

  it("held back too long is refused", async () => {
    const { run, yes } = await waiting();
    const late = { ...desk.deps, clock: { ...desk.deps.clock, now: () => Date.now() - 11 * 60_000 } };
    expect(await codeOf(run, await send(run, yes, userAuthor(desk.people.reviewer), late))).toBe("command_stale");
    expect(await isStillWaiting(run)).toBe(true);
  });

  it("from a revoked, ended, foreign or keyless session is refused", async () => {
    const { run, yes } = await waiting();
    const sessionWith = async (sql: string | null, user = desk.people.reviewer): Promise<SessionKey> => {
      const session = await openTestSession(urls.admin, user);
      if (sql) await asAdmin(urls.admin, `update session set ${sql} where id = $1`, [session.id]);

      return session;
    };
    const sessions = [
      await sessionWith("revoked_at = now()"),
      await sessionWith("created_at = now() - interval '13 hours'"),
      await sessionWith("public_key = null"),
      await sessionWith(null, desk.people.viewer),
      { id: randomUUID(), key: generateSessionSeed() },
    ];
    for (const session of sessions) expect(await codeOf(run, await insert(run, yes, session))).toBe("session_over");
    expect(await isStillWaiting(run)).toBe(true);
  });

  it("not signed by its named session, or signed for another run, is refused with an alarm", async () => {
    const { run, yes } = await waiting();
    const session = await openTestSession(urls.admin, desk.people.reviewer);
    const forged = await insert(run, yes, { ...session, key: generateSessionSeed() });
    expect(await codeOf(run, forged)).toBe("command_forged");
    const alarms = await query<{ detail: string }>(
      urls.admin,
      "select detail from trust_alarm where kind = 'forged_command' and run_id = $1",
      [run],
    );
    expect(alarms).toEqual([{ detail: `command ${forged}` }]);
    for (const change of [{ signature: null }, { sent_at: Date.now() - 1 }, { body: { kind: "cancel" } }, {}]) {
      expect(await codeOf(run, await replayed(run, yes, session, change))).toBe("command_forged");
    }
    expect(await isStillWaiting(run)).toBe(true);
  });

  it("without a session is refused outside a demo, even if a row marks the workspace as demo", async () => {
    const { run, yes } = await waiting();
    const without = { type: "user", id: desk.people.reviewer, session: null } as const;
    expect(await codeOf(run, await send(run, yes, without))).toBe("session_over");
    await asAdmin(urls.admin, "update workspace set demo = true where id = $1", [desk.workspace]);
    expect(await codeOf(run, await send(run, yes, without))).toBe("projection_mismatch");
    await asAdmin(urls.admin, "update workspace set demo = false where id = $1", [desk.workspace]);
    expect(await isStillWaiting(run)).toBe(true);
  });

  it("by its person, in time, from an open session, counts", async () => {
    const { run, yes } = await waiting();
    const genuine = await send(run, yes);
    expect(await codeOf(run, genuine)).toBeNull();
    expect(await alarmed(genuine)).toEqual([]);
    expect((await query<{ status: string }>(urls.admin, "select status from run where id = $1", [run]))[0]?.status).toBe("completed");
  });
});

it.each(["registry", "console"])("a forged %s command raises the same alarm as a command to a run", async (kind) => {
  const id = randomUUID();
  const { workspace, people, deps } = desk;
  await asAdmin(urls.admin, "delete from trust_alarm");
  const runId = getWorkspaceLedgerId(workspace);
  const place = kind === "console" ? askPlace(id) : id;
  const body = await sealedAsk(urls.admin, deps, { workspace, userId: people.viewer, place, body: {} });
  const command = { id, workspaceId: workspace, runId, author: { userId: people.admin }, kind, body };
  expect(await readAskedByUser(deps)(command, place)).toBe("command_forged");
  expect(await alarmed(id)).toEqual(["forged_command"]);
});
