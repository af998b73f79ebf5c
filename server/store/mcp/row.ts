/** Rows of the MCP registry as values. Nothing in a row is believed: what does not parse reads as the safe thing. */
import { z } from "zod";
import { effectClassSchema, type ToolLabels } from "@/lib/graph/document";
import { classificationSchema } from "@/lib/graph/label";
import { digestOf, hexDigestSchema, type HexDigest } from "@/lib/hash";
import { definitionDigest, toolDefinitionSchema, type ToolDefinition } from "@/lib/mcp/definition";
import { callLimitsSchema, type CallLimits } from "@/lib/mcp/call-limits";
import { mcpAccessSchema, NO_ACCESS, type McpAccess } from "@/lib/mcp/access";
import { pinnedIdentitySchema, reachedDigest, serverIdentitySchema, type PinnedIdentity, type ServerIdentity } from "@/lib/mcp/identity";
import { allowedAgentsSchema } from "@/lib/mcp/registry-command";
import { splitLastError } from "@/lib/mcp/last-error";
import { mcpStatusSchema, type McpStatus } from "@/lib/mcp/status";
import { readEarlierTransport } from "@/lib/mcp/earlier-transport";
import { mcpTransportSchema, type McpTransport } from "@/lib/mcp/transport";
import { checkUrl, type EgressPolicy } from "@/server/security/egress-url";

/** What is stored about limits and does not parse is no limit at all: whatever it is about is not called. */
export type StoredLimits = CallLimits | null | "unreadable";

/** When the registry last looked, and what real calls met, as far as it is written down; it is some seconds behind. Dates are ISO texts. */
export type McpHealth = {
  readonly lookedAt: string | null;
  readonly okAt: string | null;
  readonly failedAt: string | null;
  /** A code of ours, never the server's words. */
  readonly lastFault: string | null;
  /** How long the last call took. */
  readonly lastMs: number | null;
  readonly calls: number;
  readonly faults: number;
};

export type McpToolRow = ToolLabels & {
  readonly name: string;
  /** `null`: as its server's. */
  readonly limits: StoredLimits;
  readonly definition: ToolDefinition | null;
  /** `null`: the server no longer has this tool. */
  readonly seenDigest: HexDigest | null;
  readonly pinned: ToolDefinition | null;
  readonly pinnedDigest: HexDigest | null;
  /** Since when a person has it switched off. */
  readonly blockedAt: Date | null;
};

export type McpServerRow = {
  readonly id: string;
  readonly name: string;
  /** `null`: what is stored is not a transport that may be used; nothing is started or reached. */
  readonly transport: McpTransport | null;
  /** By which command the operator offers what an earlier version stored as a command of its own; `null` for any other row. */
  readonly operatorCommand: string | null;
  /** What an http server is told of us; secrets by name. */
  readonly access: McpAccess;
  readonly status: McpStatus;
  readonly allowedAgents: readonly string[];
  readonly protocol: string | null;
  /** Who it said it was when it was last looked at. */
  readonly identity: ServerIdentity | null;
  /** Who it was when it was reviewed. `null`: nobody reviewed that, or what is stored is no such thing. */
  readonly pinnedIdentity: PinnedIdentity | null;
  readonly lastError: string | null;
  /** End of the error output that came with it; untrusted, and for admins only. */
  readonly errorOutput: string | null;
  readonly revision: number;
  readonly updatedAt: Date;
  /** Of those tools that have none of their own. `null`: ours. */
  readonly limits: StoredLimits;
  readonly health: McpHealth;
  /** As `serverDigest` has them. */
  readonly settings: HexDigest;
  readonly tools: readonly McpToolRow[];
};

/** The same judgement on write and on read. */
export const readTransport = (stored: unknown, egress: EgressPolicy): McpTransport | null => {
  const earlier = readEarlierTransport(stored);
  if (earlier) return "transport" in earlier ? earlier.transport : null;
  const parsed = mcpTransportSchema.safeParse(stored);
  if (!parsed.success) return null;
  if (parsed.data.type === "http" && !checkUrl(parsed.data.url, egress).ok) return null;

  return parsed.data;
};

const operatorCommandOf = (stored: unknown): string | null => {
  const earlier = readEarlierTransport(stored);

  return earlier && "operatorCommand" in earlier ? earlier.operatorCommand : null;
};

