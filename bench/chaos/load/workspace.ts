import { randomUUID } from "node:crypto";
import path from "node:path";
import type { PublishedGraph, ToolLabels } from "@/lib/graph/document";
import { computeVersionHash } from "@/lib/graph/publish";
import { toCanonicalJson, type Json } from "@/lib/json";
import { DEFAULT_CALL_LIMITS } from "@/lib/mcp/call-limits";
import { systemClock } from "@/server/clock";
import type { McpService } from "@/server/mcp/service";
import { createLocalMcp } from "@/server/mcp/testing/local-mcp";
import { activeServer, asAdmin, serverRow } from "@/server/mcp/testing/registered";
import { offerInPlace } from "@/server/mcp/testing/programs";
import { adoptRows } from "@/server/runner/adopt";
import { loadSigner } from "@/server/security/keyring";
import { listPublicKeys, useTrustAnchor } from "@/server/security/trust-anchor";
import { createAuthorityReader } from "@/server/store/trust/authority";
import { listPinnedTools, setMcpLabels, setMcpLimits } from "@/server/store/mcp/servers";
import type { Home } from "@/bench/chaos/home";
import { GRAPH_NAMES, findVersion, type GraphName } from "@/bench/chaos/load/graphs";

export type Version = { readonly hash: string; readonly published: PublishedGraph };

export type Workspace = {
  readonly id: string;
  readonly people: { readonly starter: string; readonly reviewer: string };
  readonly versions: Readonly<Record<GraphName, Version>>;
};

const INNER = { output: "internal", outward: false, clearance: "internal" } as const;
const LABELS: Readonly<Record<string, ToolLabels>> = {
  look: { effect: "read", idempotent: true, ...INNER },
  refuse: { effect: "read", idempotent: true, ...INNER },
  post: { effect: "write", idempotent: true, ...INNER },
  withdraw: { effect: "write", idempotent: true, ...INNER },
  send: { effect: "write", idempotent: false, ...INNER },
};

/** A breaker would hide faults from runs. */
const LIMITS = {
  ...DEFAULT_CALL_LIMITS,
  timeout_ms: 5_000,
  total_ms: 8_000,
  concurrency: 32,
  breaker: { faults: 1_000, cool_down_ms: 1_000 },
};

const addPerson = async (admin: string, workspace: string, role: string): Promise<string> => {
  const id = randomUUID();
  await asAdmin(admin, "insert into app_user (id, email, name) values ($1, $2, $3)", [id, `${id}@example.com`, role]);
  await asAdmin(admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, $3)", [workspace, id, role]);

  return id;
};

const addWorld = async (workspace: string, mcp: McpService, home: Home): Promise<void> => {
  const args = [home.received, home.deeds, home.toolRate, home.misdeeds];
  const manifest = await offerInPlace(mcp.installation, "world", home.effectsProgram, { args });
  await activeServer(workspace, mcp, { id: "world", manifest, agents: ["node", "worker"] });
  for (const [tool, labels] of Object.entries(LABELS)) {
    const { revision } = await serverRow(workspace, "world", mcp);
    await setMcpLabels(workspace, "world", revision, { [tool]: labels });
  }
  const { revision } = await serverRow(workspace, "world", mcp);
  await setMcpLimits(workspace, "world", revision, null, LIMITS);
};

const publish = async (admin: string, workspace: string, published: PublishedGraph, author: string): Promise<Version> => {
  const hash = computeVersionHash(published);
  const graph = randomUUID();
  const document = toCanonicalJson(JSON.parse(JSON.stringify(published)) as Json);
  await asAdmin(admin, "insert into graph (workspace_id, id, name) values ($1, $2, $3)", [workspace, graph, published.graph.name]);
  await asAdmin(
    admin,
    "insert into graph_version (workspace_id, hash, graph_id, number, document, author_id) values ($1, $2, $3, 1, $4, $5)",
    [workspace, hash, graph, document, author],
  );

  return { hash, published };
};

/** @param admin connection string; this process's database uses the runner's role */
export const makeWorkspace = async (admin: string, home: Home): Promise<Workspace> => {
  const id = randomUUID();
  await asAdmin(admin, "insert into workspace (id, name) values ($1, 'Chaos')", [id]);
  // Its reviewers have no passkeys.
  await asAdmin(admin, "insert into approval_policy (workspace_id, approvals) values ($1, 'graph')", [id]);
  const [author, starter, reviewer] = await Promise.all(["builder", "builder", "reviewer"].map((role) => addPerson(admin, id, role)));
  if (author === undefined || starter === undefined || reviewer === undefined) throw new Error("a member is missing");
  const mcp = createLocalMcp({
    clock: systemClock,
    installation: { home: home.folder, root: path.resolve(".") },
  });
  try {
    await addWorld(id, mcp, home);
  } finally {
    await mcp.close();
  }
  const tools = await listPinnedTools(id);
  const made = await Promise.all(
    GRAPH_NAMES.map(async (name) => [name, await publish(admin, id, findVersion(name, tools), author)] as const),
  );
  useTrustAnchor(home.folder);
  await adoptRows({ clock: systemClock, signer: loadSigner(home.folder) }, createAuthorityReader({ publicKeys: listPublicKeys }), id);

  return { id, people: { starter, reviewer }, versions: Object.fromEntries(made) as Record<GraphName, Version> };
};
