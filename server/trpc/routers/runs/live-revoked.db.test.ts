/** What stays open in a browser ends with the session that opened it. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AppError } from "@/lib/errors";
import { beginSession, signedInOf } from "@/server/auth/session";
import { useDatabase } from "@/server/db/client";
import { closeRunBus } from "@/server/live/run-bus";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { openDesk, startRun, type Desk } from "@/server/runner/testing/desk";
import { drive } from "@/server/runner/testing/run";
import { testDatabase } from "@/server/testing/database";
import { createCaller } from "@/server/trpc/root";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let run: string;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
  await useDatabase(urls.web);
}, 120_000);
afterAll(async () => {
  closeRunBus();
  await desk.mcp.close();
});

/** The stream of somebody new, as far as its first event, and who they are. */
const following = async () => {
  const user = randomUUID();
  await asAdmin(urls.admin, "insert into app_user (id, email, name) values ($1, $2, 'Somebody')", [user, `${user}@example.com`]);
  await asAdmin(urls.admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, 'viewer')", [desk.workspace, user]);
  const sessionId = await beginSession(user, { address: "", userAgent: "" }, null);
  const signedIn = () => signedInOf({ userId: user, sessionVersion: 1, sessionId });
  const caller = createCaller({ requestId: "test", address: "test", host: "localhost", signedIn });
  const stream = (await caller.runs.live({ run_ids: [run] }))[Symbol.asyncIterator]();
  expect(await stream.next()).toMatchObject({ done: false, value: { run_id: run } });

  return { user, stream };
};

const endOf = async (next: Promise<unknown>): Promise<string> => {
  try {
    await next;
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }

  return "another event";
};

test.concurrent.each([
  ["the session is revoked", "update session set revoked_at = now() where user_id = $1", "unauthenticated"],
  ["the person is disabled", "update app_user set disabled_at = now() where id = $1", "unauthenticated"],
  ["all of their sessions are ended", "update app_user set session_version = 2 where id = $1", "unauthenticated"],
  ["they have another role", "update membership set role = 'reviewer' where user_id = $1", "forbidden"],
])("a live stream ends when %s, though there is nothing to say", { timeout: 30_000 }, async (_when, sql, code) => {
  const { user, stream } = await following();
  const next = stream.next();
  await asAdmin(urls.admin, sql, [user]);

  expect(await endOf(next)).toBe(code);
});
