/** Rows of the MCP registry as values. Nothing in a row is believed: what does not parse reads as the safe thing. */
import { z } from "zod";
import { effectClassSchema, type ToolLabels } from "@/lib/graph/document";
import { classificationSchema } from "@/lib/graph/label";
import { hexDigestSchema, type HexDigest } from "@/lib/hash";
import { definitionDigest, toolDefinitionSchema, type ToolDefinition } from "@/lib/mcp/definition";
import { allowedAgentsSchema } from "@/lib/mcp/registry-command";
import { mcpStatusSchema, type McpStatus } from "@/lib/mcp/status";
import { mcpTransportSchema, type McpTransport } from "@/lib/mcp/transport";
import { checkUrl, type EgressPolicy } from "@/server/security/egress-url";

export type McpToolRow = ToolLabels & {
  readonly name: string;
  readonly definition: ToolDefinition | null;
  /** `null`: the server no longer has this tool. */
  readonly seenDigest: HexDigest | null;
  readonly pinned: ToolDefinition | null;
  readonly pinnedDigest: HexDigest | null;
};

export type McpServerRow = {
  readonly id: string;
  readonly name: string;
  /** `null`: what is stored is not a transport that may be used; nothing is started or reached. */
  readonly transport: McpTransport | null;
  readonly status: McpStatus;
  readonly allowedAgents: readonly string[];
  readonly protocol: string | null;
  readonly lastError: string | null;
  readonly revision: number;
  readonly updatedAt: Date;
  readonly tools: readonly McpToolRow[];
};

/** The same judgement on write and on read. */
export const readTransport = (stored: unknown, egress: EgressPolicy): McpTransport | null => {
  const parsed = mcpTransportSchema.safeParse(stored);
  if (!parsed.success) return null;
  if (parsed.data.type === "http" && !checkUrl(parsed.data.url, egress).ok) return null;

  return parsed.data;
};

const toolFields = z.object({
  name: z.string(),
  definition: toolDefinitionSchema.nullable().catch(null),
  seenDigest: hexDigestSchema.nullable().catch(null),
  pinned: toolDefinitionSchema.nullable().catch(null),
  pinnedDigest: hexDigestSchema.nullable().catch(null),
  effect: effectClassSchema.catch("irreversible"),
  idempotent: z.boolean(),
  // A class that nobody knows is shown to nobody.
  output: classificationSchema.catch("secret"),
  outward: z.boolean(),
  // And nothing but what everybody knows is told to a tool whose clearance nobody knows.
  clearance: classificationSchema.catch("public"),
});

/** A pin whose definition is not the one its digest names is no pin. */
const readTool = (stored: unknown): McpToolRow => {
  const row = toolFields.parse(stored);
  const holds = row.pinned !== null && definitionDigest(row.pinned) === row.pinnedDigest;

  return holds ? row : { ...row, pinned: null, pinnedDigest: null };
};

const serverFields = z.object({
  id: z.string(),
  name: z.string(),
  transport: z.unknown(),
  status: mcpStatusSchema.catch("suspended"),
  allowedAgents: allowedAgentsSchema.catch([]),
  protocol: z.string().nullable(),
  lastError: z.string().nullable(),
  revision: z.number().int(),
  updatedAt: z.date(),
  tools: z.array(z.unknown()),
});

export const readServer = (stored: unknown, egress: EgressPolicy): McpServerRow => {
  const row = serverFields.parse(stored);

  return { ...row, transport: readTransport(row.transport, egress), tools: row.tools.map(readTool) };
};
