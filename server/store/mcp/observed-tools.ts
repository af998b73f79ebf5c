import type { HexDigest } from "@/lib/hash";
import type { ToolDefinition } from "@/lib/mcp/definition";
import type { ServerIdentity } from "@/lib/mcp/identity";
import type { UnusableTool } from "@/lib/mcp/unusable-tool";
import { joinLastError, type LastError } from "@/lib/mcp/last-error";
import { systemClock } from "@/server/clock";
import { runInWorkspace, type Transaction } from "@/server/db/client";
import { Prisma } from "@/server/db/generated/client";
import { inStep, type RecordStep } from "./settings";

const now = (): Date => new Date(systemClock.now());

export type SeenTool = { readonly definition: ToolDefinition; readonly digest: HexDigest };

export type Seen = {
  readonly tools: readonly SeenTool[];
  readonly unusable: readonly UnusableTool[];
  readonly protocol: string | null;
  readonly identity: ServerIdentity | null;
};

/** Stores claims, which decide nothing. New tools get the most dangerous labels; a first inspection quarantines the server. */
export const saveSeen = async (workspaceId: string, id: string, seen: Seen, record: RecordStep | null = null): Promise<void> => {
  const first = { workspaceId, id, status: "discovered" };
  const isFirst = await runInWorkspace(workspaceId, async (tx) => {
    const names = seen.tools.map(({ definition }) => definition.name);
    for (const { definition, digest } of seen.tools) {
      await tx.mcpTool.upsert({
        where: { workspaceId_serverId_name: { workspaceId, serverId: id, name: definition.name } },
        create: { workspaceId, serverId: id, name: definition.name, definition, seenDigest: digest, effect: "irreversible" },
        update: { definition, seenDigest: digest },
      });
    }
    const gone = { workspaceId, serverId: id, name: { notIn: names } };
    await tx.mcpTool.deleteMany({ where: { ...gone, pinnedDigest: null, blockedAt: null } });
    await tx.mcpTool.updateMany({ where: gone, data: { seenDigest: "" } });
    const { protocol, identity, unusable } = seen;
    await tx.mcpServer.updateMany({
      where: { workspaceId, id },
      data: { protocol, identity: identity ?? Prisma.DbNull, unusable, lastError: null, lookedAt: now() },
    });

    return (await tx.mcpServer.count({ where: first })) > 0;
  });
  if (isFirst) await inStep(workspaceId, id, record, (tx) => tx.mcpServer.updateMany({ where: first, data: { status: "quarantined" } }));
};

/** Notes why a server was unreachable. @param record null: a passing fault, which is no step */
export const saveMcpError = async (workspaceId: string, id: string, error: LastError, record: RecordStep | null = null): Promise<void> => {
  const note = async (tx: Transaction): Promise<void> => {
    await tx.mcpServer.updateMany({ where: { workspaceId, id }, data: { lastError: joinLastError(error), lookedAt: now() } });
  };
  await (record ? inStep(workspaceId, id, record, note) : runInWorkspace(workspaceId, note));
};
