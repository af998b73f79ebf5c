import { z } from "zod";
import type { PinnedTool, ToolLabels } from "@/lib/graph/document";
import type { HexDigest } from "@/lib/hash";
import { AppError } from "@/lib/errors";
import type { CallLimits } from "@/lib/mcp/call-limits";
import { computeIdentityDigest } from "@/lib/mcp/identity";
import { DRIFTS, REACHABLE, type McpStatus } from "@/lib/mcp/status";
import { mcpAccessSchema, NO_ACCESS, type McpAccess } from "@/lib/mcp/access";
import { listSecretNames } from "@/lib/mcp/secret-names";
import { mcpTransportSchema, type McpTransport } from "@/lib/mcp/transport";
import { systemClock } from "@/server/clock";
import { runInWorkspace, type Transaction } from "@/server/db/client";
import { Prisma } from "@/server/db/generated/client";
import type { EgressPolicy } from "@/server/security/egress-url";
import { getMcpPolicy } from "@/server/security/mcp-policy";
import { presentIdentity, readAccess, readServer, readTransport, type McpServerRow } from "./row";
import { inStep, type RecordStep } from "./settings";

const now = (): Date => new Date(systemClock.now());

const withTools = { tools: { orderBy: { name: "asc" } } } as const;

export const listMcpServers = (workspaceId: string, egress: EgressPolicy = getMcpPolicy()): Promise<readonly McpServerRow[]> =>
  runInWorkspace(workspaceId, async (tx) => {
    const rows = await tx.mcpServer.findMany({ where: { workspaceId }, orderBy: { name: "asc" }, take: 500, include: withTools });

    return rows.map((row) => readServer(row, egress));
  });

export const getMcpServer = (workspaceId: string, id: string, egress: EgressPolicy = getMcpPolicy()): Promise<McpServerRow | null> =>
  runInWorkspace(workspaceId, async (tx) => {
    const row = await tx.mcpServer.findUnique({ where: { workspaceId_id: { workspaceId, id } }, include: withTools });

    return row && readServer(row, egress);
  });

/** Of usable servers. */
export const collectPinnedTools = (servers: readonly McpServerRow[]): readonly PinnedTool[] =>
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
  collectPinnedTools(await listMcpServers(workspaceId));

export const listServerSecrets = async (
  { mcpServer }: Pick<Transaction, "mcpServer">,
  workspaceId: string,
  ids: readonly string[],
): Promise<readonly string[]> => {
  const where = { workspaceId, id: { in: [...ids] } };
  const rows = ids.length === 0 ? [] : await mcpServer.findMany({ where, select: { transport: true, headers: true, auth: true } });
  const names = rows.flatMap(({ transport, headers, auth }) => {
    const way = z.object({ transport: mcpTransportSchema, access: mcpAccessSchema }).safeParse({ transport, access: { headers, auth } });

    return way.success ? listSecretNames(way.data) : [];
  });

  return [...new Set(names)];
};

type NewWay = { readonly transport: McpTransport; readonly access?: McpAccess };
type NewServer = NewWay & { readonly id: string; readonly name: string };

/** @throws AppError("bad_request") for values that would be unreadable */
const storedWay = ({ transport, access = NO_ACCESS }: NewWay, egress: EgressPolicy) => {
  if (!readTransport(transport, egress)) throw new AppError("bad_request");
  if (!readAccess(access, transport, egress)) {
    throw new AppError("bad_request", { message: "Credentials are sent to public addresses over https alone." });
  }

  return { transport, headers: access.headers, auth: access.auth ?? Prisma.DbNull };
};

/** @throws AppError("bad_request") for a forbidden transport, AppError("conflict") */
export const addMcpServer = (
  workspaceId: string,
  server: NewServer,
  egress: EgressPolicy = getMcpPolicy(),
  record: RecordStep | null = null,
): Promise<void> =>
  inStep(workspaceId, server.id, record, async (tx) => {
    const { count } = await tx.mcpServer.createMany({
      data: [{ workspaceId, id: server.id, name: server.name, ...storedWay(server, egress), status: "discovered", allowedAgents: [] }],
      skipDuplicates: true,
    });
    if (count === 0) throw new AppError("conflict", { message: "There is a server under this id already." });
  });

export const swap = async (
  tx: Transaction,
  where: { workspaceId: string; id: string; revision: number; status?: { in: McpStatus[] } },
  data: Prisma.McpServerUpdateManyMutationInput,
): Promise<number> => {
  const { count } = await tx.mcpServer.updateMany({ where, data: { ...data, revision: { increment: 1 }, updatedAt: now() } });
  if (count === 0) throw new AppError("conflict");

  return where.revision + 1;
};

/** @returns the new revision @throws AppError("conflict") unless at `revision` in one of `from` */
export const moveMcpServer = (
  workspaceId: string,
  id: string,
  revision: number,
  step: { readonly from: readonly McpStatus[]; readonly to: McpStatus; readonly lastError?: string | null },
  record: RecordStep | null = null,
): Promise<number> =>
  inStep(workspaceId, id, record, (tx) =>
    swap(
      tx,
      { workspaceId, id, revision, status: { in: [...step.from] } },
      { status: step.to, ...(step.lastError === undefined ? {} : { lastError: step.lastError }) },
    ),
  );

