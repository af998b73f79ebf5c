import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { agentSchema, graphSchema, type PublishedGraph, type ToolLabels } from "@/lib/graph/document";
import { computeVersionHash } from "@/lib/graph/publish";
import { toCanonicalJson, type Json } from "@/lib/json";
import type { CommandBody } from "@/lib/engine/proposal";
import type { WorkspaceCommand } from "@/lib/workspace-command";
import { executeInProcess } from "@/server/executors/registry";
import { systemClock } from "@/server/clock";
import type { Installation } from "@/server/mcp/programs/installation";
import type { McpService } from "@/server/mcp/service";
import { bundleCustomers } from "@/server/mcp/testing/bundles";
import { createLocalMcp } from "@/server/mcp/testing/local-mcp";
import { bundledManifest } from "@/server/mcp/testing/programs";
import { activeServer, asAdmin, serverRow } from "@/server/mcp/testing/registered";
import { useSameModels } from "@/server/models/contract";
import { createModels } from "@/server/models/sdk/in-process";
import type { RunnerDeps } from "@/server/runner/deps";
import { createStopSwitches } from "@/server/runner/stop-switch";
import { openJournal } from "@/server/security/journal/journal";
import { loadSignerFromPem } from "@/server/security/keyring";
import { createVault } from "@/server/security/vault";
import { listPinnedTools, setMcpLabels } from "@/server/store/mcp/servers";
import { createAuthorityReader } from "@/server/store/trust/authority";
import { plantAnchor } from "@/server/security/testing/anchor";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { SUPPORT_DESK_AGENTS } from "@/server/seed/support-desk/agents";
import { SUPPORT_DESK_GRAPH } from "@/server/seed/support-desk/graph";
import { DEMO_MAILS } from "@/server/seed/support-desk/inbox";
import { recordRows, userAuthor, writeCommand } from "@/server/testing/authority";
import { queryOn } from "@/server/testing/connections";
import type { TestDatabase } from "@/server/testing/database";
import type { Role } from "@/lib/roles";

export type Desk = {
  readonly urls: TestDatabase;
  readonly installation: Installation;
  readonly workspace: string;
  readonly graphHash: string;
  readonly published: PublishedGraph;
  readonly people: Readonly<Record<Role, string>> & { readonly starter: string; readonly second: string };
  readonly deps: RunnerDeps;
  readonly mcp: McpService;
  readonly keys: { readonly pem: string; readonly vault: string };
};

export const deskDeps = async (
  urls: TestDatabase,
  installation: Installation,
  keys: Desk["keys"],
  leaseMs: number,
): Promise<{ deps: RunnerDeps; mcp: McpService }> => {
  const signer = loadSignerFromPem(keys.pem);
  await plantAnchor(installation.home, signer);
  const mcp = createLocalMcp({ clock: systemClock, installation, customersUrl: urls.customers });
  const authority = createAuthorityReader({ publicKeys: listPublicKeys });

  return {
    mcp,
    deps: {
      clock: systemClock,
      signer,
      vault: createVault(keys.vault),
      mcp,
      journal: await openJournal(installation.home, systemClock),
      modelsFor: useSameModels(createModels({})),
      execute: executeInProcess,
      publicKeys: listPublicKeys,
      authority,
      notify: () => undefined,
      leaseMs,
      switches: createStopSwitches(authority),
    },
  };
};

const PEOPLE = {
  viewer: "viewer",
  builder: "builder",
  reviewer: "reviewer",
  admin: "admin",
  starter: "builder",
  second: "reviewer",
} as const;

const addPerson = async (admin: string, workspace: string, name: keyof typeof PEOPLE): Promise<[keyof typeof PEOPLE, string]> => {
  const id = randomUUID();
  await asAdmin(admin, "insert into app_user (id, email, name) values ($1, $2, $3)", [id, `${name}-${id}@example.com`, name]);
  await asAdmin(admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, $3)", [workspace, id, PEOPLE[name]]);

  return [name, id];
};

/** Unlabelled tools count as irreversible. */
const label = async (workspace: string, mcp: McpService, server: string, tool: string, labels: ToolLabels): Promise<void> => {
  const row = await serverRow(workspace, server, mcp);
  await setMcpLabels(workspace, server, row.revision, { [tool]: labels });
};

const CUSTOMERS = { idempotent: true, output: "pii", outward: false, clearance: "pii" } as const;

