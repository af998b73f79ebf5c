import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import type { RegistryOutcome } from "@/lib/mcp/registry-command";
import type { Role } from "@/lib/roles";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import { addMcpServer } from "@/server/store/mcp";
import { answerRegistryCommand } from "@/server/store/registry-commands";
import { callerAs } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";
import { homeWithVault } from "@/server/testing/home";

const urls = await testDatabase("web");
await homeWithVault();
const mine = await testWorkspace(urls.admin);
const others = await testWorkspace(urls.admin);

const as = (role: Role, workspaceId = mine) => callerAs(workspaceId, role);

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "none",
    (error: Error) => error.cause,
  );

const insertServer = (workspaceId: string, id: string) =>
  asAdmin(
    urls.admin,
    `insert into mcp_server (workspace_id, id, name, transport, status, allowed_agents)
     values ($1, $2, $2, '{"type":"http","url":"https://example.com/mcp"}', 'quarantined', '[]')`,
    [workspaceId, id],
  );

/** Answers the command that is waiting, as a runner would. */
const answerNext = (outcome: RegistryOutcome) =>
  asAdmin(urls.admin, "update registry_command set status = 'done', outcome = $1 where status = 'pending'", [outcome]);

const commandThen = async (outcome: RegistryOutcome): Promise<unknown> => {
  const asked = as("admin").mcp.command({ type: "inspect", id: "x" });
  const settled = vi.fn<() => void>();
  void asked.then(settled, settled);
  await vi.waitFor(
    async () => {
      await answerNext(outcome);
      expect(settled).toHaveBeenCalled();
    },
    { timeout: 10_000, interval: 50 },
  );

  return asked;
};

describe("the registry as the web process has it", () => {
  it("shows the servers of one's own workspace only", async () => {
    await insertServer(mine, "ours");
    await insertServer(others, "theirs");
    expect((await as("viewer").mcp.list()).map(({ id }) => id)).toEqual(["ours"]);
    expect(await codeOf(as("viewer").mcp.get({ id: "theirs" }))).toMatchObject({ code: "not_found" });
    expect(await as("viewer").mcp.get({ id: "ours" })).toMatchObject({ status: "quarantined", allowedAgents: [], tools: [] });
  });

  it("cannot be written by the web process, whatever it runs", async () => {
    const transport = { type: "http" as const, url: "https://example.com/mcp" };
    await expect(addMcpServer(mine, { id: "direct", name: "direct", transport })).rejects.toThrow("permission denied");
    await expect(answerRegistryCommand(mine, randomUUID(), { ok: true, revision: 1 }, 0)).rejects.toThrow("permission denied");
  });
});

describe("a command", () => {
  it.each(["viewer", "builder", "reviewer"] as const)("is forbidden to a %s", async (role) => {
    expect(await codeOf(as(role).mcp.command({ type: "inspect", id: "ours" }))).toMatchObject({ code: "forbidden" });
  });

  it("answers what the runner answered", async () => {
    expect(await commandThen({ ok: true, revision: 7 })).toEqual({ id: "x", revision: 7 });
    expect(await codeOf(commandThen({ ok: false, code: "conflict", message: "Changed." }))).toMatchObject({
      code: "conflict",
      message: "Changed.",
    });
    expect(await codeOf(commandThen({ ok: false, code: "constructor", message: "?" }))).toMatchObject({ code: "internal" });
  });
});
