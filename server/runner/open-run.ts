/** From a run's id to a session: the lease, the published version, the verified state. A first command makes the run. */
import { hashOfExecuted, publishedOf } from "@/lib/engine/fork";
import { POLICY_HASH } from "@/lib/engine/policy";
import { emptyState, GENESIS_PARENT } from "@/lib/engine/state";
import { workspaceLedgerId } from "@/lib/engine/workspace-ledger";
import { recordAttempt } from "@/server/runner/attempts";
import { RunFrozen, loadRun } from "@/server/runner/load";
import { openCommandBody } from "@/server/runner/answers";
import { refuseCommands } from "@/server/runner/commands";
import type { RunnerDeps } from "@/server/runner/deps";
import { leases, type Lease } from "@/server/runner/lease-keeper";
import { createSession, type Session } from "@/server/runner/session";
import { atMost } from "@/server/runner/turns";
import { versionOf } from "@/server/runner/version";
import { log } from "@/server/log";
import { commandPrincipal, initiatorOf, pendingCommands, type PendingCommand } from "@/server/store/commands";
import { newestRotation } from "@/server/store/cells-rotation";
import { isHeld } from "@/server/store/restored";
import { createRunHead, releaseLease, runWorkspace, setFrozen, takeLease, type RunHead, type TakenRun } from "@/server/store/run-heads";

/** Makes the run row when this is a start command, just before its first record. @returns whether there is a run now */
const begin = async (deps: RunnerDeps, command: PendingCommand): Promise<boolean> => {
  const { workspaceId, runId } = command;
  const body = openCommandBody(deps, command);
  const version = body?.kind === "start" ? await versionOf(workspaceId, body.graph_hash) : null;
  if (body?.kind !== "start" || !version) return false;
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

/**
 * Makes the run if somebody asks for it, whatever else was asked of it before.
 * @returns null when there is one; else all that was asked of the one that is not there: what comes later may begin it
 */
const unbegun = async (deps: RunnerDeps, workspaceId: string, runId: string): Promise<readonly PendingCommand[] | null> => {
  // The workspace's own records stand under this id, so no run may.
  const isOwnLedger = runId === workspaceLedgerId(workspaceId);
  const owner = isOwnLedger ? null : await runWorkspace(runId);
  if (owner === workspaceId) return null;
  const asked = await pendingCommands(workspaceId, runId);
  if (isOwnLedger || owner !== null) return asked;
  for (const command of asked) if (await begin(deps, command)) return null;

  // Whoever made it meanwhile may have done so before any of this was asked.
  return (await runWorkspace(runId)) === workspaceId ? null : asked;
};

/** @throws RunFrozen */
const ledgerOf = async (deps: RunnerDeps, head: TakenRun) => {
  const { workspace_id: workspaceId, id: runId, graph_hash: graphHash, version, head: digest } = head;
  if (head.is_empty && digest === GENESIS_PARENT) {
    return { state: emptyState(workspaceId, runId, graphHash, POLICY_HASH), records: [], lacksValues: false };
  }

  return loadRun(deps.vault, await deps.publicKeys(), { workspaceId, runId, version, digest }, graphHash);
};

const load = async (deps: RunnerDeps, head: TakenRun): Promise<Session> => {
  const version = await versionOf(head.workspace_id, head.graph_hash);
  if (!version) throw new RunFrozen("graph", 0);
  const { state, records, lacksValues } = await ledgerOf(deps, head);
  const published = publishedOf(version.published, state);
  // What the records say was executed is this version, with what forks replaced in it.
  if (hashOfExecuted(version.published, head.graph_hash, published) !== state.graphHash) throw new RunFrozen("graph", 0);

  const session = createSession(deps, { published, author: version.authorId, state, records, epoch: head.lease_epoch });
  if (lacksValues) {
    await session.submit({ principal: { type: "engine", epoch: session.epoch }, body: { kind: "stop", limit: "value_shredded" } });
  }

  return session;
};

export type OpenedRun = { readonly session: Session; readonly lease: Lease };

/**
 * Opening a run is many statements. All places of a runner that open at once, as after an outage, would take each other's
 * connections until none of them gets one in time; so fewer do than there are, and the others wait.
 */
const opening = atMost(6);

/** What became of an opening; `held` and `frozen`: nobody goes on with it; a list: there is no such run, and this was asked of it. */
type Opening = OpenedRun | readonly PendingCommand[] | "held" | "frozen" | "taken";

class VaultKeyMissing extends Error {
  constructor() {
    super("values of the run are under a vault key that is not in this runner's key file");
    this.name = "VaultKeyMissing";
  }
}

/** A rotation is under way or over, and this runner's key file is the one from before: what it cannot open, others can. */
const lacksVaultKey = async (deps: RunnerDeps): Promise<boolean> => (await newestRotation()) > deps.vault.newestVersion();

/** @returns whether it counts: others may have gone on since who lost the lease read where the run stands */
const freeze = async ({ workspace_id: workspaceId, id: runId, lease_epoch: epoch }: RunHead, fault: RunFrozen): Promise<boolean> => {
  const { reason, seq } = fault;
  if (!(await setFrozen(workspaceId, runId, epoch, `${reason} at record ${seq}`))) return false;
  log().error({ run: runId, seq, reason }, "a run is frozen: its ledger does not verify");

  return true;
};

const open = async (deps: RunnerDeps, workspaceId: string, runId: string): Promise<Opening> => {
  const asked = await unbegun(deps, workspaceId, runId);
  if (asked) return asked;
  const sinceMs = performance.now();
  const head = await takeLease(workspaceId, runId, deps.leaseMs);
  if (!head) return (await isHeld(workspaceId, runId)) ? "held" : "taken";
  // Kept from here on: verifying a long ledger takes its time.
  const lease = leases.keep({ runId, epoch: head.lease_epoch }, deps.leaseMs, sinceMs);
  try {
    const session = await load(deps, head);
    if (head.frozen !== null) await setFrozen(workspaceId, runId, head.lease_epoch, null);

    return { session, lease };
  } catch (error) {
    lease.end();
    try {
      if (!(error instanceof RunFrozen)) throw error;
      if (error.reason === "cell_unreadable" && (await lacksVaultKey(deps))) throw new VaultKeyMissing();

      return (await freeze(head, error)) ? "frozen" : "taken";
    } finally {
      await releaseLease(workspaceId, runId, head.lease_epoch);
    }
  }
};

/** @returns null when somebody else drives the run, or when there is nothing anybody could drive */
export const openRun = async (deps: RunnerDeps, workspaceId: string, runId: string): Promise<OpenedRun | null> => {
  const opened = await opening(() => open(deps, workspaceId, runId));
  // Shredding and the like are carried out here and take their time: others are opened meanwhile.
  if (opened === "held" || opened === "frozen") await refuseCommands(deps, workspaceId, runId, "run_frozen");
  if (typeof opened === "string") return null;
  if ("session" in opened) return opened;
  for (const command of opened) await recordAttempt(deps, command);

  return null;
};
