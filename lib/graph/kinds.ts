/** Every node kind: its config schema and what is true of all nodes of the kind. The compiler demands an entry per kind. */
import { agentConfigSchema } from "@/lib/graph/nodes/agent";
import { approvalConfigSchema } from "@/lib/graph/nodes/approval";
import { routerConfigSchema } from "@/lib/graph/nodes/router";
import { toolConfigSchema } from "@/lib/graph/nodes/tool";
import { transformConfigSchema } from "@/lib/graph/nodes/transform";
import type { z } from "zod";

export const NODE_KINDS = {
  agent: { title: "Agent", about: "A model with tools proposes a value", config: agentConfigSchema },
  tool: { title: "Tool", about: "Calls one granted MCP tool", config: toolConfigSchema },
  router: { title: "Router", about: "Its edges decide where the run goes", config: routerConfigSchema },
  transform: { title: "Transform", about: "Computes values with CEL", config: transformConfigSchema },
  approval: { title: "Approval", about: "A person decides before the run goes on", config: approvalConfigSchema },
} as const satisfies Record<string, { title: string; about: string; config: z.ZodType }>;

export type NodeKind = keyof typeof NODE_KINDS;
