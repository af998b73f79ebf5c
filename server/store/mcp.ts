/** The MCP registry. Every change names the revision it was made for; the second of two loses. */
import type { PinnedTool, ToolLabels } from "@/lib/graph/document";
import type { HexDigest } from "@/lib/hash";
import { AppError } from "@/lib/errors";
import type { CallLimits } from "@/lib/mcp/call-limits";
import type { ToolDefinition } from "@/lib/mcp/definition";
import type { McpStatus } from "@/lib/mcp/status";
import type { McpTransport } from "@/lib/mcp/transport";
import { systemClock } from "@/server/clock";
import { inWorkspace, type Transaction } from "@/server/db/client";
import { Prisma } from "@/server/db/generated/client";
import { PUBLIC_ONLY, type EgressPolicy } from "@/server/security/egress-url";
import { readServer, readTransport, type McpServerRow } from "./mcp-row";

const now = (): Date => new Date(systemClock.now());

const withTools = { tools: { orderBy: { name: "asc" } } } as const;

export const listMcpServers = (workspaceId: string, egress: EgressPolicy = PUBLIC_ONLY): Promise<readonly McpServerRow[]> =>
  inWorkspace(workspaceId, async (tx) => {
    const rows = await tx.mcpServer.findMany({ where: { workspaceId }, orderBy: { name: "asc" }, take: 500, include: withTools });

    return rows.map((row) => readServer(row, egress));
  });

export const getMcpServer = (workspaceId: string, id: string, egress: EgressPolicy = PUBLIC_ONLY): Promise<McpServerRow | null> =>
  inWorkspace(workspaceId, async (tx) => {
    const row = await tx.mcpServer.findUnique({ where: { workspaceId_id: { workspaceId, id } }, include: withTools });

    return row && readServer(row, egress);
  });

/** Reviewed tools of those servers that may be used, as a graph version freezes them. */
export const pinnedToolsOf = (servers: readonly McpServerRow[]): readonly PinnedTool[] =>
  servers
    .filter((server) => server.status === "active" || server.status === "reviewed")
    .flatMap((server) =>
      server.tools.flatMap(({ name, pinned, pinnedDigest, effect, idempotent, output, outward, clearance }): PinnedTool[] =>
        pinned && pinnedDigest
          ? [
              {
                server: server.id,
                tool: name,
                definition_digest: pinnedDigest,
                description: pinned.description,
                input_schema: pinned.input_schema,
                effect,
                idempotent,
                output,
                outward,
                clearance,
              },
            ]
          : [],
      ),
    );

export const listPinnedTools = async (workspaceId: string): Promise<readonly PinnedTool[]> =>
  pinnedToolsOf(await listMcpServers(workspaceId));

type NewServer = { readonly id: string; readonly name: string; readonly transport: McpTransport };

/** @throws AppError("bad_request") for a transport that may not be stored, AppError("conflict") when the id is taken */
export const addMcpServer = (workspaceId: string, server: NewServer, egress: EgressPolicy = PUBLIC_ONLY): Promise<void> =>
  inWorkspace(workspaceId, async (tx) => {
    if (!readTransport(server.transport, egress)) throw new AppError("bad_request");
    const { count } = await tx.mcpServer.createMany({
      data: [{ workspaceId, id: server.id, name: server.name, transport: server.transport, status: "quarantined", allowedAgents: [] }],
      skipDuplicates: true,
    });
    if (count === 0) throw new AppError("conflict", { message: "There is a server under this id already." });
  });

/** Moves the revision on, or tells that somebody else did. */
const swap = async (
  tx: Transaction,
  where: { workspaceId: string; id: string; revision: number; status?: { in: McpStatus[] } },
  data: Prisma.McpServerUpdateManyMutationInput,
): Promise<number> => {
  const { count } = await tx.mcpServer.updateMany({ where, data: { ...data, revision: { increment: 1 }, updatedAt: now() } });
  if (count === 0) throw new AppError("conflict");

  return where.revision + 1;
};

/** @returns the new revision @throws AppError("conflict") unless the server is at `revision` and in one of `from` */
export const moveMcpServer = (
  workspaceId: string,
  id: string,
  revision: number,
  step: { readonly from: readonly McpStatus[]; readonly to: McpStatus; readonly lastError?: string | null },
): Promise<number> =>
  inWorkspace(workspaceId, (tx) =>
    swap(
      tx,
      { workspaceId, id, revision, status: { in: [...step.from] } },
      { status: step.to, ...(step.lastError === undefined ? {} : { lastError: step.lastError }) },
    ),
  );

/** Replaces how a server is reached: whatever was reviewed before has to be reviewed again. */
export const setMcpTransport = (
  workspaceId: string,
  id: string,
  revision: number,
  transport: McpTransport,
  egress: EgressPolicy = PUBLIC_ONLY,
): Promise<number> =>
  inWorkspace(workspaceId, async (tx) => {
    if (!readTransport(transport, egress)) throw new AppError("bad_request");
    const status: McpStatus[] = ["quarantined", "reviewed", "active", "suspended"];

    return swap(tx, { workspaceId, id, revision, status: { in: status } }, { transport, status: "quarantined", lastError: null });
  });

