import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { verifyRecord, type StoredRecord } from "@/lib/engine/ledger/stored-record";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { AppError } from "@/lib/errors";
import type { ConsoleAnswer, ConsoleAsk } from "@/lib/mcp/console";
import type { Role } from "@/lib/roles";
import { systemClock } from "@/server/clock";
import { useDatabase } from "@/server/db/client";
import { workConsoleCalls } from "@/server/mcp/console-worker";
import { createLocalMcp } from "@/server/mcp/testing/local-mcp";
import { RUG_PULL, testInstallation } from "@/server/mcp/testing/installation";
import { offerFile } from "@/server/mcp/testing/programs";
import { asAdmin, reviewAndActivate, serverRow, testWorkspace } from "@/server/mcp/testing/registered";
import { recordAdminStep } from "@/server/runner/admin-ledger";
import { createConsoleOnce } from "@/server/runner/console-once";
import { beginConsoleCall } from "@/server/store/mcp/console-calls";
import { addMcpServer } from "@/server/store/mcp/servers";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { freshSession, callerAs, staleSession } from "@/server/testing/caller";
import { queryOn } from "@/server/testing/connections";
import { readAskedByUser } from "@/server/runner/user-request";
import { openTestSession, recordRows, testControlPlane } from "@/server/testing/authority";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
vi.stubEnv("COUNTERSIGN_HOME", installation.home);
const VAULT = "ab".repeat(32);
const plane = await testControlPlane(VAULT);
const { signer, vault } = plane;
const mcp = createLocalMcp({ clock: systemClock, installation });
const workspace = await testWorkspace(urls.admin);
const SERVER = "tried";
/** May appear only in the caller's answer. */
const CANARY = `canary-${randomUUID()}`;

const person = async (role: Role): Promise<string> => {
  const id = randomUUID();
  await asAdmin(urls.admin, "insert into app_user (id, email, name) values ($1, $2, 'x')", [id, `${id}@test.invalid`]);
  await asAdmin(urls.admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, $3)", [workspace, id, role]);
  await useDatabase(urls.runner);
  await recordRows(plane, workspace);

  return id;
};

let admin: string;

beforeAll(async () => {
  await mkdir(path.join(installation.home, "keys"), { recursive: true });
  await writeFile(path.join(installation.home, "keys", "vault.key"), VAULT, { mode: 0o600 });
  const manifest = await offerFile(installation, "hostile", RUG_PULL);
  await addMcpServer(workspace, { id: SERVER, name: SERVER, transport: { type: "stdio", manifest } });
  await mcp.inspect(workspace, SERVER);
  await reviewAndActivate(workspace, SERVER, mcp, []);
  admin = await person("admin");
});
afterAll(() => mcp.close());

const label = (tool: string, effect: string) =>
  asAdmin(urls.admin, "update mcp_tool set effect = $1 where server_id = $2 and name = $3", [effect, SERVER, tool]);

const askOf = async (tool: string, args: ConsoleAsk["arguments"], typed: string | null = tool): Promise<ConsoleAsk> => {
  const row = await serverRow(workspace, SERVER, mcp);
  const digest = row.tools.find(({ name }) => name === tool)?.pinnedDigest ?? "0".repeat(64);

  return { id: SERVER, tool, definition_digest: digest, arguments: args, typed };
};

const statusOf = async (call: string): Promise<string | undefined> =>
  (await queryOn<{ status: string }>(urls.admin, "select status from console_call where id = $1", [call]))[0]?.status;

const runnerUntilDone = async (call: string): Promise<void> => {
  await useDatabase(urls.runner);
  const stop = new AbortController();
  const signing = { clock: systemClock, signer };
  const working = workConsoleCalls(
    {
      tryOut: mcp.tryOut,
      vault,
      readAsked: readAskedByUser(plane),
      spend: createConsoleOnce(plane),
      record: (id, step) => recordAdminStep(signing, id, { area: "mcp", ...step }),
    },
    stop.signal,
  );
  await expect.poll(() => statusOf(call), { timeout: 15_000 }).toBe("done");
  stop.abort();
  await working;
};

const sent = async (ask: ConsoleAsk, id = admin): Promise<string> => {
  await useDatabase(urls.web);

  const session = { ...freshSession(), ...(await openTestSession(urls.admin, id)) };

  return (await callerAs(workspace, "admin", { id, session }).mcp.console(ask)).call;
};

