/** From a run's id to a session: the lease, the published version, the verified state. A first command makes the run. */
import { hashOfExecuted, publishedOf } from "@/lib/engine/fork";
import { workspaceLedgerId } from "@/lib/engine/workspace-ledger";
import { recordAttempts } from "@/server/runner/attempts";
import { RunFrozen, loadRun } from "@/server/runner/load";
import { openCommandBody } from "@/server/runner/answers";
import { refuseCommands } from "@/server/runner/commands";
import type { RunnerDeps } from "@/server/runner/deps";
import { createSession, type Session } from "@/server/runner/session";
import { log } from "@/server/log";
import { commandPrincipal, initiatorOf, pendingCommands } from "@/server/store/commands";
import { getVersion, type StoredVersion } from "@/server/store/graph-versions";
import { createRunHead, releaseLease, runWorkspace, setFrozen, takeLease, type RunHead } from "@/server/store/run-heads";

const versionOf = async (workspaceId: string, hash: string): Promise<StoredVersion> => {
  const version = await getVersion(workspaceId, hash).catch(() => null);
  if (!version) throw new RunFrozen("graph", 0);

  return version;
};

/** The run row of a start command, made just before its first record; without one there is nothing to run. */
const ensureHead = async (deps: RunnerDeps, workspaceId: string, runId: string): Promise<boolean> => {
  // The workspace's own records stand under this id, so no run may.
  if (runId === workspaceLedgerId(workspaceId)) return false;
  const owner = await runWorkspace(runId);
  if (owner !== null) return owner === workspaceId;
  const [command] = await pendingCommands(workspaceId, runId);
  const body = command && openCommandBody(deps, command);
  const version = body?.kind === "start" ? await getVersion(workspaceId, body.graph_hash) : null;
  if (!command || body?.kind !== "start" || !version) return false;
  const principal = await commandPrincipal(command, deps.clock.now());
  const initiatorId = principal && initiatorOf(principal);
  if (!initiatorId) return false;
  await createRunHead({
    workspaceId,
    runId,
    graphId: version.graphId,
    graphHash: body.graph_hash,
    initiatorId,
    at: deps.clock.now(),
  });

  return true;
};

const load = async (deps: RunnerDeps, head: RunHead): Promise<Session> => {
  const version = await versionOf(head.workspace_id, head.graph_hash);
  const place = { workspaceId: head.workspace_id, runId: head.id, version: head.version, digest: head.head };
  const { state, records } = await loadRun(deps.vault, await deps.publicKeys(), place, head.graph_hash);

  const published = publishedOf(version.published, state);
  // What the records say was executed is this version, with what forks replaced in it.
  if (hashOfExecuted(version.published, head.graph_hash, published) !== state.graphHash) throw new RunFrozen("graph", 0);

  return createSession(deps, { published, author: version.authorId, state, records, epoch: head.lease_epoch });
};

/** @returns null when somebody else drives the run, or when there is nothing anybody could drive */
export const openRun = async (deps: RunnerDeps, workspaceId: string, runId: string): Promise<Session | null> => {
  if (!(await ensureHead(deps, workspaceId, runId))) {
    await recordAttempts(deps, workspaceId, runId);

    return null;
  }
  const head = await takeLease(workspaceId, runId, deps.leaseMs);
  if (!head) return null;
  try {
    const session = await load(deps, head);
    await setFrozen(workspaceId, runId, null);

    return session;
  } catch (error) {
    await releaseLease(workspaceId, runId, head.lease_epoch);
    if (!(error instanceof RunFrozen)) throw error;
    await setFrozen(workspaceId, runId, `${error.reason} at record ${error.seq}`);
    log().error({ run: runId, seq: error.seq, reason: error.reason }, "a run is frozen: its ledger does not verify");
    await refuseCommands(deps, workspaceId, runId, "run_frozen");

    return null;
  }
};
