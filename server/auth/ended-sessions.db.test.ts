import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { AppError } from "@/lib/errors";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import { answeringPlane } from "@/server/testing/answering";
import { recordRows } from "@/server/testing/authority";
import { testDatabase } from "@/server/testing/database";
import { beginTestSession } from "@/server/testing/session";
import { createCaller } from "@/server/trpc/root";
import { submitCommand } from "@/server/web/submit-command";
import { hashPassword } from "./password";
import { findSignedIn, type SessionClaims } from "./session";
import { signOut } from "./sign-out";

vi.stubEnv("LOG_LEVEL", "silent");
const urls = await testDatabase("admin");
const plane = await answeringPlane(urls.admin);
const write = (sql: string, values: unknown[]) => asAdmin(urls.admin, sql, values);
const workspace = await testWorkspace(urls.admin);
const PASSWORD = "a long enough password";
const passwordHash = await hashPassword(PASSWORD);

const newPerson = async (role: string): Promise<string> => {
  const id = randomUUID();
  await write("insert into app_user (id, email, name, password_hash) values ($1, $2, 'Sample user', $3)", [
    id,
    `${id}@example.com`,
    passwordHash,
  ]);
  await write("insert into membership (workspace_id, user_id, role) values ($1, $2, $3)", [workspace, id, role]);
  await recordRows(plane, workspace);

  return id;
};
const signIn = (userId: string): Promise<SessionClaims> => beginTestSession(userId, { address: "test", userAgent: "" }, Date.now());
const callerOf = (claims: SessionClaims) =>
  createCaller({ requestId: "test", address: randomUUID(), host: "localhost", signedIn: () => findSignedIn(claims) });
const codeOf = async (asked: Promise<unknown>): Promise<string> => {
  try {
    await asked;
  } catch (error) {
    return error instanceof AppError ? (error.refusal ?? error.code) : String(error);
  }

  return "none";
};
const reads = async (claims: SessionClaims): Promise<boolean | string> => {
  try {
    return (await findSignedIn(claims)) !== null;
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
};
const asks = ({ userId: id, sessionId, sessionKey: key }: SessionClaims): Promise<string> =>
  codeOf(
    submitCommand({
      workspaceId: workspace,
      author: { type: "user", id, session: { id: sessionId, key } },
      runId: getWorkspaceLedgerId(workspace),
      body: { kind: "checkpoint" },
    }),
  );
/** As the table owner can, past its trigger. */
const revive = async (claims: SessionClaims): Promise<void> => {
  await write("alter table session disable trigger user", []);
  await write("update session set revoked_at = null where id = $1", [claims.sessionId]);
};

const ENDINGS: readonly (readonly [string, (ended: SessionClaims, kept: SessionClaims) => Promise<unknown>])[] = [
  ["its person signs out", (ended) => signOut(ended)],
  ["its person ends it from another session", (ended, kept) => callerOf(kept).session.end({ sessionId: ended.sessionId })],
  ["its person ends all others", (_ended, kept) => callerOf(kept).session.end({ sessionId: null })],
  [
    "its person changes the password",
    (_ended, kept) => callerOf(kept).session.changePassword({ current: PASSWORD, next: "another long password" }),
  ],
  [
    "an admin ends it",
    async (ended) => {
      const admin = callerOf(await signIn(await newPerson("admin")));
      await admin.people.endSessions({ userId: ended.userId, sessionId: ended.sessionId });
    },
  ],
];

test.each(ENDINGS)("rejects a session that ended because %s when its row is reset", async (_how, end) => {
  const person = await newPerson("viewer");
  const [ended, kept] = [await signIn(person), await signIn(person)];
  expect(await reads(ended)).toBe(true);
  await end(ended, kept);
  expect([await reads(ended), await reads(kept), await asks(ended)]).toEqual([false, true, "session_over"]);
  await revive(ended);
  expect(await reads(ended)).toBe("authority_mismatch");
  expect(await asks(ended)).toBe("projection_mismatch");
  expect(await reads(kept)).toBe(true);
});

test("rejects a session whose row was removed before all were ended, when both rows are reset", async () => {
  const person = await newPerson("viewer");
  const hidden = await signIn(person);
  await write("create table if not exists hidden (like session)", []);
  await write("insert into hidden select * from session where id = $1", [hidden.sessionId]);
  await write("delete from session where id = $1", [hidden.sessionId]);
  const admin = callerOf(await signIn(await newPerson("admin")));
  await admin.people.endSessions({ userId: person, sessionId: null });
  await write("insert into session select * from hidden where id = $1", [hidden.sessionId]);
  expect(await reads(hidden)).toBe(false);
  await write("update membership set session_version = 1 where user_id = $1", [person]);
  expect(await reads(hidden)).toBe("authority_mismatch");
});

test("does not raise a reset session version to one that a cookie still names", async () => {
  const person = await newPerson("viewer");
  const admin = callerOf(await signIn(await newPerson("admin")));
  await admin.people.endSessions({ userId: person, sessionId: null });
  await write("update membership set session_version = 1 where user_id = $1", [person]);
  expect(
    await codeOf(admin.people.endSessions({ userId: person, sessionId: null }).catch((error: Error) => Promise.reject(error.cause))),
  ).toBe("projection_mismatch");
});
