/** A registered server as screens get it. Digests and definitions are public inside the workspace; there are no secrets in a row. */
import type { ToolLabels } from "@/lib/graph/document";
import type { ToolDefinition } from "@/lib/mcp/definition";
import type { ToolDrift } from "@/lib/mcp/drift";
import { identityDigest, identityDrift, type IdentityField } from "@/lib/mcp/identity";
import type { HexDigest } from "@/lib/hash";
import { may, type Role } from "@/lib/roles";
import { presentIdentity, type McpServerRow, type McpToolRow } from "@/server/store/mcp/row";

export type ToolView = ToolLabels & {
  readonly name: string;
  readonly limits: McpToolRow["limits"];
  readonly seen: { readonly digest: string; readonly definition: ToolDefinition | null } | null;
  readonly pinned: { readonly digest: string; readonly definition: ToolDefinition | null } | null;
  /** `null` while nothing differs from the review, or nothing was reviewed. */
  readonly drift: ToolDrift["kind"] | null;
  /** Since when a person has it switched off. */
  readonly blockedAt: string | null;
};

/** The row as it travels: dates as text, tools as screens need them. */
export type ServerView = Omit<McpServerRow, "updatedAt" | "tools"> & {
  readonly updatedAt: string;
  readonly tools: readonly ToolView[];
  /** What of the server itself is not as it was reviewed; nothing before the first review. */
  readonly identityDrift: readonly IdentityField[];
  /** Of who it is now, for a review of exactly that; `null`: it cannot be reached. */
  readonly identityDigest: HexDigest | null;
};

const toToolView = (tool: McpToolRow, isReviewed: boolean): ToolView => {
  const { name, limits, blockedAt, seenDigest, pinnedDigest, effect, idempotent, output, outward, clearance } = tool;
  const same = seenDigest === pinnedDigest;
  const drift = pinnedDigest === null ? "added" : seenDigest === null ? "removed" : "changed";

  return {
    name,
    seen: seenDigest === null ? null : { digest: seenDigest, definition: tool.definition },
    pinned: pinnedDigest === null ? null : { digest: pinnedDigest, definition: tool.pinned },
    drift: isReviewed && !same ? drift : null,
    effect,
    idempotent,
    output,
    outward,
    clearance,
    limits,
    blockedAt: blockedAt?.toISOString() ?? null,
  };
};

/** @param role of the member who is shown it: error output goes to those who manage servers */
export const toServerView = (server: McpServerRow, role: Role): ServerView => {
  const isReviewed = server.tools.some(({ pinnedDigest }) => pinnedDigest !== null);

  const present = presentIdentity(server);

  return {
    ...server,
    errorOutput: may(role, "mcp.manage") ? server.errorOutput : null,
    updatedAt: server.updatedAt.toISOString(),
    tools: server.tools.map((tool) => toToolView(tool, isReviewed)),
    identityDrift: isReviewed && present ? identityDrift(server.pinnedIdentity, present) : [],
    identityDigest: present && identityDigest(present),
  };
};
