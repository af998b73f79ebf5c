import { describe, expect, test, vi } from "vitest";
import { AppError } from "@/lib/errors";
import { agentSchema, graphSchema } from "@/lib/graph/document";
import { publishedGraphOf } from "@/lib/graph/publish";
import { roleSchema } from "@/lib/roles";
import { signInWithPassword } from "@/server/auth/password-sign-in";
import { hashSetupToken, newSetupToken, SETUP_TOKEN_LIFE_MS } from "@/server/auth/setup-token";
import { beginSession, signedInOf } from "@/server/auth/session";
import { systemClock } from "@/server/clock";
import { database } from "@/server/db/client";
import { DEMO_GRAPH_ID } from "@/server/seed/workflows";
import { SUPPORT_DESK_AGENTS } from "@/server/seed/support-desk/agents";
import { SUPPORT_DESK_GRAPH } from "@/server/seed/support-desk/graph";
import { publishVersion } from "@/server/store/graph-versions";
import { createGraph } from "@/server/store/graphs";
import { ensureDemoWorkspace, type NewDemoAccount } from "@/server/store/setup";
import { listDemoAccounts } from "@/server/store/workspaces";
import { testDatabase } from "@/server/testing/database";
import { createCaller } from "@/server/trpc/root";

vi.stubEnv("COUNTERSIGN_LOOPBACK", "1");
await testDatabase("web");

const callerAt = (host: string | null) =>
  createCaller({ requestId: "test", address: crypto.randomUUID(), host, signedIn: async () => null });

const issueToken = async (expiresAtMs = systemClock.now() + SETUP_TOKEN_LIFE_MS): Promise<string> => {
  const token = newSetupToken();
  await database().setupToken.create({ data: { hash: hashSetupToken(token), expiresAt: new Date(expiresAtMs) } });

  return token;
};

let serial = 0;
const formWith = (token: string) => {
  serial += 1;

  return { token, name: "First", email: `First${serial}@Test.invalid`, password: "a long enough password", workspaceName: "Support" };
};

const codeOf = async (call: Promise<unknown>): Promise<string> => {
  try {
    await call;
  } catch (error) {
    return error instanceof Error && error.cause instanceof AppError ? error.cause.code : String(error);
  }

  return "none";
};

describe("the set-up link", () => {
  test("creates the first admin, who can then sign in", async () => {
    const caller = callerAt("example.com");
    const token = await issueToken();
    expect(await caller.setup.checkLink({ token })).toEqual({ isOpen: true });
    const { email } = await caller.setup.createAdmin(formWith(token));
    const outcome = await signInWithPassword({ email, password: "a long enough password" }, "test");
    if (outcome.status !== "ok") throw new Error("the new admin cannot sign in");

    const sessionId = await beginSession(outcome.claims.userId, { address: "test", userAgent: "test" }, systemClock.now());

    expect(await signedInOf({ ...outcome.claims, sessionId })).toMatchObject({
      role: "admin",
      workspace: { name: "Support", demo: false },
    });
    expect(await caller.setup.state()).toEqual({ hasAdmin: true, demo: null, identityProvider: null });
  });

  test("works once", async () => {
    const token = await issueToken();
    await callerAt(null).setup.createAdmin(formWith(token));

    expect(await callerAt(null).setup.checkLink({ token })).toEqual({ isOpen: false });
    expect(await codeOf(callerAt(null).setup.createAdmin(formWith(token)))).toBe("setup_link_invalid");
  });

  test("used twice at the same moment creates one admin", async () => {
    const token = await issueToken();
    const before = await database().user.count();
    const codes = await Promise.all([1, 2, 3].map(() => codeOf(callerAt(null).setup.createAdmin(formWith(token)))));

    expect(codes.toSorted()).toEqual(["none", "setup_link_invalid", "setup_link_invalid"]);
    expect(await database().user.count()).toBe(before + 1);
  });

  test("is void after its time", async () => {
    const token = await issueToken(systemClock.now() - 1);

    expect(await callerAt(null).setup.checkLink({ token })).toEqual({ isOpen: false });
    expect(await codeOf(callerAt(null).setup.createAdmin(formWith(token)))).toBe("setup_link_invalid");
  });

  test("is not its own hash, and no other text", async () => {
    const token = await issueToken();

    expect(await codeOf(callerAt(null).setup.createAdmin(formWith(hashSetupToken(token))))).toBe("setup_link_invalid");
    expect(await codeOf(callerAt(null).setup.createAdmin(formWith(`${token}x`)))).toBe("setup_link_invalid");
  });

  test("stays good when the address is taken", async () => {
    const first = formWith(await issueToken());
    await callerAt(null).setup.createAdmin(first);
    const token = await issueToken();

    expect(await codeOf(callerAt(null).setup.createAdmin({ ...formWith(token), email: first.email }))).toBe("conflict");
    expect(await callerAt(null).setup.checkLink({ token })).toEqual({ isOpen: true });
  });

  test("takes no short password", async () => {
    const token = await issueToken();
    await expect(callerAt(null).setup.createAdmin({ ...formWith(token), password: "eleven char" })).rejects.toThrow("At least 12");

    expect(await callerAt(null).setup.checkLink({ token })).toEqual({ isOpen: true });
  });
});

describe("the demo workspace", () => {
  test.each(["example.com", "localhost.example.com", null])("is not opened for a request under the host name %s", async (host) => {
    expect(await codeOf(callerAt(host).setup.createDemo())).toBe("forbidden");
    expect(await database().workspace.count({ where: { demo: true } })).toBe(0);
  });

  const accounts = (): readonly NewDemoAccount[] =>
    roleSchema.options.map((role) => ({ userId: crypto.randomUUID(), name: role, email: `${role}@demo.invalid`, role }));

  test("opened several times at once is one workspace with four accounts, none of which has a password", async () => {
    const opened = await Promise.all([1, 2, 3].map(() => ensureDemoWorkspace(crypto.randomUUID(), "Demo", accounts(), "builder")));

    expect(new Set(opened.map(({ workspaceId }) => workspaceId)).size).toBe(1);
    expect((await listDemoAccounts()).map(({ role }) => role).toSorted()).toEqual(["admin", "builder", "reviewer", "viewer"]);
    expect(await database().user.count({ where: { demo: true, passwordHash: { not: null } } })).toBe(0);
  });

  test("half made is offered again, and its accounts only when its content is there", async () => {
    const { workspaceId, authorId } = await ensureDemoWorkspace(crypto.randomUUID(), "Demo", accounts(), "builder");
    expect(await callerAt("localhost:3000").setup.state()).toMatchObject({ demo: [] });

    const document = graphSchema.parse(SUPPORT_DESK_GRAPH);
    await createGraph(workspaceId, { document, authorId }, DEMO_GRAPH_ID);
    const agents = SUPPORT_DESK_AGENTS.map((agent) => agentSchema.parse(agent));
    const published = publishedGraphOf(document, { agents, tools: [], versions: [] });
    await publishVersion(workspaceId, { graphId: DEMO_GRAPH_ID, published, authorId });

    const { demo } = await callerAt("localhost:3000").setup.state();
    expect(demo?.map(({ role }) => role).toSorted()).toEqual(["admin", "builder", "reviewer", "viewer"]);
    expect(await callerAt("example.com").setup.state()).toMatchObject({ demo: null });
  });
});
