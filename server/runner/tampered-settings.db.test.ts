import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { graphSchema } from "@/lib/graph/document";
import { digestInForce } from "@/lib/engine/ledger/workspace-authority";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { digestOf } from "@/lib/hash";
import { toCanonicalJson, type Json } from "@/lib/json";
import type { WorkspaceCommand } from "@/lib/workspace-command";
import { publishCase } from "@/server/architect/publishing";
import { systemClock } from "@/server/clock";
import { applyRegistryCommand } from "@/server/mcp/registry";
import type { McpService } from "@/server/mcp/service";
import { createLocalMcp } from "@/server/mcp/testing/local-mcp";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin, serverRow } from "@/server/mcp/testing/registered";
import { createAdminStepSigner, recordAdminStep } from "@/server/runner/admin-ledger";
import { recordAttempts } from "@/server/runner/attempts";
import { createMcpStepRecorder } from "@/server/runner/mcp-record";
import { command, openDesk, query, type Desk } from "@/server/runner/testing/desk";
import { outcomeSchema } from "@/server/store/runs/commands";
import { testDatabase } from "@/server/testing/database";

const SERVER = "customers";
const TOOL = "find_customer";
const GRAPH = "7a000000-0000-4000-8000-000000000001";
const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let mcp: McpService;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  const { authority } = desk.deps;
  mcp = createLocalMcp({
    clock: systemClock,
    authority,
    installation,
    customersUrl: urls.customers,
    record: createMcpStepRecorder(desk.deps),
  });
}, 120_000);
afterAll(async () => {
  await mcp.close();
  await desk.mcp.close();
});

const relabel = (output: string) =>
  asAdmin(urls.admin, "update mcp_tool set output = $3 where workspace_id = $1 and server_id = $2 and name = $4", [
    desk.workspace,
    SERVER,
    output,
    TOOL,
  ]);
const standing = async () => digestInForce(await desk.deps.authority.read(desk.workspace), "mcp", SERVER);
const admin = () => ({ type: "user", id: desk.people.admin, role: "admin", auditor: false }) as const;
const apply = (body: object) => applyRegistryCommand(mcp, desk.workspace, admin(), body);
const ask = async (user: string, body: WorkspaceCommand) => {
  const ledger = getWorkspaceLedgerId(desk.workspace);
  const id = await command(desk, ledger, user, body);
  await recordAttempts(desk.deps, desk.workspace, ledger);
  const [row] = await query<{ outcome: unknown }>(urls.admin, "select outcome from command where id = $1", [id]);

  return outcomeSchema.parse(row?.outcome).refusal?.code ?? "accepted";
};

describe("a label lowered in the database", () => {
  afterEach(() => relabel("pii"));

  it("is not recorded by another change of its server", async () => {
    const before = await standing();
    const { revision } = await serverRow(desk.workspace, SERVER, mcp);
    await relabel("public");
    const limits = { type: "set_limits", id: SERVER, revision, tool: TOOL, limits: null };
    expect(await apply(limits)).toMatchObject({ ok: false, code: "conflict" });
    expect(await standing()).toBe(before);
    await relabel("pii");
    expect(await apply(limits)).toMatchObject({ ok: true });
  });

  it("is not published", async () => {
    const parsed = graphSchema.parse({
      format: "countersign/graph/v1",
      id: "change",
      name: "Change",
      inputs: { type: "object", properties: { said: { type: "string" } }, required: ["said"] },
      memory: [{ key: "said", schema: { type: "string" } }],
      nodes: [
        { id: "change", kind: "tool", read_keys: ["said"], config: { server: SERVER, tool: TOOL, arguments: { email: { from: "said" } } } },
      ],
      edges: [],
      start_node: "change",
      end_nodes: ["change"],
      max_iterations: 10,
    });
    await asAdmin(
      urls.admin,
      `with made as (insert into graph (workspace_id, id, name) values ($1, $2, 'Change'))
       insert into graph_revision (workspace_id, graph_id, revision, document, author_id) values ($1, $2, 1, $3, $4)`,
      [desk.workspace, GRAPH, toCanonicalJson(JSON.parse(JSON.stringify(parsed)) as Json), desk.people.builder],
    );
    const publish = async () => {
      const { hash, problems } = await publishCase(desk.workspace, GRAPH, 1);
      expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
      const request = crypto.randomUUID();
      expect(await ask(desk.people.builder, { kind: "publish_request", request, graph: GRAPH, revision: 1, hash })).toBe("accepted");

      return ask(desk.people.starter, { kind: "publish_approve", request, hash });
    };
    await relabel("public");
    expect(await publish()).toBe("projection_mismatch");
    await relabel("pii");
    expect(await publish()).toBe("accepted");
  });
});

describe("a server transport changed in the database", () => {
  const reroute = (from: string, to: string) =>
    asAdmin(urls.admin, "update mcp_server set transport = replace(transport::text, $3, $4)::jsonb where workspace_id = $1 and id = $2", [
      desk.workspace,
      SERVER,
      from,
      to,
    ]);

  it("is not used by an inspection or a console call", async () => {
    const [seen] = await query<{ seen_digest: string }>(urls.admin, "select seen_digest from mcp_tool where name = $1", [TOOL]);
    const steps: string[] = [];
    const tryOut = () =>
      mcp.tryOut(
        {
          id: SERVER,
          tool: TOOL,
          definition_digest: digestOf("settings", seen?.seen_digest ?? ""),
          arguments: {},
          typed: TOOL,
        },
        {
          workspaceId: desk.workspace,
          callId: crypto.randomUUID(),
          by: admin(),
          salt: "0".repeat(64),
          record: async (said) => {
            steps.push(said.step);

            return createAdminStepSigner(desk.deps, desk.workspace, { area: "mcp", ...said })(null);
          },
        },
        new AbortController().signal,
      );
    const inspect = async () => apply({ type: "inspect", id: SERVER, revision: (await serverRow(desk.workspace, SERVER, mcp)).revision });
    expect(await tryOut()).toEqual({ status: "refused", code: "changed" });
    await reroute('"customers"', '"elsewhere"');
    try {
      expect(await inspect()).toMatchObject({ ok: false, code: "conflict" });
      expect(await tryOut()).toEqual({ status: "refused", code: "not_found" });
    } finally {
      await reroute('"elsewhere"', '"customers"');
    }
    expect(await inspect()).toMatchObject({ ok: true });
  });
});

it("a console call leaves its server's settings in force", async () => {
  const before = await standing();
  const step = { by: admin(), area: "mcp", subject: SERVER, before: null, after: digestOf("settings", "said") } as const;
  await recordAdminStep(desk.deps, desk.workspace, { ...step, step: "console_called" });
  expect(await standing()).toBe(before);
});

it("a role raised in the database is not recorded by disabling its person", async () => {
  const { viewer, admin: by } = desk.people;
  const setRole = (role: string) => asAdmin(urls.admin, "update membership set role = $2 where user_id = $1", [viewer, role]);
  await setRole("reviewer");
  expect(await ask(by, { kind: "people_disable", user: viewer })).toBe("projection_mismatch");
  await setRole("viewer");
  expect(await ask(by, { kind: "people_disable", user: viewer })).toBe("accepted");
  expect(await ask(by, { kind: "people_enable", user: viewer })).toBe("accepted");
});
