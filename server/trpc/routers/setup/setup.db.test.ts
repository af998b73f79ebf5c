import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { AppError } from "@/lib/errors";
import { agentSchema, graphSchema } from "@/lib/graph/document";
import type { NewPerson } from "@/lib/people/membership";
import { buildPublishedGraph } from "@/lib/graph/publish";
import { roleSchema } from "@/lib/roles";
import { signInWithPassword } from "@/server/auth/password-sign-in";
import { hashSetupToken, generateSetupToken, SETUP_TOKEN_LIFE_MS } from "@/server/auth/setup-token";
import { findSignedIn } from "@/server/auth/session";
import { systemClock } from "@/server/clock";
import { getDatabase } from "@/server/db/client";
import { closeRunBus } from "@/server/live/run-bus";
import { testInstallation } from "@/server/mcp/testing/installation";
import { DEMO_GRAPH_ID } from "@/server/seed/workflows";
import { SUPPORT_DESK_AGENTS } from "@/server/seed/support-desk/agents";
import { SUPPORT_DESK_GRAPH } from "@/server/seed/support-desk/graph";
import { publishVersion } from "@/server/store/graphs/versions";
import { createGraph } from "@/server/store/graphs/graphs";
import { isDemo } from "@/server/store/people/principals";
import { listDemoAccounts } from "@/server/store/workspaces/workspaces";
import { answerCommands, testControlPlane } from "@/server/testing/authority";
import { testDatabase } from "@/server/testing/database";
import { createCaller } from "@/server/trpc/root";
import { getRefusal, submitFor } from "@/server/web/membership";

vi.stubEnv("COUNTERSIGN_LOOPBACK", "1");
// Needs both roles' rights.
const urls = await testDatabase("admin");
const installation = await testInstallation();
vi.stubEnv("COUNTERSIGN_HOME", installation.home);
const VAULT = "ab".repeat(32);
await mkdir(path.join(installation.home, "keys"), { recursive: true });
await writeFile(path.join(installation.home, "keys", "vault.key"), VAULT, { mode: 0o600 });
const plane = await testControlPlane(VAULT);
const stopAnswering = answerCommands(urls.admin, plane);
afterAll(async () => {
  await stopAnswering();
  closeRunBus();
});

const callerAt = (host: string | null) =>
  createCaller({ requestId: "test", address: crypto.randomUUID(), host, signedIn: async () => null });