/** Whether a secret may be sent there. */
const isSecure = (url: string, egress: EgressPolicy): boolean => checkUrl(url, { ...egress, requireHttps: true }).ok;

/** `null`: not what may be stored. A secret is sent over https alone, and only to addresses that a server may be at. */
export const readAccess = (stored: unknown, transport: McpTransport, egress: EgressPolicy): McpAccess | null => {
  const parsed = mcpAccessSchema.safeParse(stored);
  if (!parsed.success) return null;
  const { headers, auth } = parsed.data;
  if (Object.keys(headers).length === 0 && auth === null) return parsed.data;
  if (transport.type !== "http" || !isSecure(transport.url, egress)) return null;
  if (auth !== null && !isSecure(auth.url, egress)) return null;

  return parsed.data;
};

const storedLimits = callLimitsSchema.nullable().or(z.unknown().transform(() => "unreadable" as const));

const isoDate = z.date().transform((at) => at.toISOString());

const healthFields = z.object({
  lookedAt: isoDate.nullable(),
  okAt: isoDate.nullable(),
  failedAt: isoDate.nullable(),
  lastFault: z.string().max(60).nullable().catch(null),
  lastMs: z.number().int().nullable(),
  calls: z.number().int(),
  faults: z.number().int(),
});

const toolFields = z.object({
  name: z.string(),
  limits: storedLimits,
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
  blockedAt: z.date().nullable(),
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
  headers: z.unknown(),
  auth: z.unknown(),
  status: mcpStatusSchema.catch("suspended"),
  allowedAgents: allowedAgentsSchema.catch([]),
  protocol: z.string().nullable(),
  identity: serverIdentitySchema.nullable().catch(null),
  pinnedIdentity: pinnedIdentitySchema.nullable().catch(null),
  lastError: z.string().nullable(),
  revision: z.number().int(),
  updatedAt: z.date(),
  limits: storedLimits,
  tools: z.array(z.unknown()),
});

const settingsSchema = z.object({
  name: z.string(),
  transport: z.json(),
  status: z.string(),
  allowedAgents: z.json(),
  headers: z.json(),
  auth: z.json(),
  limits: z.json(),
  pinnedIdentity: z.json(),
});
const toolSettingsSchema = z.object({
  name: z.string(),
  pinnedDigest: z.string().nullable(),
  effect: z.string(),
  idempotent: z.boolean(),
  output: z.string(),
  outward: z.boolean(),
  clearance: z.string(),
  limits: z.json(),
  blockedAt: z.unknown(),
});

/**
 * Digests everything that a person decided about a server, as it is stored; a tool counts from its review on, since what a
 * server merely says changes nothing. Secrets are named there and never kept.
 * @param stored a row with its tools in the order of their names
 */
export const serverDigest = (stored: unknown): HexDigest => {
  const { tools } = z.object({ tools: z.array(toolSettingsSchema) }).parse(stored);
  const pinned = tools.filter(({ pinnedDigest }) => pinnedDigest !== null);

  return digestOf("settings", {
    ...settingsSchema.parse(stored),
    tools: pinned.map(({ blockedAt, ...tool }) => ({ ...tool, blocked: blockedAt !== null })),
  });
};

export const readServer = (stored: unknown, egress: EgressPolicy): McpServerRow => {
  const { headers, auth, lastError, ...row } = serverFields.parse(stored);
  const error = lastError === null ? null : splitLastError(lastError);
  const transport = readTransport(row.transport, egress);
  const access = transport && readAccess({ headers, auth }, transport, egress);

  // Without what it has to be told a server is not reached at all, rather than as somebody else.
  return {
    ...row,
    transport: access && transport,
    operatorCommand: operatorCommandOf(row.transport),
    lastError: error?.message ?? null,
    errorOutput: error?.output ?? null,
    access: access ?? NO_ACCESS,
    health: healthFields.parse(stored),
    settings: serverDigest(stored),
    tools: row.tools.map(readTool),
  };
};

/** Who a server is as far as is known now; `null`: it cannot be reached at all. */
export const presentIdentity = ({ transport, access, identity }: McpServerRow): PinnedIdentity | null =>
  transport && { server: identity, reached: reachedDigest(transport, access) };