const answerTo = async (call: string, id = admin): Promise<ConsoleAnswer | null> => {
  await useDatabase(urls.web);
  const { answer } = await callerAs(workspace, "admin", { id }).mcp.consoleAnswer({ call });
  await useDatabase(urls.runner);

  return answer;
};

const tried = async (ask: ConsoleAsk, id = admin): Promise<ConsoleAnswer | null> => {
  const call = await sent(ask, id);
  await runnerUntilDone(call);

  return answerTo(call, id);
};

const callsOnRecord = async (): Promise<number> =>
  (await queryOn(urls.admin, "select 1 from ledger_record where workspace_id = $1 and strpos(body, 'console_called') > 0", [workspace]))
    .length;

const codeOf = async (asked: Promise<unknown>): Promise<string> => {
  const error: unknown = await asked.then(
    () => null,
    (reason: unknown) => reason,
  );

  return error instanceof Error && error.cause instanceof AppError ? error.cause.code : "none";
};

const steps = async () => {
  const stored = await queryOn<StoredRecord>(
    urls.admin,
    "select seq, body, digest, kid, signature from ledger_record where workspace_id = $1 and run_id = $2 order by seq",
    [workspace, getWorkspaceLedgerId(workspace)],
  );
  const keys = await listPublicKeys();
  const genuine = await Promise.all(stored.map((record) => verifyRecord(record, keys)));

  return genuine.map((signed) => signed?.record);
};

describe("a console call", () => {
  test("has no receipt, and only commitments on record", async () => {
    const answer = await tried(await askOf("echo", { text: CANARY }));
    expect(answer).toMatchObject({ status: "ok", result: { text: CANARY } });
    expect(JSON.stringify(answer)).not.toContain("countersign/receipt");
    const [asked, answered] = (await steps()).slice(-2);
    expect(asked).toMatchObject({
      kind: "transition",
      principal: { type: "user", id: admin, role: "admin" },
      control: [{ area: "mcp", subject: SERVER, step: "console_called", before: null }],
    });
    expect(answered).toMatchObject({ control: [{ step: "console_answered" }], seq: answer?.status === "ok" ? answer.record : -1 });
    const everything = await queryOn<{ text: string }>(
      urls.admin,
      "select body::text as text from ledger_record union all select encode(body, 'escape') || coalesce(encode(result, 'escape'), '') from console_call",
    );
    expect(everything.some(({ text }) => text.includes(CANARY))).toBe(false);
  });

  test("with possible effects needs its typed name, and the attempt is on record", async () => {
    await label("echo", "write");
    expect(await tried(await askOf("echo", { text: "x" }, null))).toEqual({ status: "refused", code: "not_typed" });
    expect(await tried(await askOf("echo", { text: "x" }, "ECHO"))).toEqual({ status: "refused", code: "not_typed" });
    expect((await steps()).at(-1)).toMatchObject({ kind: "refusal", refusal: { code: "step_refused" } });
    await label("echo", "read");
    expect(await tried(await askOf("echo", { text: "x" }, null))).toMatchObject({ status: "ok" });
  });

  test("needs an active, reviewed server", async () => {
    const ask = await askOf("echo", { text: "x" });
    for (const status of ["discovered", "quarantined", "reviewed", "drifted", "suspended"]) {
      await asAdmin(urls.admin, "update mcp_server set status = $2 where id = $1", [SERVER, status]);
      expect(await tried(ask)).toEqual({ status: "refused", code: "not_active" });
    }
    await asAdmin(urls.admin, "update mcp_server set status = 'active' where id = $1", [SERVER]);
    await asAdmin(urls.admin, "update mcp_tool set pinned_digest = null where server_id = $1 and name = 'echo'", [SERVER]);
    expect(await tried(ask)).toEqual({ status: "refused", code: "changed" });
    await asAdmin(urls.admin, "update mcp_tool set pinned_digest = seen_digest where server_id = $1", [SERVER]);
    expect(await tried(ask)).toMatchObject({ status: "ok" });
  });

  test("needs matching arguments and the shown definition", async () => {
    expect(await tried(await askOf("echo", { text: 1 }))).toEqual({ status: "refused", code: "arguments_invalid" });
    const before = await askOf("echo", { text: "x" });
    expect(await tried(await askOf("become", { shape: "schema", announce: false }))).toMatchObject({ status: "ok" });
    expect(await tried(before)).toEqual({ status: "refused", code: "changed" });
    expect((await serverRow(workspace, SERVER, mcp)).status).toBe("drifted");
    await mcp.evict(workspace, SERVER);
    await mcp.inspect(workspace, SERVER);
    await asAdmin(urls.admin, "update mcp_server set status = 'active' where id = $1", [SERVER]);
    expect(await tried(before)).toMatchObject({ status: "ok" });
  });

  test("is refused for a switched-off tool or a revoked server", async () => {
    await asAdmin(urls.admin, "update mcp_tool set blocked_at = now() where server_id = $1 and name = 'echo'", [SERVER]);
    expect(await tried(await askOf("echo", { text: "x" }))).toEqual({ status: "refused", code: "blocked" });
    await asAdmin(urls.admin, "update mcp_tool set blocked_at = null where server_id = $1", [SERVER]);
    await asAdmin(urls.admin, "update mcp_server set status = 'revoked' where id = $1", [SERVER]);
    expect(await tried(await askOf("echo", { text: "x" }))).toEqual({ status: "refused", code: "revoked" });
    await asAdmin(urls.admin, "update mcp_server set status = 'active' where id = $1", [SERVER]);
    expect(await tried(await askOf("echo", { text: "x" }))).toMatchObject({ status: "ok" });
  });

  test("is refused when its author is no longer admin", async () => {
    const other = await person("admin");
    const call = await sent(await askOf("echo", { text: "x" }), other);
    await asAdmin(urls.admin, "update membership set role = 'builder' where user_id = $1", [other]);
    await runnerUntilDone(call);
    expect(await answerTo(call, other)).toEqual({ status: "refused", code: "forbidden" });
  });

  test("expires when no runner takes it up within two minutes", async () => {
    const before = (await steps()).length;
    const call = await sent(await askOf("echo", { text: "x" }));
    await asAdmin(urls.admin, "update console_call set created_at = now() - interval '3 minutes' where id = $1", [call]);
    await useDatabase(urls.runner);
    expect(await beginConsoleCall(call)).toBe(false);
    await runnerUntilDone(call);
    expect(await answerTo(call)).toEqual({ status: "refused", code: "expired" });
    expect(await steps()).toHaveLength(before);
  });

  test("is made once: one begun and not ended is not begun again", async () => {
    const call = await sent(await askOf("echo", { text: "x" }));
    await asAdmin(urls.admin, "update console_call set status = 'working' where id = $1", [call]);
    const before = (await steps()).length;
    await runnerUntilDone(call);
    expect(await answerTo(call)).toEqual({ status: "refused", code: "interrupted" });
    expect(await steps()).toHaveLength(before);
  });
});

