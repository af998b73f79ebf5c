/** Commands count for the person and the session that sealed them, about the run that they named, for a while. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CommandBody } from "@/lib/engine/proposal";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { answered, customersOf, decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { sealCommand } from "@/server/store/command-envelope";
import { openTestSession, userAuthor, writeCommand } from "@/server/testing/authority";
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

/** A run at its approval, and the reviewer's yes. */
const waiting = async (): Promise<{ run: string; yes: CommandBody }> => {
  const run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);

  return { run, yes: decisionFor(desk, (await readRun(desk, run)).state, "approve") };
};
const send = (
  run: string,
  body: CommandBody,
  author = userAuthor(desk.people.reviewer),
  deps: Pick<Desk["deps"], "vault" | "clock"> = desk.deps,
) => writeCommand(urls.admin, deps, { workspace: desk.workspace, runId: run, author, body });
const codeOf = async (run: string, command: string): Promise<string | null> => {
  await drive(desk, run);

  return (await answered(desk, command)).refusal?.code ?? null;
};
const isStillWaiting = async (run: string): Promise<boolean> => {
  const { state } = await readRun(desk, run);

  return state.status === "waiting" && (await customersOf(desk)).applied === applied;
};

describe("a decision", () => {
  it("in another person's name is refused: a row whose author was changed, by a statement or by a trigger", async () => {
    const { run, yes } = await waiting();
    const viewer = userAuthor(desk.people.viewer);
    const changed = await send(run, yes, viewer);
    await asAdmin(urls.admin, "update command set user_id = $2 where id = $1", [changed, desk.people.reviewer]);
    expect(await codeOf(run, changed)).toBe("command_forged");
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

  it("that was sealed with another key, or moved to another run, is refused", async () => {
    const { run, yes } = await waiting();
    const { vaultFrom } = await import("@/server/security/vault");
    const foreign = await send(run, yes, userAuthor(desk.people.reviewer), { ...desk.deps, vault: vaultFrom("ee".repeat(32)) });
    expect(await codeOf(run, foreign)).toBe("command_forged");
    const other = await startRun(desk, "honest", "01-upgrade.txt");
    const cancel = await send(other, { kind: "cancel" });
    await asAdmin(urls.admin, "update command set run_id = $2 where id = $1", [cancel, run]);
    expect(await codeOf(run, cancel)).toBe("command_forged");
    expect(await isStillWaiting(run)).toBe(true);
  });

  it("that was held back for too long is refused", async () => {
    const { run, yes } = await waiting();
    const late = { ...desk.deps, clock: { ...desk.deps.clock, now: () => Date.now() - 11 * 60_000 } };
    expect(await codeOf(run, await send(run, yes, userAuthor(desk.people.reviewer), late))).toBe("command_stale");
    expect(await isStillWaiting(run)).toBe(true);
  });

  it("from a session that was revoked, that is over, or that is somebody else's is refused", async () => {
    const { run, yes } = await waiting();
    const sessionOf = (session: string) => ({ type: "user", id: desk.people.reviewer, session }) as const;
    const insert = async (session: string): Promise<string> => {
      const id = randomUUID();
      const author = sessionOf(session);
      const sealed = sealCommand(desk.deps.vault, { workspaceId: desk.workspace, id, runId: run, author, sentAt: Date.now(), body: yes });
      await asAdmin(urls.admin, "insert into command (workspace_id, id, run_id, user_id, kind, body) values ($1, $2, $3, $4, $5, $6)", [
        desk.workspace,
        id,
        run,
        author.id,
        yes.kind,
        Buffer.from(sealed.body),
      ]);

      return id;
    };
    const revoked = await openTestSession(urls.admin, desk.people.reviewer);
    await asAdmin(urls.admin, "update session set revoked_at = now() where id = $1", [revoked]);
    const over = await openTestSession(urls.admin, desk.people.reviewer);
    await asAdmin(urls.admin, "update session set created_at = now() - interval '13 hours' where id = $1", [over]);
    const others = await openTestSession(urls.admin, desk.people.viewer);
    for (const session of [revoked, over, others, randomUUID()]) expect(await codeOf(run, await insert(session))).toBe("session_over");
    expect(await isStillWaiting(run)).toBe(true);
  });

  it("without any session is refused outside a demo, and a row that calls the workspace a demo changes nothing", async () => {
    const { run, yes } = await waiting();
    const without = { type: "user", id: desk.people.reviewer, session: null } as const;
    expect(await codeOf(run, await send(run, yes, without))).toBe("session_over");
    await asAdmin(urls.admin, "update workspace set demo = true where id = $1", [desk.workspace]);
    expect(await codeOf(run, await send(run, yes, without))).toBe("projection_mismatch");
    await asAdmin(urls.admin, "update workspace set demo = false where id = $1", [desk.workspace]);
    expect(await isStillWaiting(run)).toBe(true);
  });

  it("of the person named, in time, from an open session, counts", async () => {
    const { run, yes } = await waiting();
    expect(await codeOf(run, await send(run, yes))).toBeNull();
    expect((await query<{ status: string }>(urls.admin, "select status from run where id = $1", [run]))[0]?.status).toBe("completed");
  });
});
