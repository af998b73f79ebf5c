import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test, vi } from "vitest";
import { AppError } from "@/lib/errors";
import { explainAccess, type Account, type AskedFor } from "@/lib/permission-reasons";
import { roleSchema } from "@/lib/roles";
import { findSignedIn, type SessionClaims } from "@/server/auth/session";
import { useDatabase } from "@/server/db/client";
import { closeRunBus } from "@/server/live/run-bus";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import { recordRows, testControlPlane } from "@/server/testing/authority";
import { queryOn } from "@/server/testing/connections";
import { testInstallation } from "@/server/mcp/testing/installation";
import { beginTestSession } from "@/server/testing/session";
import { testDatabase } from "@/server/testing/database";
import { createCaller } from "./root";
import { ACCESS, type AccessRow } from "./access-table";

const urls = await testDatabase("web");
const plane = await testControlPlane();
vi.stubEnv("COUNTERSIGN_HOME", (await testInstallation()).home);
vi.stubEnv("LOG_LEVEL", "silent");
afterAll(() => closeRunBus());

type Kind = Account & { readonly name: string; readonly provedMinutesAgo: number | null; readonly isOut?: boolean };

const members: readonly Kind[] = roleSchema.options.flatMap((role) =>
  [false, true].map((auditor) => ({
    name: `${role}${auditor ? " and auditor" : ""}`,
    role,
    auditor,
    disabled: false,
    provedMinutesAgo: 1,
  })),
);
const ADMIN = { role: "admin", auditor: true, disabled: false } as const;

const KINDS: readonly Kind[] = [
  ...members,
  ...members
    .filter(({ auditor }) => !auditor)
    .map((each) => ({ ...each, name: `${each.name} who proved it long ago`, provedMinutesAgo: 6 })),
  { ...ADMIN, name: "admin without a proof time", provedMinutesAgo: null },
  { ...ADMIN, name: "disabled admin", disabled: true, provedMinutesAgo: 1 },
  { ...ADMIN, name: "user without a workspace", role: null, provedMinutesAgo: 1 },
];

const workspace = await testWorkspace(urls.admin);

const accountOf = async ({ role, auditor, disabled, provedMinutesAgo }: Account & { provedMinutesAgo: number | null }) => {
  const userId = randomUUID();
  await asAdmin(urls.admin, "insert into app_user (id, name, email) values ($1, 'Sample user', $2)", [userId, `${userId}@example.com`]);
  if (role !== null) {
    await asAdmin(
      urls.admin,
      "insert into membership (workspace_id, user_id, role, auditor, disabled_at) values ($1, $2, $3, $4, case when $5 then now() end)",
      [workspace, userId, role, auditor, disabled],
    );
  }
  // Only the control plane opens sessions and records accounts.
  await useDatabase(urls.runner);
  const provedAtMs = provedMinutesAgo === null ? null : Date.now() - provedMinutesAgo * 60_000;
  const claims = await beginTestSession(userId, { address: "test", userAgent: "test" }, provedAtMs);
  await recordRows(plane, workspace);
  await useDatabase(urls.web);

  return claims;
};

const get = (value: unknown, key: PropertyKey): unknown => Reflect.get(Object(value), key);

/** Invalid for every schema: calls end after authorisation. */
const NO_INPUT = { "not an input": true };

const DENIALS = new Set(["unauthenticated", "forbidden", "step_up_required", "workspace_changed"]);

const callerOf = (claims: SessionClaims | null, shown: string | null = null) =>
  createCaller({ requestId: randomUUID(), address: "test", host: "localhost", workspace: shown, signedIn: () => findSignedIn(claims) });

const answerTo = async (path: string, claims: SessionClaims | null, shown: string | null = null): Promise<string> => {
  const caller = callerOf(claims, shown);
  const found: unknown = path.split(".").reduce<unknown>(get, caller);
  if (typeof found !== "function") throw new Error(`${path} is not a procedure`);
  try {
    const answer: unknown = await Reflect.apply(found, undefined, [NO_INPUT]);
    const stream: unknown = get(answer, Symbol.asyncIterator);
    // A subscription is lazy, but access is decided before.
    if (typeof stream === "function") await (Reflect.apply(stream, answer, []) as AsyncIterator<unknown>).return?.();

    return "let_in";
  } catch (error) {
    const code = error instanceof Error && error.cause instanceof AppError ? error.cause.code : "let_in";

    return DENIALS.has(code) ? code : "let_in";
  }
};

const FRESH = { fresh: "always", sometimes: "sometimes", never: "never" } as const;

/** Depends on place, not account. */
const BY_PLACE = "setup.createDemo";

const procedures = Object.entries<AccessRow>(ACCESS)
  .map(([path, [access, , fresh]]) => ({ path, access, fresh: FRESH[fresh ?? "never"] }))
  .filter(({ path }) => path !== BY_PLACE);

