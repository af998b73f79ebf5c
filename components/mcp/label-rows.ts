import type { ToolLabels } from "@/lib/graph/document";
import { listMissingLayers, type Isolation } from "@/lib/mcp/isolation";
import { proposeLabels, type ProposalReason } from "@/lib/mcp/label-proposal";
import { listHosts, type Program } from "@/lib/mcp/program";
import type { McpTransport } from "@/lib/mcp/transport";
import type { ToolView } from "@/server/trpc/routers/mcp/view";

export type LabelRow = {
  readonly name: string;
  readonly labels: ToolLabels;
  readonly inForce: ToolLabels;
  readonly isProposed: boolean;
  readonly reasons: readonly ProposalReason[];
};

/** Returns null without a readable definition. */
export const toLabelRow = (tool: ToolView, sealed: boolean): LabelRow | null => {
  const definition = tool.seen?.definition ?? tool.pinned?.definition ?? null;
  if (!definition) return null;
  const { name, effect, idempotent, output, outward, clearance } = tool;
  const inForce = { effect, idempotent, output, outward, clearance };
  if (tool.labelled) return { name, labels: inForce, inForce, isProposed: false, reasons: [] };

  return { name, inForce, isProposed: true, ...proposeLabels(definition, sealed) };
};

/** Returns whether the sandbox keeps the program from every network. */
export const isSealed = (transport: McpTransport | null, program: Program | null | undefined, isolation: Isolation | null): boolean => {
  if (transport?.type !== "stdio" || !program || !isolation) return false;
  const missing = listMissingLayers(isolation);
  if (missing.includes("network") || missing.includes("ports")) return false;

  return program.network !== "direct" && listHosts(program, transport.manifest.values).length === 0;
};
