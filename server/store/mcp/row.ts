/** Registry rows: untrusted, so unparsable ones read as the safe default. */
import { z } from "zod";
import { effectClassSchema, type ToolLabels } from "@/lib/graph/document";
import { classificationSchema } from "@/lib/graph/label";
import { digestOf, hexDigestSchema, type HexDigest } from "@/lib/hash";
import { computeDefinitionDigest, toolDefinitionSchema, type ToolDefinition } from "@/lib/mcp/definition";
import { callLimitsSchema, type CallLimits } from "@/lib/mcp/call-limits";
import { mcpAccessSchema, NO_ACCESS, type McpAccess } from "@/lib/mcp/access";
import {
  pinnedIdentitySchema,
  computeReachedDigest,
  serverIdentitySchema,
  type PinnedIdentity,
  type ServerIdentity,
} from "@/lib/mcp/identity";
import { allowedAgentsSchema } from "@/lib/mcp/registry-command";
import { splitLastError } from "@/lib/mcp/last-error";
import { unusableToolSchema, type UnusableTool } from "@/lib/mcp/unusable-tool";
import type { RefusedAddress } from "@/lib/mcp/refused-address";
import { mcpStatusSchema, type McpStatus } from "@/lib/mcp/status";
import { readEarlierTransport } from "@/lib/mcp/earlier-transport";
import { mcpTransportSchema, type McpTransport } from "@/lib/mcp/transport";
import { checkUrl, type EgressPolicy } from "@/server/security/egress-url";

/** Unreadable limits block every call. */
export type StoredLimits = CallLimits | null | "unreadable";

/** Seconds behind. */
export type McpHealth = {
  readonly lookedAt: string | null;
  readonly okAt: string | null;
  readonly failedAt: string | null;
  /** Never the server's words. */
  readonly lastFault: string | null;
  readonly lastMs: number | null;
  readonly calls: number;
  readonly faults: number;
};

export type McpToolRow = ToolLabels & {
  readonly name: string;
  /** `null`: the server's. */
  readonly limits: StoredLimits;
  readonly definition: ToolDefinition | null;
  /** `null`: no longer offered. */
  readonly seenDigest: HexDigest | null;
  readonly pinned: ToolDefinition | null;
  readonly pinnedDigest: HexDigest | null;
  /** Null: not since this was stored. */
  readonly labelledAt: Date | null;
  readonly blockedAt: Date | null;
};

export type McpServerRow = {
  readonly id: string;
  readonly name: string;
  /** `null`: not permitted. */
  readonly transport: McpTransport | null;
  readonly refused: RefusedAddress | null;
  /** The operator's replacement of an earlier version's command. */
  readonly operatorCommand: string | null;
  /** Secrets by name. */
  readonly access: McpAccess;
  readonly status: McpStatus;
  readonly allowedAgents: readonly string[];
  readonly protocol: string | null;
  /** Self-declared. */
  readonly identity: ServerIdentity | null;
  /** Listed tools that cannot be called. Names are untrusted. */
  readonly unusable: readonly UnusableTool[];
  /** `null`: not reviewed, or unreadable. */
  readonly pinnedIdentity: PinnedIdentity | null;
  readonly lastError: string | null;
  /** Untrusted; for admins only. */
  readonly errorOutput: string | null;
  readonly revision: number;
  readonly updatedAt: Date;
  readonly limits: StoredLimits;
  readonly health: McpHealth;
  /** By `computeServerDigest`. */
  readonly settings: HexDigest;
  readonly tools: readonly McpToolRow[];
};

export const readTransport = (stored: unknown, egress: EgressPolicy): McpTransport | null => {
  const earlier = readEarlierTransport(stored);
  if (earlier) return "transport" in earlier ? earlier.transport : null;
  const parsed = mcpTransportSchema.safeParse(stored);
  if (!parsed.success) return null;
  if (parsed.data.type === "http" && !checkUrl(parsed.data.url, egress).ok) return null;

  return parsed.data;
};

const refusedAddressOf = (stored: unknown, egress: EgressPolicy): RefusedAddress | null => {
  const parsed = mcpTransportSchema.safeParse(stored).data;
  if (parsed?.type !== "http") return null;
  const checked = checkUrl(parsed.url, egress);

  return checked.ok ? null : { origin: URL.parse(parsed.url)?.origin ?? "", fault: checked.error };
};

const operatorCommandOf = (stored: unknown): string | null => {
  const earlier = readEarlierTransport(stored);

  return earlier && "operatorCommand" in earlier ? earlier.operatorCommand : null;
};

const isSecure = (url: string, egress: EgressPolicy): boolean => checkUrl(url, { ...egress, requireHttps: true }).ok;

/** `null`: not storable. Secrets need https and permitted addresses. */
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
  // Unknown: shown to no one.
  output: classificationSchema.catch("secret"),
  outward: z.boolean(),
  // Unknown: receives only public values.
  clearance: classificationSchema.catch("public"),
  labelledAt: z.date().nullable(),
  blockedAt: z.date().nullable(),
});

const readTool = (stored: unknown): McpToolRow => {
  const row = toolFields.parse(stored);
  const holds = row.pinned !== null && computeDefinitionDigest(row.pinned) === row.pinnedDigest;

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
  unusable: z.array(unusableToolSchema).catch([]),
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
  labelledAt: z.unknown(),
  blockedAt: z.unknown(),
});

/** Digests all human decisions about a server. @param stored a row with tools ordered by name */
export const computeServerDigest = (stored: unknown): HexDigest => {
  const { tools } = z.object({ tools: z.array(toolSettingsSchema) }).parse(stored);
  const pinned = tools.filter(({ pinnedDigest }) => pinnedDigest !== null);

  return digestOf("settings", {
    ...settingsSchema.parse(stored),
    tools: pinned.map(({ blockedAt, labelledAt, ...tool }) => ({
      ...tool,
      blocked: blockedAt !== null,
      // Earlier records have no such member.
      ...(labelledAt === null ? {} : { labelled: true }),
    })),
  });
};

export const readServer = (stored: unknown, egress: EgressPolicy): McpServerRow => {
  const { headers, auth, lastError, ...row } = serverFields.parse(stored);
  const error = lastError === null ? null : splitLastError(lastError);
  const transport = readTransport(row.transport, egress);
  const access = transport && readAccess({ headers, auth }, transport, egress);

  // Without its credentials, a server is not reached at all.
  return {
    ...row,
    transport: access && transport,
    refused: refusedAddressOf(row.transport, egress),
    operatorCommand: operatorCommandOf(row.transport),
    lastError: error?.message ?? null,
    errorOutput: error?.output ?? null,
    access: access ?? NO_ACCESS,
    health: healthFields.parse(stored),
    settings: computeServerDigest(stored),
    tools: row.tools.map(readTool),
  };
};

export const presentIdentity = ({ transport, access, identity }: McpServerRow): PinnedIdentity | null =>
  transport && { server: identity, reached: computeReachedDigest(transport, access) };
