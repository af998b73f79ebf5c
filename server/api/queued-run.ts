import type { z } from "zod";
import type { runDetailSchema } from "@/lib/api/resources";
import { commandBodySchema } from "@/lib/engine/proposal";
import { GENESIS_PARENT } from "@/lib/engine/state";
import { getVersion } from "@/server/store/graphs/versions";
import { openEnvelope } from "@/server/store/runs/command-envelope";
import { findStart } from "@/server/store/runs/start-queue";
import { getWebVault } from "@/server/web/web-vault";
import { isBoundTo, type Account } from "./account";

type RunDetail = z.input<typeof runDetailSchema>;

type QueuedRun = { readonly command: string; readonly run: RunDetail };

export const findQueuedRun = async (account: Account, id: string): Promise<QueuedRun | null> => {
  const { workspaceId, token } = account;
  const start = await findStart(workspaceId, token.id, id);
  if (start?.status !== "pending") return null;
  const envelope = openEnvelope(getWebVault(), { workspaceId, place: start.id, sealed: start.body });
  const body = typeof envelope === "string" ? null : commandBodySchema.safeParse(envelope.body).data;
  const version = body?.kind === "start" ? await getVersion(workspaceId, body.graph_hash) : null;
  if (body?.kind !== "start" || !version || !isBoundTo(account, version.graphId)) return null;

  return {
    command: start.id,
    run: {
      id,
      graphId: version.graphId,
      graphName: version.published.graph.name,
      graphHash: version.hash,
      versionNumber: version.number,
      status: "pending",
      currentNode: null,
      frozen: null,
      parentRun: null,
      environment: body.environment ?? null,
      simulated: false,
      version: 0,
      head: GENESIS_PARENT,
      refusals: 0,
      totalTokens: 0,
      totalMicroUsd: 0,
      createdAt: start.createdAt,
      updatedAt: start.createdAt,
      waitingFor: [],
    },
  };
};
