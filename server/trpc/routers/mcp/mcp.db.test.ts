import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { computeProgramDigest, type Program } from "@/lib/mcp/program";
import type { RegistryOutcome } from "@/lib/mcp/registry-command";
import type { Role } from "@/lib/roles";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import { beat } from "@/server/store/health";
import { addMcpServer } from "@/server/store/mcp/servers";
import { answerRegistryCommand } from "@/server/store/mcp/registry-commands";
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

const answerNext = (outcome: RegistryOutcome) =>
  asAdmin(urls.admin, "update registry_command set status = 'done', outcome = $1 where status = 'pending'", [outcome]);

const commandThen = async (outcome: RegistryOutcome): Promise<unknown> => {
  const asked = as("admin").mcp.command({ type: "inspect", id: "x", revision: 1 });
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

describe("the registry for the web process", () => {
  it("shows the own workspace's servers only", async () => {
    await insertServer(mine, "ours");
    await insertServer(others, "theirs");
    expect((await as("viewer").mcp.list()).map(({ id }) => id)).toEqual(["ours"]);
    expect(await codeOf(as("viewer").mcp.get({ id: "theirs" }))).toMatchObject({ code: "not_found" });
    expect(await as("viewer").mcp.get({ id: "ours" })).toMatchObject({ status: "quarantined", allowedAgents: [], tools: [] });
  });

  it("shows the error output of a server to admins only", async () => {
    await insertServer(mine, "failing");
    await asAdmin(urls.admin, "update mcp_server set last_error = $1 where id = 'failing'", ["It exited.\n\nline 1\n\nline 2"]);
    const shown = async (role: Role) => {
      const [one, listed] = [await as(role).mcp.get({ id: "failing" }), await as(role).mcp.list()];

      return [one, listed.find(({ id }) => id === "failing")].map((view) => [view?.lastError, view?.errorOutput]);
    };
    for (const role of ["viewer", "builder", "reviewer"] as const) {
      expect(await shown(role)).toEqual([
        ["It exited.", null],
        ["It exited.", null],
      ]);
    }
    expect((await shown("admin"))[0]).toEqual(["It exited.", "line 1\n\nline 2"]);
    await asAdmin(urls.admin, "delete from mcp_server where id = 'failing'", []);
  });

  it("is read-only for the web process", async () => {
    const transport = { type: "http" as const, url: "https://example.com/mcp" };
    await expect(addMcpServer(mine, { id: "direct", name: "direct", transport })).rejects.toThrow("permission denied");
    await expect(answerRegistryCommand(mine, randomUUID(), { ok: true, revision: 1 }, 0)).rejects.toThrow("permission denied");
  });
});

describe("offered programs", () => {
  const program = (id: string): Program => ({
    id,
    name: id,
    runs: { kind: "file", path: `/srv/${id}.mjs` },
    files: "a".repeat(64),
    args: [],
    env: {},
    placeholders: {},
  });

  it("are live runners', with their digests, for admins only", async () => {
    const beating = (at: string, id: string, programs: unknown) =>
      asAdmin(urls.admin, `insert into runner_heartbeat (id, at, programs) values ($1, ${at}, $2::jsonb)`, [id, JSON.stringify(programs)]);
    const bundled = { ...program("shop"), runs: { kind: "bundled" } };
    await beating("now()", "alive", [program("files"), bundled]);
    await beating("now() - interval '1 minute'", "gone", [program("old")]);
    await beating("now()", "odd", [{ id: "odd" }]);
    const shown = await as("admin").mcp.programs();
    expect(shown.map(({ id }) => id)).toEqual(["files", "shop"]);
    expect(shown[0]?.digest).toBe(computeProgramDigest(program("files")));
    expect(await codeOf(as("builder").mcp.programs())).toMatchObject({ code: "forbidden" });
    await asAdmin(urls.admin, "update workspace set demo = true where id = $1", [others]);
    expect((await as("admin", others).mcp.programs()).map(({ id }) => id)).toEqual(["shop"]);
  });

  it("decide whether an active server is shown as active: one runner that has its program is enough", async () => {
    const manifest = { program: "tools", digest: computeProgramDigest(program("tools")), values: {} };
    await insertServer(mine, "stdio");
    await asAdmin(urls.admin, "update mcp_server set status = 'active', transport = $1::jsonb where id = 'stdio'", [
      JSON.stringify({ type: "stdio", manifest }),
    ]);
    const beating = (id: string, programs: readonly Program[]) =>
      asAdmin(
        urls.admin,
        "insert into runner_heartbeat (id, at, programs) values ($1, now(), $2::jsonb) on conflict (id) do update set programs = excluded.programs",
        [id, JSON.stringify(programs)],
      );
    const shown = async () => {
      const [one, list] = [await as("viewer").mcp.get({ id: "stdio" }), await as("viewer").mcp.list()];
      expect(list.find(({ id }) => id === "stdio")?.shownStatus).toBe(one.shownStatus);

      return [one.status, one.shownStatus, one.program];
    };
    await asAdmin(urls.admin, "delete from runner_heartbeat");
    expect(await shown()).toEqual(["active", "active", null]);
    await beating("first", []);
    expect(await shown()).toEqual(["active", "program_gone", { runners: 1, having: 0 }]);
    await beating("second", [{ ...program("tools"), files: "b".repeat(64) }]);
    expect(await shown()).toEqual(["active", "program_gone", { runners: 2, having: 0 }]);
    await beating("second", [program("tools")]);
    expect(await shown()).toEqual(["active", "active", { runners: 2, having: 1 }]);
    await asAdmin(urls.admin, "update mcp_server set status = 'suspended' where id = 'stdio'");
    await beating("second", []);
    expect(await shown()).toEqual(["suspended", "suspended", { runners: 2, having: 0 }]);
    await asAdmin(urls.admin, "delete from mcp_server where id = 'stdio'");
  });

  it("cannot be written by the web process", async () => {
    await expect(beat("mine", { programs: [program("mine")] })).rejects.toThrow("permission denied");
  });
});

describe("a command", () => {
  it.each(["viewer", "builder", "reviewer"] as const)("is forbidden to a %s", async (role) => {
    expect(await codeOf(as(role).mcp.command({ type: "inspect", id: "ours", revision: 1 }))).toMatchObject({ code: "forbidden" });
  });

  it("returns the runner's answer", async () => {
    expect(await commandThen({ ok: true, revision: 7 })).toEqual({ id: "x", revision: 7 });
    expect(await codeOf(commandThen({ ok: false, code: "conflict", message: "Changed." }))).toMatchObject({
      code: "conflict",
      message: "Changed.",
    });
    expect(await codeOf(commandThen({ ok: false, code: "constructor", message: "?" }))).toMatchObject({ code: "internal" });
  });
});
