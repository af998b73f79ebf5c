import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import { answeringPlane } from "@/server/testing/answering";
import { openTestSession, recordRows } from "@/server/testing/authority";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";
import { submitCommand } from "@/server/web/submit-command";
import { authenticate } from "./caller";
import { mintToken, hashToken } from "./token";
import { TOKEN_PREFIX } from "./token-form";

vi.stubEnv("NEXTAUTH_URL", "http://localhost:3000");
vi.stubEnv("LOG_LEVEL", "silent");
const urls = await testDatabase("admin");
const plane = await answeringPlane(urls.admin);
const write = (sql: string, values: unknown[]) => asAdmin(urls.admin, sql, values);

const addMember = async (workspace: string, role: string): Promise<string> => {
  const id = randomUUID();
  await write("insert into app_user (id, email, name) values ($1, $2, 'Sample user')", [id, `${id}@example.com`]);
  await write("insert into membership (workspace_id, user_id, role) values ($1, $2, $3)", [workspace, id, role]);
  await recordRows(plane, workspace);

  return id;
};

const authorOf = async (id: string) => ({ type: "user", id, session: await openTestSession(urls.admin, id) }) as const;

const minted = async () => {
  const workspace = await testWorkspace(urls.admin);
  const owner = await addMember(workspace, "builder");
  const { id, token } = await mintToken(workspace, await authorOf(owner), {
    name: "test",
    scopes: ["run.read"],
    graphs: null,
    integrity: "untrusted",
    strictErrors: false,
    singleBlock: false,
    lifetimeMs: 3_600_000,
  });

  return { workspace, owner, id, token };
};

const show = (token: string) => authenticate(`Bearer ${token}`);

test("a token is valid once a command made it, and not after revocation, whatever the row says", async () => {
  const { workspace, owner, id, token } = await minted();
  expect(await show(token)).toMatchObject({ workspaceId: workspace, token: { id, scopes: ["run.read"] }, owner: { role: "builder" } });
  const body = { kind: "token_revoke", token: id } as const;
  await submitCommand({ workspaceId: workspace, author: await authorOf(owner), runId: getWorkspaceLedgerId(workspace), body });
  expect(await show(token)).toBeNull();
  await write("alter table agent_token disable trigger user", []);
  await write("update agent_token set revoked_at = null where id = $1", [id]);
  expect(await show(token)).toBeNull();
});

test.each([
  ["scopes", "update agent_token set scopes = '{run.read,run.drive}' where id = $1"],
  ["integrity", "update agent_token set integrity = 'trusted' where id = $1"],
  ["end", "update agent_token set expires_at = expires_at + interval '1 year' where id = $1"],
  ["owner's role", "update membership set role = 'admin' where user_id = (select owner_id from agent_token where id = $1)"],
  ["owner's add-on", "update membership set auditor = true where user_id = (select owner_id from agent_token where id = $1)"],
])("a token is void once its %s was written directly, and the attempt goes to the runner", async (_what, sql) => {
  const { id, token } = await minted();
  expect(await show(token)).not.toBeNull();
  await write("alter table agent_token disable trigger user", []);
  await write(sql, [id]);

  expect(await show(token)).toBeNull();
  await expect.poll(() => queryOn(urls.admin, "select kind from command where token_id = $1", [id])).toEqual([{ kind: "read" }]);
});

test("a token known only to the database opens nothing", async () => {
  const { workspace, id, token } = await minted();
  const forged = `${TOKEN_PREFIX}${token.slice(TOKEN_PREFIX.length).split("").toReversed().join("")}`;
  await write(
    `insert into agent_token (workspace_id, id, name, hash, hint, audience, scopes, graphs, all_graphs, integrity, strict_errors,
       single_block, owner_id, created_at, expires_at)
     select workspace_id, $2, name, $3, hint, audience, scopes, graphs, all_graphs, integrity, strict_errors, single_block, owner_id,
       created_at, expires_at from agent_token where id = $1`,
    [id, randomUUID(), hashToken(forged)],
  );
  expect(await show(forged)).toBeNull();
  await write("alter table agent_token disable trigger user", []);
  await write("delete from agent_token where id <> $1 and workspace_id = $2", [id, workspace]);
  await write("update agent_token set hash = $2 where id = $1", [id, hashToken(forged)]);

  expect([await show(forged), await show(token)]).toEqual([null, null]);
});