const issueToken = async (expiresAtMs = systemClock.now() + SETUP_TOKEN_LIFE_MS): Promise<string> => {
  const token = generateSetupToken();
  await getDatabase().setupToken.create({ data: { hash: hashSetupToken(token), expiresAt: new Date(expiresAtMs) } });

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

    expect(await findSignedIn(outcome.claims)).toMatchObject({
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

  test("creates one admin under concurrency", async () => {
    const token = await issueToken();
    const before = await getDatabase().user.count();
    const codes = await Promise.all([1, 2, 3].map(() => codeOf(callerAt(null).setup.createAdmin(formWith(token)))));

    expect(codes.toSorted()).toEqual(["none", "setup_link_invalid", "setup_link_invalid"]);
    expect(await getDatabase().user.count()).toBe(before + 1);
  });

  test("expires", async () => {
    const token = await issueToken(systemClock.now() - 1);

    expect(await callerAt(null).setup.checkLink({ token })).toEqual({ isOpen: false });
    expect(await codeOf(callerAt(null).setup.createAdmin(formWith(token)))).toBe("setup_link_invalid");
  });

  test("is neither its hash nor another text", async () => {
    const token = await issueToken();

    expect(await codeOf(callerAt(null).setup.createAdmin(formWith(hashSetupToken(token))))).toBe("setup_link_invalid");
    expect(await codeOf(callerAt(null).setup.createAdmin(formWith(`${token}x`)))).toBe("setup_link_invalid");
  });

  test("stays valid when the address is taken", async () => {
    const first = formWith(await issueToken());
    await callerAt(null).setup.createAdmin(first);
    const token = await issueToken();

    expect(await codeOf(callerAt(null).setup.createAdmin({ ...formWith(token), email: first.email }))).toBe("conflict");
    expect(await callerAt(null).setup.checkLink({ token })).toEqual({ isOpen: true });
  });

  test("rejects a short password", async () => {
    const token = await issueToken();
    await expect(callerAt(null).setup.createAdmin({ ...formWith(token), password: "eleven char" })).rejects.toThrow("At least 12");

    expect(await callerAt(null).setup.checkLink({ token })).toEqual({ isOpen: true });
  });
});

describe("the demo workspace", () => {
  test.each(["example.com", "localhost.example.com", null])("does not open under the host name %s", async (host) => {
    expect(await codeOf(callerAt(host).setup.createDemo())).toBe("forbidden");
    expect(await getDatabase().workspace.count({ where: { demo: true } })).toBe(0);
  });

  const accounts = (): NewPerson[] =>
    roleSchema.options.map((role) => ({ id: crypto.randomUUID(), name: role, email: `${role}@demo.invalid`, role, password_hash: null }));
  const found = async (people = accounts(), workspaceId: string = crypto.randomUUID()): Promise<string> => {
    const body = { kind: "workspace_found", setup: null, name: "Demo", people } as const;

    return submitFor(workspaceId, people[0]?.id ?? "", body).then(
      () => workspaceId,
      (error: unknown) => getRefusal(error) ?? String(error),
    );
  };
  let demoId = "";

  test("concurrent foundings make one workspace with four passwordless accounts", async () => {
    const opened = await Promise.all([1, 2, 3].map(() => found()));
    demoId = opened.find((outcome) => outcome !== "not_found") ?? "";

    expect(opened.toSorted().filter((outcome) => outcome === "not_found")).toHaveLength(2);
    expect((await listDemoAccounts()).map(({ role }) => role).toSorted()).toEqual(["admin", "builder", "reviewer", "viewer"]);
    expect(await getDatabase().user.count({ where: { demo: true, passwordHash: { not: null } } })).toBe(0);
    expect(await isDemo(plane.authority, demoId)).toBe(true);
  });

  test("a demo accepts no account with a password, and other workspaces accept none this way", async () => {
    const withPassword = accounts().map((person) => ({ ...person, password_hash: "x".repeat(30) }));
    expect(await found(withPassword, demoId)).toBe("principal_not_allowed");
    const token = await issueToken();
    await callerAt(null).setup.createAdmin(formWith(token));
    const { id } = await getDatabase().workspace.findFirstOrThrow({ where: { demo: false }, orderBy: { createdAt: "desc" } });
    const strangers = accounts().map((person) => ({ ...person, email: `${person.id}@demo.invalid` }));
    expect(await found(strangers, id)).toBe("not_found");
  });

  test("only a demo founds its auditor, with the add-on and without a password", async () => {
    const auditor: NewPerson = {
      id: crypto.randomUUID(),
      name: "Auditor",
      email: "with.audit@demo.invalid",
      role: "viewer",
      auditor: true,
      password_hash: null,
    };
    expect(await found([auditor], demoId)).toBe(demoId);
    expect(await getDatabase().membership.findMany({ where: { userId: auditor.id }, select: { role: true, auditor: true } })).toEqual([
      { role: "viewer", auditor: true },
    ]);
    expect((await listDemoAccounts()).filter(({ role }) => role === "viewer").map(({ second }) => second)).toEqual([false, true]);

    const first = { ...auditor, id: crypto.randomUUID(), email: "a@b.invalid", role: "admin" as const, password_hash: "x".repeat(30) };
    const setup = await issueToken();
    const founding = submitFor(crypto.randomUUID(), first.id, { kind: "workspace_found", setup, name: "Ours", people: [first] }).catch(
      getRefusal,
    );
    expect(await founding).toBe("principal_not_allowed");
  });

  test("a partial demo is offered again, and its accounts only when complete", async () => {
    const workspaceId = demoId;
    const authorId = (await listDemoAccounts()).find(({ role }) => role === "builder")?.userId ?? "";
    expect(await callerAt("localhost:3000").setup.state()).toMatchObject({ demo: [] });

    const document = graphSchema.parse(SUPPORT_DESK_GRAPH);
    await createGraph(workspaceId, { document, authorId }, DEMO_GRAPH_ID);
    const agents = SUPPORT_DESK_AGENTS.map((agent) => agentSchema.parse(agent));
    const published = buildPublishedGraph(document, { agents, tools: [], versions: [] });
    await publishVersion(workspaceId, { graphId: DEMO_GRAPH_ID, published, authorId });

    const { demo } = await callerAt("localhost:3000").setup.state();
    expect(demo?.map(({ role }) => role).toSorted()).toEqual(["admin", "builder", "reviewer", "viewer", "viewer"]);
    expect(await callerAt("example.com").setup.state()).toMatchObject({ demo: null });
  });
});
