import type { ToolLabels } from "@/lib/graph/document";
import { isToolLabelled } from "@/lib/mcp/label-proposal";
import type { ToolDefinition } from "@/lib/mcp/definition";
import type { ToolDrift } from "@/lib/mcp/drift";
import { computeIdentityDigest, findIdentityDrift, type IdentityField } from "@/lib/mcp/identity";
import type { Program } from "@/lib/mcp/program";
import { findPresence, toShownStatus, type ProgramPresence, type ShownStatus } from "@/lib/mcp/program-presence";
import type { HexDigest } from "@/lib/hash";
import { isAllowed, type Role } from "@/lib/roles";
import { presentIdentity, type McpServerRow, type McpToolRow } from "@/server/store/mcp/row";

export type ToolView = ToolLabels & {
  readonly name: string;
  readonly limits: McpToolRow["limits"];
  readonly seen: { readonly digest: string; readonly definition: ToolDefinition | null } | null;
  readonly pinned: { readonly digest: string; readonly definition: ToolDefinition | null } | null;
  readonly drift: ToolDrift["kind"] | null;
  readonly labelled: boolean;
  readonly blockedAt: string | null;
};

export type ServerView = Omit<McpServerRow, "updatedAt" | "tools"> & {
  readonly updatedAt: string;
  readonly tools: readonly ToolView[];
  /** Empty before the first review. */
  readonly identityDrift: readonly IdentityField[];
  /** Null: no program, or no runner reports. */
  readonly program: ProgramPresence | null;
  readonly shownStatus: ShownStatus;
  /** For reviewing exactly this; `null`: unreachable. */
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
    labelled: isToolLabelled(tool),
    limits,
    blockedAt: blockedAt?.toISOString() ?? null,
  };
};

/** Error output goes only to those who manage servers. @param reports one per live runner */
export const toServerView = (server: McpServerRow, role: Role, reports: readonly (readonly Program[])[] = []): ServerView => {
  const isReviewed = server.tools.some(({ pinnedDigest }) => pinnedDigest !== null);

  const present = presentIdentity(server);
  const program = findPresence(server.transport, reports);

  return {
    ...server,
    errorOutput: isAllowed(role, "mcp.manage") ? server.errorOutput : null,
    program,
    shownStatus: toShownStatus(server.status, program),
    updatedAt: server.updatedAt.toISOString(),
    tools: server.tools.map((tool) => toToolView(tool, isReviewed)),
    identityDrift: isReviewed && present ? findIdentityDrift(server.pinnedIdentity, present) : [],
    identityDigest: present && computeIdentityDigest(present),
  };
};