export const setMcpTransport = (
  workspaceId: string,
  id: string,
  revision: number,
  way: NewWay,
  egress: EgressPolicy = getMcpPolicy(),
  record: RecordStep | null = null,
): Promise<number> =>
  inStep(workspaceId, id, record, async (tx) =>
    swap(
      tx,
      { workspaceId, id, revision, status: { in: [...REACHABLE] } },
      { ...storedWay(way, egress), status: "discovered", identity: Prisma.DbNull, lastError: null },
    ),
  );

/** Suspends a drifted server. @returns false when already suspended for that */
export const driftMcpServer = (workspaceId: string, id: string, reason: string, record: RecordStep | null = null): Promise<boolean> =>
  inStep(
    workspaceId,
    id,
    // Seeing the same drift again is not a step.
    record && ((digests, within) => (digests.before === digests.after ? Promise.resolve() : record(digests, within))),
    async (tx) => {
      const { count } = await tx.mcpServer.updateMany({
        where: { workspaceId, id, status: { in: [...DRIFTS] } },
        data: { status: "drifted", lastError: reason, revision: { increment: 1 }, updatedAt: now() },
      });

      return count > 0;
    },
  );

export const setMcpAllowedAgents = (
  workspaceId: string,
  id: string,
  revision: number,
  agents: readonly string[],
  record: RecordStep | null = null,
): Promise<number> => inStep(workspaceId, id, record, (tx) => swap(tx, { workspaceId, id, revision }, { allowedAgents: [...agents] }));

/** @throws AppError("not_found") when one is unknown */
const changeTools = async (
  tx: Transaction,
  where: { workspaceId: string; id: string; revision: number },
  changes: Readonly<Record<string, Prisma.McpToolUpdateManyMutationInput>>,
): Promise<number> => {
  const next = await swap(tx, where, {});
  for (const [name, data] of Object.entries(changes)) {
    const { count } = await tx.mcpTool.updateMany({ where: { workspaceId: where.workspaceId, serverId: where.id, name }, data });
    if (count === 0) throw new AppError("not_found");
  }

  return next;
};

export const setMcpLabels = (
  workspaceId: string,
  id: string,
  revision: number,
  labels: Readonly<Record<string, ToolLabels>>,
  record: RecordStep | null = null,
): Promise<number> =>
  inStep(workspaceId, id, record, (tx) => {
    const labelledAt = now();
    const changes = Object.entries(labels).map(([tool, each]) => [tool, { ...each, labelledAt }] as const);

    return changeTools(tx, { workspaceId, id, revision }, Object.fromEntries(changes));
  });

/** Takes effect from the next call. */
export const setMcpBlocked = (
  workspaceId: string,
  id: string,
  revision: number,
  tool: string,
  isBlocked: boolean,
  record: RecordStep | null = null,
): Promise<number> =>
  inStep(workspaceId, id, record, (tx) =>
    changeTools(tx, { workspaceId, id, revision }, { [tool]: { blockedAt: isBlocked ? now() : null } }),
  );

/** @param tool `null`: the server's default @param limits `null`: remove */
export const setMcpLimits = (
  workspaceId: string,
  id: string,
  revision: number,
  tool: string | null,
  limits: CallLimits | null,
  record: RecordStep | null = null,
): Promise<number> =>
  inStep(workspaceId, id, record, (tx) => {
    const data = { limits: limits ?? Prisma.DbNull };

    return tool === null ? swap(tx, { workspaceId, id, revision }, data) : changeTools(tx, { workspaceId, id, revision }, { [tool]: data });
  });

const changedSince = () => new AppError("conflict", { message: "The server has changed since it was shown." });

/**
 * Pins the reviewed tools and identity.
 * @param identity digest of the shown one
 * @throws AppError("conflict") when the stored state differs
 */
export const pinMcpTools = (
  workspaceId: string,
  id: string,
  revision: number,
  expect: ReadonlyMap<string, HexDigest>,
  from: readonly McpStatus[],
  egress: EgressPolicy = getMcpPolicy(),
  { identity, record = null }: { readonly identity?: HexDigest | undefined; readonly record?: RecordStep | null } = {},
): Promise<number> =>
  inStep(workspaceId, id, record, async (tx) => {
    const row = await tx.mcpServer.findUnique({ where: { workspaceId_id: { workspaceId, id } }, include: withTools });
    const server = row && readServer(row, egress);
    if (!server) throw new AppError("not_found");
    const present = server.tools.filter(({ seenDigest }) => seenDigest !== null);
    const same = present.length === expect.size && present.every((tool) => expect.get(tool.name) === tool.seenDigest);
    const pinnedIdentity = presentIdentity(server);
    if (!same || present.length === 0 || !pinnedIdentity) throw changedSince();
    if (identity !== undefined && identity !== computeIdentityDigest(pinnedIdentity)) throw changedSince();
    const next = await swap(
      tx,
      { workspaceId, id, revision, status: { in: [...from] } },
      { status: "reviewed", pinnedIdentity, lastError: null },
    );

    for (const { name, definition, seenDigest } of present) {
      if (!definition) throw changedSince();
      await tx.mcpTool.updateMany({
        where: { workspaceId, serverId: id, name },
        data: { pinned: definition, pinnedDigest: seenDigest },
      });
    }
    const gone = { workspaceId, serverId: id, seenDigest: "" };
    await tx.mcpTool.deleteMany({ where: { ...gone, blockedAt: null } });
    // Keeps its switch for a return.
    await tx.mcpTool.updateMany({ where: gone, data: { pinned: Prisma.DbNull, pinnedDigest: null } });

    return next;
  });