const answersTo = async (claims: SessionClaims | null, shown: string | null = null): Promise<Record<string, string>> =>
  Object.fromEntries(await Promise.all(procedures.map(async ({ path }) => [path, await answerTo(path, claims, shown)] as const)));

const expectedOf = (asked: AskedFor, { provedMinutesAgo, ...account }: Kind): string => {
  const { verdict, reasons } = explainAccess(asked, account);
  const [{ code }] = reasons;
  // Rejected only by the runner.
  if (verdict === "yes" || code === "no_add_on") return "let_in";
  if (verdict === "no") return code === "disabled" || code === "no_member" ? "unauthenticated" : "forbidden";

  return provedMinutesAgo !== null && provedMinutesAgo < 5 ? "let_in" : "step_up_required";
};

describe.each(KINDS)("$name", (kind) => {
  test("is admitted to exactly what the explanation says", async () => {
    const claims = await accountOf(kind);
    const answers = await answersTo(claims);

    expect(answers).toEqual(Object.fromEntries(procedures.map(({ path, ...asked }) => [path, expectedOf(asked, kind)])));
  }, 60_000);
});

test("a tab that shows another workspace is admitted only to public procedures", async () => {
  const claims = await accountOf({ ...ADMIN, provedMinutesAgo: 1 });
  expect(await answersTo(claims, workspace)).toEqual(await answersTo(claims));
  const expected = procedures.map(({ path, access }) => [path, access === "public" ? "let_in" : "workspace_changed"] as const);
  for (const shown of [randomUUID(), ""]) expect(await answersTo(claims, shown)).toEqual(Object.fromEntries(expected));
}, 60_000);

test("a person's workspaces are those that record them", async () => {
  const claims = await accountOf({ ...ADMIN, provedMinutesAgo: 1 });
  const [recorded, unrecorded, disabling] = [
    await testWorkspace(urls.admin),
    await testWorkspace(urls.admin),
    await testWorkspace(urls.admin),
  ];
  const sql = "insert into membership (workspace_id, user_id, role, disabled_at) values ($1, $2, 'reviewer', $3)";
  for (const [id, disabledAt] of [
    [recorded, null],
    [disabling, new Date()],
  ]) {
    await asAdmin(urls.admin, sql, [id, claims.userId, disabledAt]);
  }
  await useDatabase(urls.runner);
  for (const id of [recorded, disabling]) await recordRows(plane, id);
  await useDatabase(urls.web);
  await asAdmin(urls.admin, sql, [unrecorded, claims.userId, null]);
  const { workspaces } = await callerOf(claims).session.workspaces();
  expect(workspaces.map(({ id, role, isCurrent, waiting }) => [id, role, isCurrent, waiting])).toEqual([
    [workspace, "admin", true, 0],
    [recorded, "reviewer", false, 0],
  ]);
});

const ended = {
  "a request without a session": async () => null,
  "a session that was revoked": async () => {
    const claims = await accountOf({ ...ADMIN, provedMinutesAgo: 1 });
    await asAdmin(urls.admin, "update session set revoked_at = now() where id = $1", [claims.sessionId]);

    return claims;
  },
  "a session from before all sessions of its person were ended": async () => {
    const claims = await accountOf({ ...ADMIN, provedMinutesAgo: 1 });

    return { ...claims, sessionVersion: claims.sessionVersion - 1 };
  },
  "a session that is older than sessions live": async () => {
    const claims = await accountOf({ ...ADMIN, provedMinutesAgo: 1 });
    await asAdmin(urls.admin, "update session set created_at = now() - interval '13 hours' where id = $1", [claims.sessionId]);

    return claims;
  },
  "the session of another": async () => {
    const [mine, other] = [await accountOf({ ...ADMIN, provedMinutesAgo: 1 }), await accountOf({ ...ADMIN, provedMinutesAgo: 1 })];

    return { ...mine, sessionId: other.sessionId };
  },
} as const satisfies Record<string, () => Promise<SessionClaims | null>>;

test.each(Object.entries(ended))(
  "%s is admitted only to public procedures",
  async (_name, make) => {
    const claims = await make();
    const answers: Record<string, string> = {};
    for (const { path } of procedures) answers[path] = await answerTo(path, claims);

    expect(answers).toEqual(
      Object.fromEntries(procedures.map(({ path, access }) => [path, access === "public" ? "let_in" : "unauthenticated"])),
    );
  },
  60_000,
);

test("the accounts exist: input-free procedures answer permitted ones", async () => {
  const claims = await accountOf({ role: "viewer", auditor: false, disabled: false, provedMinutesAgo: 1 });
  const rows = await queryOn<{ count: string }>(urls.admin, "select count(*) from session where user_id = $1", [claims.userId]);

  expect([rows[0]?.count, await answerTo("runs.now", claims), await answerTo("graphs.list", claims)]).toEqual(["1", "let_in", "let_in"]);
});
