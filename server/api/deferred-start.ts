/** Starts with `Prefer: respond-async` (RFC 7240): answered once stored, decided soon after. */
import { createAgeCache } from "@/lib/age-cache";
import { listReferences } from "@/lib/artifact";
import { getLimits } from "@/lib/engine/budget";
import { isWithin } from "@/lib/engine/run-limits";
import { matchesSchema } from "@/lib/graph/json-schema";
import { systemClock } from "@/server/clock";
import { sealCommand } from "@/server/store/runs/command-envelope";
import { enqueueStart, findStart } from "@/server/store/runs/start-queue";
import { demandStartModel, toRunId } from "@/server/trpc/run-commands";
import { readAuthority } from "@/server/web/authority";
import { getWebVault } from "@/server/web/web-vault";
import { isBoundTo, type Account } from "./account";
import { deriveCommand, toCommandId, type Keyed } from "./idempotency";
import { findStartedVersion, toStart, type StartBody, type StartedVersion } from "./started-version";
import { takeQueuePlace, takeTokenRun } from "./start-room";

const VERSION_AGE_MS = 60_000;
const versions = createAgeCache<StartedVersion | null>(VERSION_AGE_MS, systemClock);

const findVersion = async (workspaceId: string, body: StartBody): Promise<StartedVersion | null> => {
  const { version } = await readAuthority(workspaceId);
  const { graphId, graphHash, environment, model } = body;

  return versions(JSON.stringify([workspaceId, version, graphId, graphHash, environment, model]), async () => {
    await demandStartModel(workspaceId, model);

    return findStartedVersion(workspaceId, body);
  });
};

const looksStartable = ({ token }: Account, { inputs, limits }: StartBody, { graph }: StartedVersion): boolean =>
  token.environments.length === 0 &&
  graph.external === undefined &&
  listReferences(inputs).length === 0 &&
  matchesSchema(graph.inputs, inputs, true) &&
  (!limits || isWithin(limits, getLimits(graph)));

/** @returns null when the control plane must answer, so that its refusals are on record @throws ApiError rate_limited */
export const deferStart = async (account: Account, body: StartBody, key: Keyed): Promise<{ readonly runId: string } | null> => {
  const { workspaceId, author, token } = account;
  if (author.type !== "agent" || !isBoundTo(account, body.graphId)) return null;
  const version = await findVersion(workspaceId, body);
  if (!version || !looksStartable(account, body, version) || !(await takeTokenRun(account))) return null;
  await takeQueuePlace(workspaceId);
  const atMs = systemClock.now();
  const id = toCommandId(key, atMs);
  const runId = toRunId(id);
  const start = { kind: "start", ...toStart(body, version) };
  const sealed = sealCommand(getWebVault(), { workspaceId, author, runId, id, sentAt: atMs, body: start });
  if (await enqueueStart(workspaceId, { ...sealed, tokenId: token.id, graphId: body.graphId, key, atMs })) return { runId };
  const firstId = toRunId(await deriveCommand(account, key));
  const first = await findStart(workspaceId, token.id, firstId);

  return first?.status === "pending" ? { runId: firstId } : null;
};
