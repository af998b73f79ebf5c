/** From a run's id to a session: the lease, the published version, the verified state. A first command makes the run. */
import { hashOfExecuted, publishedOf } from "@/lib/engine/fork";
import { POLICY_HASH } from "@/lib/engine/policy";
import { emptyState, GENESIS_PARENT } from "@/lib/engine/state";
import { workspaceLedgerId } from "@/lib/engine/workspace-ledger";
import type { AlarmKind } from "@/lib/trust-alarm";
import { commandBodySchema } from "@/lib/engine/proposal";
import { raiseAlarm } from "@/server/runner/alarms";
import { openCommands, recordAttempt } from "@/server/runner/attempts";
import { RunFrozen, loadRun } from "@/server/runner/load";
import { refuseCommands } from "@/server/runner/commands";
import type { RunnerDeps } from "@/server/runner/deps";
import { answerRefused } from "@/server/runner/answers";
import { identify, isPrincipal, unlessUnproved } from "@/server/runner/identify";
import { bodyOf, type OpenedCommand } from "@/server/runner/open-command";
import { leases, type Lease } from "@/server/runner/lease-keeper";
import { knownHistory, rollbackOf } from "@/server/runner/rollback";
import { createSession, type Session } from "@/server/runner/session";
import { atMost } from "@/server/runner/turns";
import { versionOf } from "@/server/runner/version";
import { log } from "@/server/log";
import { countRollback } from "@/server/metrics";
import { initiatorOf, pendingCommands } from "@/server/store/commands";
import { newestRotation } from "@/server/store/cells-rotation";
import { isHeld } from "@/server/store/restored";
import { createRunHead, releaseLease, runWorkspace, setFrozen, takeLease, type RunHead, type TakenRun } from "@/server/store/run-heads";

/** Makes the run row when this is a start command, just before its first record. @returns whether there is a run now */
const begin = async (deps: RunnerDeps, command: OpenedCommand): Promise<boolean> => {
  const { workspaceId, runId } = command;
  const body = bodyOf(command, commandBodySchema);
  if (body?.kind !== "start") return false;
  const version = await unlessUnproved(versionOf(deps.authority, workspaceId, body.graph_hash));
  if (typeof version === "string") await answerRefused(deps, command, version);
  if (typeof version === "string" || !version) return false;
  const principal = await identify(deps, command);
  const initiatorId = isPrincipal(principal) ? initiatorOf(principal) : null;
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
const unbegun = async (deps: RunnerDeps, workspaceId: string, runId: string): Promise<readonly OpenedCommand[] | null> => {
  // The workspace's own records stand under this id, so no run may.
  const isOwnLedger = runId === workspaceLedgerId(workspaceId);
  const owner = isOwnLedger ? null : await runWorkspace(runId);
  if (owner === workspaceId) return null;
  const asked = await openCommands(deps, await pendingCommands(workspaceId, runId));
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
  const version = await unlessUnproved(versionOf(deps.authority, head.workspace_id, head.graph_hash));
  if (!version || typeof version === "string") throw new RunFrozen(version ?? "graph", 0);
  const known = await knownHistory(deps, head.workspace_id, head.id);
  const { state, records, lacksValues } = await ledgerOf(deps, head);
  const rollback = rollbackOf(
    known,
    records.map(({ digest }) => digest),
  );
  if (rollback) throw new RunFrozen(rollback.reason, rollback.seq);
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
type Opening = OpenedRun | readonly OpenedCommand[] | "held" | "frozen" | "taken";

class VaultKeyMissing extends Error {
  constructor() {
    super("values of the run are under a vault key that is not in this runner's key file");
    this.name = "VaultKeyMissing";
  }
}

/** A rotation is under way or over, and this runner's key file is the one from before: what it cannot open, others can. */
const lacksVaultKey = async (deps: RunnerDeps): Promise<boolean> => (await newestRotation()) > deps.vault.newestVersion();

const FROZEN_TEXT: Partial<Record<RunFrozen["reason"], string>> = {
  head_rolled_back: "a run is frozen: its ledger is not the one that was stored before; the database was rolled back",
  checkpoint_rolled_back: "a run is frozen: the log of its workspace is shorter than a checkpoint of it; the database was rolled back",
  projection_mismatch: "a run is frozen: its version is not one that was published",
  shredded: "a run is frozen: values that it needs were shredded",
};

const ALARMS: Partial<Record<RunFrozen["reason"], AlarmKind>> = {
  unknown_key: "unknown_key",
  retired_key: "unknown_key",
  head_rolled_back: "head_rolled_back",
  checkpoint_rolled_back: "head_rolled_back",
  projection_mismatch: "projection_mismatch",
};

/** @returns whether it counts: others may have gone on since who lost the lease read where the run stands */
const freeze = async (deps: RunnerDeps, { workspace_id: workspaceId, id: runId, lease_epoch: epoch }: RunHead, fault: RunFrozen) => {
  const { reason, seq } = fault;
  const frozen = `${reason} at record ${seq}`;
  if (!(await setFrozen(workspaceId, runId, epoch, frozen))) return false;
  if (reason === "head_rolled_back") countRollback("head");
  if (reason === "checkpoint_rolled_back") countRollback("checkpoint");
  // What was shredded is gone by a signed record.
  if (reason !== "shredded") await raiseAlarm(deps, { kind: ALARMS[reason] ?? "ledger_invalid", workspaceId, runId, detail: frozen });
  log().error({ run: runId, seq, reason }, FROZEN_TEXT[reason] ?? "a run is frozen: its ledger does not verify");

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

      return (await freeze(deps, head, error)) ? "frozen" : "taken";
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
