import { roleSchema, type Role } from "@/lib/roles";
import { runInWorkspace } from "@/server/db/client";

const CHANGING = ["write", "protected", "irreversible"];

/** The demo's runs and graphs. */
export type Given = { readonly runs: readonly string[]; readonly graphs: readonly string[] };

export type FirstDayFacts = {
  readonly roles: readonly Role[];
  readonly activeServers: number;
  readonly driftedServers: readonly string[];
  readonly publishedGraphs: number;
  /** After its first draft. */
  readonly changedGraph: boolean;
  /** The newest run with refusals. */
  readonly refusedRun: string | null;
  readonly newestRun: string | null;
  readonly forked: boolean;
  readonly decided: boolean;
  readonly approvedWrite: boolean;
};

/** @param given left out */
export const readFirstDay = (workspaceId: string, given: Given): Promise<FirstDayFacts> =>
  runInWorkspace(workspaceId, async (tx) => {
    const ownRun = { workspaceId, id: { notIn: [...given.runs] } };
    const ownGraph = { workspaceId, deletedAt: null };
    const latest = { orderBy: { createdAt: "desc" }, select: { id: true } } as const;
    const decided = { workspaceId, status: { in: ["approved", "rejected"] } };
    const members = await tx.membership.findMany({ where: { workspaceId, disabledAt: null }, select: { role: true } });
    const servers = await tx.mcpServer.findMany({
      where: { workspaceId, status: { in: ["active", "drifted"] } },
      select: { id: true, status: true },
    });
    const published = await tx.graph.count({ where: { ...ownGraph, id: { notIn: [...given.graphs] }, versions: { some: {} } } });
    const changed = await tx.graph.count({ where: { ...ownGraph, revision: { gt: 1 } } });
    const refused = await tx.run.findFirst({ where: { ...ownRun, refusals: { gt: 0 }, simulated: false }, ...latest });
    const newest = await tx.run.findFirst({ where: ownRun, ...latest });
    const forks = await tx.run.count({ where: { ...ownRun, parentRun: { not: null } } });
    const decisions = await tx.approval.count({ where: decided });
    const writes = await tx.approval.count({ where: { workspaceId, status: "approved", authority: { in: CHANGING } } });

    return {
      roles: [...new Set(members.flatMap(({ role }) => roleSchema.safeParse(role).data ?? []))],
      activeServers: servers.filter(({ status }) => status === "active").length,
      driftedServers: servers.flatMap(({ id, status }) => (status === "drifted" ? [id] : [])),
      publishedGraphs: published,
      changedGraph: changed > 0,
      refusedRun: refused?.id ?? null,
      newestRun: newest?.id ?? null,
      forked: forks > 0,
      decided: decisions > 0,
      approvedWrite: writes > 0,
    };
  });