describe("the console", () => {
  test("needs a fresh proof, and shows a call only to its author", async () => {
    const ask = await askOf("echo", { text: "x" });
    await useDatabase(urls.web);
    expect(await codeOf(callerAs(workspace, "admin", { id: admin, session: staleSession() }).mcp.console(ask))).toBe("step_up_required");
    const call = await sent(ask);
    const another = callerAs(workspace, "admin").mcp;
    expect(await codeOf(another.consoleAnswer({ call }))).toBe("not_found");
    await runnerUntilDone(call);
  });

  test("rejects a row naming another tool than the sealed one", async () => {
    const call = await sent(await askOf("echo", { text: "x" }));
    await asAdmin(urls.admin, "update console_call set tool = 'misbehave' where id = $1", [call]);
    await runnerUntilDone(call);
    expect(await answerTo(call)).toEqual({ status: "refused", code: "interrupted" });
  });

  test("deletes calls after an hour", async () => {
    await asAdmin(urls.admin, "update console_call set created_at = now() - interval '61 minutes'");
    const call = await sent(await askOf("echo", { text: "x" }));
    await runnerUntilDone(call);
    expect(await queryOn(urls.admin, "select id from console_call")).toEqual([{ id: call }]);
  });

  test("makes a call once, even when reset in the database", async () => {
    const call = await sent(await askOf("echo", { text: "once" }));
    await runnerUntilDone(call);
    const made = await callsOnRecord();
    await queryOn(urls.admin, "update console_call set status = 'waiting', result = null, ended_at = null where id = $1", [call]);
    await runnerUntilDone(call);
    expect(await answerTo(call)).toEqual({ status: "refused", code: "expired" });
    expect(await callsOnRecord()).toBe(made);
  });
});
