import { afterAll, beforeAll, expect, test } from "vitest";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { AppError } from "@/lib/errors";
import type { PeopleCommand } from "@/lib/people/command";
import { findSignedIn } from "@/server/auth/session";
import { useDatabase } from "@/server/db/client";
import { closeRunBus } from "@/server/live/run-bus";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { recordAttempts } from "@/server/runner/attempts";
import { addMember, command, openDesk, startRun, type Desk } from "@/server/runner/testing/desk";
import { drive } from "@/server/runner/testing/run";
import { beginTestSession } from "@/server/testing/session";
import { testDatabase } from "@/server/testing/database";
import { createCaller } from "@/server/trpc/root";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let run: string;
const viewers: string[] = [];

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
  // Adds records of every row, so not beside a test that writes one.
  for (const _ of CASES) viewers.push(await addMember(desk, "viewer"));
  // Admins' commands need the control plane's rights.
  await useDatabase(urls.admin);
}, 120_000);
afterAll(async () => {
  closeRunBus();
  await desk.mcp.close();
});

const following = async (user: string) => {
  const claims = await beginTestSession(user, { address: "", userAgent: "" }, null);
  const signedIn = () => findSignedIn(claims);
  const caller = createCaller({ requestId: "test", address: "test", host: "localhost", signedIn });
  const stream = (await caller.runs.live({ runIds: [run] }))[Symbol.asyncIterator]();
  expect(await stream.next()).toMatchObject({ done: false, value: { runId: run } });

  return stream;
};

const endOf = async (next: Promise<unknown>): Promise<string> => {
  try {
    await next;
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }

  return "another event";
};

type Change = (user: string) => Promise<unknown>;
const write =
  (sql: string): Change =>
  (user) =>
    asAdmin(urls.admin, sql, [user]);
const ask =
  (bodyOf: (user: string) => PeopleCommand): Change =>
  async (user) => {
    const ledger = getWorkspaceLedgerId(desk.workspace);
    await command(desk, ledger, desk.people.admin, bodyOf(user));
    await recordAttempts(desk.deps, desk.workspace, ledger);
  };

const [WAS, STANDING] = [
  { role: "viewer", auditor: false },
  { role: "reviewer", auditor: false },
] as const;

const CASES: readonly (readonly [string, Change, string])[] = [
  ["the session is revoked", write("update session set revoked_at = now() where user_id = $1"), "unauthenticated"],
  ["the person is disabled", ask((user) => ({ kind: "people_disable", user })), "unauthenticated"],
  ["all of their sessions are ended", ask((user) => ({ kind: "people_end_sessions", user, session: null })), "unauthenticated"],
  ["they have another role", ask((user) => ({ kind: "people_change", user, was: WAS, standing: STANDING })), "forbidden"],
  ["only the database gives them another role", write("update membership set role = 'admin' where user_id = $1"), "authority_mismatch"],
];

test.concurrent.each(CASES.map((each, index) => [...each, index] as const))(
  "a live stream ends when %s, even while idle",
  { timeout: 30_000 },
  async (_when, change, code, index) => {
    const user = viewers[index] ?? "";
    const stream = await following(user);
    const next = stream.next();
    await change(user);

    expect(await endOf(next)).toBe(code);
  },
);
