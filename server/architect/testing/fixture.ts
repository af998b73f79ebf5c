import { randomUUID } from "node:crypto";
import { buildDesk, DESK_CONTEXT } from "@/lib/architect/testing/desk";
import type { Graph } from "@/lib/graph/document";
import { computeDefinitionDigest, toolDefinitionSchema } from "@/lib/mcp/definition";
import { createVault } from "@/server/security/vault";
import { saveAgent } from "@/server/store/agents/agents";
import { createGraph, saveRevision } from "@/server/store/graphs/graphs";
import { asAdmin } from "@/server/mcp/testing/registered";

export const VAULT = createVault("7".repeat(64));

export type Office = { readonly workspaceId: string; readonly ben: string; readonly bea: string; readonly cleo: string };

/** Opens a workspace with three builders, two agents and pinned tools. */
export const openOffice = async (adminUrl: string): Promise<Office> => {
  const workspaceId = randomUUID();
  await asAdmin(adminUrl, "insert into workspace (id, name) values ($1, 'Office')", [workspaceId]);
  const person = async (name: string): Promise<string> => {
    const id = randomUUID();
    await asAdmin(adminUrl, "insert into app_user (id, email, name) values ($1, $2, $3)", [id, `${id}@test.invalid`, name]);
    await asAdmin(adminUrl, "insert into membership (workspace_id, user_id, role) values ($1, $2, 'builder')", [workspaceId, id]);

    return id;
  };
  const [ben, bea, cleo] = [await person("Ben"), await person("Bea"), await person("Cleo")];
  for (const agent of DESK_CONTEXT.agents) await saveAgent(workspaceId, agent, null);
  await asAdmin(
    adminUrl,
    `insert into mcp_server (workspace_id, id, name, transport, status, allowed_agents)
     values ($1, 'shop', 'Shop', '{"type":"http","url":"https://shop.example/mcp"}', 'active', '["clerk","node"]')`,
    [workspaceId],
  );
  for (const tool of DESK_CONTEXT.tools) {
    const definition = toolDefinitionSchema.parse({
      name: tool.tool,
      title: null,
      description: "",
      input_schema: tool.input_schema,
      output_schema: null,
      annotations: null,
    });
    await asAdmin(
      adminUrl,
      `insert into mcp_tool (workspace_id, server_id, name, definition, seen_digest, pinned_digest, pinned, effect, outward)
       values ($1, 'shop', $2, $3, $4, $4, $3, $5, false)`,
      [workspaceId, tool.tool, definition, computeDefinitionDigest(definition), tool.effect],
    );
  }

  return { workspaceId, ben, bea, cleo };
};

/** Builds a desk with fresh id and name: equal content is one version. */
export const anotherDesk = (change: (graph: Graph) => Graph = (graph) => graph): Graph =>
  buildDesk((graph) => change({ ...graph, id: `desk-${randomUUID()}`, name: `Desk ${randomUUID()}` }));

export const drawn = (office: Office, authorId: string, document: Graph = anotherDesk()) =>
  createGraph(office.workspaceId, { document, authorId });

/** Saves the next revision. @returns its number */
export const redrawn = async (
  office: Office,
  graph: { id: string; revision: number },
  authorId: string,
  document: Graph,
): Promise<number> => {
  const saved = await saveRevision(office.workspaceId, graph.id, { document, authorId, revision: graph.revision });
  if (!saved?.ok) throw new Error("the revision was not saved");

  return saved.value;
};