const servers = async (workspace: string, mcp: McpService, installation: Installation): Promise<void> => {
  await activeServer(workspace, mcp, {
    id: "filesystem",
    manifest: await bundledManifest("filesystem", installation),
    agents: ["node"],
  });
  await activeServer(workspace, mcp, {
    id: "customers",
    manifest: await bundledManifest("customers", installation),
    agents: ["node", "planner"],
  });
  await label(workspace, mcp, "filesystem", "read_text_file", {
    effect: "read",
    idempotent: true,
    output: "internal",
    outward: false,
    clearance: "internal",
  });
  await label(workspace, mcp, "customers", "find_customer", { effect: "read", ...CUSTOMERS });
  await label(workspace, mcp, "customers", "update_plan", { effect: "write", ...CUSTOMERS });
};

const freshKeys = (): Desk["keys"] => ({
  pem: generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  vault: randomBytes(32).toString("hex"),
});

/** Opens a desk, also outside vitest. */
export const openDesk = async (urls: TestDatabase, installation: Installation, keys = freshKeys()): Promise<Desk> => {
  await bundleCustomers(installation);
  for (const [name, text] of Object.entries(DEMO_MAILS)) await writeFile(path.join(installation.home, "inbox", name), text);
  const { deps, mcp } = await deskDeps(urls, installation, keys, 60_000);
  const workspace = randomUUID();
  await asAdmin(urls.admin, "insert into workspace (id, name) values ($1, 'Support')", [workspace]);
  // Graph-defined, so that tests approve writes without a passkey.
  await asAdmin(urls.admin, "insert into approval_policy (workspace_id, approvals) values ($1, 'graph')", [workspace]);
  const names = Object.keys(PEOPLE).filter((name): name is keyof typeof PEOPLE => name in PEOPLE);
  const people = Object.fromEntries(await Promise.all(names.map((name) => addPerson(urls.admin, workspace, name)))) as Desk["people"];
  await servers(workspace, mcp, installation);
  const published: PublishedGraph = {
    graph: graphSchema.parse(SUPPORT_DESK_GRAPH),
    agents: SUPPORT_DESK_AGENTS.map((agent) => agentSchema.parse(agent)),
    tools: [...(await listPinnedTools(workspace))],
    subgraphs: [],
  };
  const graphHash = await publishAs({ urls, deps, workspace }, published, people.builder);

  return { urls, installation, workspace, graphHash, published, people, deps, mcp, keys };
};

export const publishAs = async (
  {
    urls: { admin },
    deps,
    workspace,
  }: Pick<Desk, "urls" | "workspace"> & { readonly deps: Pick<RunnerDeps, "authority" | "clock" | "signer"> },
  published: PublishedGraph,
  author: string,
): Promise<string> => {
  const hash = computeVersionHash(published);
  const graph = randomUUID();
  await asAdmin(admin, "insert into graph (workspace_id, id, name) values ($1, $2, $3)", [workspace, graph, published.graph.name]);
  await asAdmin(
    admin,
    "insert into graph_version (workspace_id, hash, graph_id, number, document, author_id) values ($1, $2, $3, 1, $4, $5) on conflict do nothing",
    [workspace, hash, graph, toCanonicalJson(JSON.parse(JSON.stringify(published)) as Json), author],
  );
  await recordRows(deps, workspace);

  return hash;
};

export const withoutBackoff = <T extends Pick<PublishedGraph, "graph">>(published: T): T => {
  const nodes = published.graph.nodes.map((node) => ({ ...node, failure_policy: { ...node.failure_policy, backoff_ms: 1 } }));

  return { ...published, graph: { ...published.graph, nodes } };
};

export const command = (
  { urls, deps, workspace }: Desk,
  runId: string,
  userId: string,
  body: CommandBody | WorkspaceCommand,
): Promise<string> => writeCommand(urls.admin, deps, { workspace, runId, author: userAuthor(userId), body });

export const addMember = async (
  { urls, deps, workspace }: Desk,
  role: Role,
  { auditor = false, name = "Sample user" }: { readonly auditor?: boolean; readonly name?: string } = {},
): Promise<string> => {
  const id = randomUUID();
  await asAdmin(urls.admin, "insert into app_user (id, email, name) values ($1, $2, $3)", [id, `${id}@example.com`, name]);
  await asAdmin(urls.admin, "insert into membership (workspace_id, user_id, role, auditor) values ($1, $2, $3, $4)", [
    workspace,
    id,
    role,
    auditor,
  ]);
  await recordRows(deps, workspace);

  return id;
};

export const startRun = async (desk: Desk, persona: string, mail: string, graphHash = desk.graphHash): Promise<string> => {
  const runId = randomUUID();
  await command(desk, runId, desk.people.starter, {
    kind: "start",
    graph_hash: graphHash,
    goal: "Handle the mail",
    constraints: [],
    inputs: { mail_file: mail },
    model: `scripted:${persona}`,
  });

  return runId;
};

export const query = queryOn;
