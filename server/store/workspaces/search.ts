import { runInWorkspace } from "@/server/db/client";
import { escapeLike } from "@/server/store/sql/like";

const MOST = 5;

const like = (text: string) => ({ contains: escapeLike(text), mode: "insensitive" as const });

export type NamedHit = { readonly id: string; readonly name: string };

export const searchGraphs = (workspaceId: string, text: string): Promise<readonly NamedHit[]> =>
  runInWorkspace(workspaceId, (tx) =>
    tx.graph.findMany({
      where: { workspaceId, deletedAt: null, OR: [{ name: like(text) }, { tags: { has: text } }] },
      orderBy: { updatedAt: "desc" },
      take: MOST,
      select: { id: true, name: true },
    }),
  );

export const searchServers = (workspaceId: string, text: string): Promise<readonly (NamedHit & { readonly status: string })[]> =>
  runInWorkspace(workspaceId, (tx) =>
    tx.mcpServer.findMany({
      where: { workspaceId, OR: [{ name: like(text) }, { id: like(text) }] },
      orderBy: { name: "asc" },
      take: MOST,
      select: { id: true, name: true, status: true },
    }),
  );

export type PersonHit = NamedHit & { readonly email: string; readonly role: string };

export const searchPeople = (workspaceId: string, text: string): Promise<readonly PersonHit[]> =>
  runInWorkspace(workspaceId, async (tx) => {
    const found = await tx.membership.findMany({
      where: { workspaceId, user: { OR: [{ name: like(text) }, { email: like(text) }] } },
      orderBy: { user: { name: "asc" } },
      take: MOST,
      select: { role: true, user: { select: { id: true, name: true, email: true } } },
    });

    return found.map(({ role, user }) => ({ ...user, role }));
  });

export type ApprovalHit = { readonly id: string; readonly node: string; readonly prompt: string; readonly status: string };

/** By node, question or graph; open ones first. */
export const searchApprovals = (workspaceId: string, text: string): Promise<readonly ApprovalHit[]> =>
  runInWorkspace(workspaceId, async (tx) => {
    const graphs = await tx.graph.findMany({ where: { workspaceId, name: like(text) }, take: MOST, select: { id: true } });
    const runs = await tx.run.findMany({
      where: { workspaceId, graphId: { in: graphs.map(({ id }) => id) } },
      orderBy: { createdAt: "desc" },
      take: MOST * MOST,
      select: { id: true },
    });
    const found = await tx.approval.findMany({
      where: { workspaceId, OR: [{ node: like(text) }, { prompt: like(text) }, { runId: { in: runs.map(({ id }) => id) } }] },
      orderBy: [{ openedAt: "desc" }],
      take: MOST * 2,
      select: { id: true, node: true, prompt: true, status: true },
    });

    return found.toSorted((a, b) => Number(b.status === "open") - Number(a.status === "open")).slice(0, MOST);
  });