/** Suspends whatever is in use, at any revision: what drift does. @returns whether something was in use */
export const suspendMcpServer = (workspaceId: string, id: string, reason: string): Promise<boolean> =>
  inWorkspace(workspaceId, async (tx) => {
    const { count } = await tx.mcpServer.updateMany({
      where: { workspaceId, id, status: { in: ["active", "reviewed"] } },
      data: { status: "suspended", lastError: reason, revision: { increment: 1 }, updatedAt: now() },
    });

    return count > 0;
  });

export const setMcpAllowedAgents = (workspaceId: string, id: string, revision: number, agents: readonly string[]): Promise<number> =>
  inWorkspace(workspaceId, (tx) => swap(tx, { workspaceId, id, revision }, { allowedAgents: [...agents] }));

export const setMcpLabels = (workspaceId: string, id: string, revision: number, tool: string, labels: ToolLabels): Promise<number> =>
  inWorkspace(workspaceId, async (tx) => {
    const next = await swap(tx, { workspaceId, id, revision }, {});
    const { count } = await tx.mcpTool.updateMany({ where: { workspaceId, serverId: id, name: tool }, data: labels });
    if (count === 0) throw new AppError("not_found");

    return next;
  });

/** @param tool `null`: the limits of the server's other tools @param limits `null`: none of its own */
export const setMcpLimits = (
  workspaceId: string,
  id: string,
  revision: number,
  tool: string | null,
  limits: CallLimits | null,
): Promise<number> =>
  inWorkspace(workspaceId, async (tx) => {
    const data = { limits: limits ?? Prisma.DbNull };
    if (tool === null) return swap(tx, { workspaceId, id, revision }, data);
    const next = await swap(tx, { workspaceId, id, revision }, {});
    const { count } = await tx.mcpTool.updateMany({ where: { workspaceId, serverId: id, name: tool }, data });
    if (count === 0) throw new AppError("not_found");

    return next;
  });

export type SeenTool = { readonly definition: ToolDefinition; readonly digest: HexDigest };

/** Keeps what a server said just now, beside what was reviewed. A tool that is new to us has the most dangerous labels until a person lowers them. */
export const saveSeenTools = (workspaceId: string, id: string, seen: readonly SeenTool[], protocol: string | null): Promise<void> =>
  inWorkspace(workspaceId, async (tx) => {
    const names = seen.map(({ definition }) => definition.name);
    for (const { definition, digest } of seen) {
      await tx.mcpTool.upsert({
        where: { workspaceId_serverId_name: { workspaceId, serverId: id, name: definition.name } },
        create: { workspaceId, serverId: id, name: definition.name, definition, seenDigest: digest, effect: "irreversible" },
        update: { definition, seenDigest: digest },
      });
    }
    const gone = { workspaceId, serverId: id, name: { notIn: names } };
    await tx.mcpTool.deleteMany({ where: { ...gone, pinnedDigest: null } });
    await tx.mcpTool.updateMany({ where: gone, data: { seenDigest: "" } });
    await tx.mcpServer.updateMany({ where: { workspaceId, id }, data: { protocol, lastError: null } });
  });

/** Notes why a server could not be reached; nothing else changes. */
export const saveMcpError = (workspaceId: string, id: string, message: string): Promise<void> =>
  inWorkspace(workspaceId, async (tx) => {
    await tx.mcpServer.updateMany({ where: { workspaceId, id }, data: { lastError: message } });
  });

/** Pins exactly the tools that were seen and looked at. @throws AppError("conflict") when what is stored differs from `expect` */
export const pinMcpTools = (
  workspaceId: string,
  id: string,
  revision: number,
  expect: ReadonlyMap<string, HexDigest>,
  from: readonly McpStatus[],
  egress: EgressPolicy = PUBLIC_ONLY,
): Promise<number> =>
  inWorkspace(workspaceId, async (tx) => {
    const next = await swap(tx, { workspaceId, id, revision, status: { in: [...from] } }, { status: "reviewed", lastError: null });
    const row = await tx.mcpServer.findUniqueOrThrow({ where: { workspaceId_id: { workspaceId, id } }, include: withTools });
    const present = readServer(row, egress).tools.filter(({ seenDigest }) => seenDigest !== null);
    const same = present.length === expect.size && present.every((tool) => expect.get(tool.name) === tool.seenDigest);
    if (!same || present.length === 0) throw new AppError("conflict", { message: "The tools have changed since they were shown." });

    for (const { name, definition, seenDigest } of present) {
      if (!definition) throw new AppError("conflict", { message: "The tools have changed since they were shown." });
      await tx.mcpTool.updateMany({
        where: { workspaceId, serverId: id, name },
        data: { pinned: definition, pinnedDigest: seenDigest },
      });
    }
    await tx.mcpTool.deleteMany({ where: { workspaceId, serverId: id, seenDigest: "" } });

    return next;
  });
