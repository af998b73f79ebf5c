import { hashOfExecuted, getPublished } from "@/lib/engine/forks/fork";
import { POLICY_HASH } from "@/lib/engine/approvals/policy";
import { createRunState, GENESIS_PARENT } from "@/lib/engine/state";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import type { AlarmKind } from "@/lib/trust-alarm";
import { decide } from "@/lib/engine/decide";
import type { Principal } from "@/lib/engine/principal";
import { commandBodySchema, type BodyOf } from "@/lib/engine/proposal";
import type { Refusal } from "@/lib/refusal";
import { raiseAlarm } from "@/server/runner/alarms";
import { openCommands, recordAttempt, recordOutsideRun } from "@/server/runner/attempts";
import { RunFrozen, loadRun } from "@/server/runner/load";
import { refuseCommands, type IdentifiedCommand } from "@/server/runner/commands";
import type { RunnerDeps } from "@/server/runner/deps";
import { getStartTerms } from "@/server/runner/environments";
import { findGivenArtifacts } from "@/server/runner/given-artifacts";
import { answerRefused } from "@/server/runner/answers";
import { identify, isPrincipal, unlessUnproved } from "@/server/runner/identify";
import { readBody, type OpenedCommand } from "@/server/runner/open-command";
import { leases, type Lease } from "@/server/runner/lease-keeper";
import { getKnownHistory, findRollback } from "@/server/runner/rollback";
import { createSession, type Session } from "@/server/runner/session";
import { createRunFor } from "@/server/runner/token-limits";
import { createSemaphore } from "@/server/runner/semaphore";
import { findVersion } from "@/server/runner/version";
import { log } from "@/server/log";
import { countRollback } from "@/server/metrics";
import { getInitiator, listPendingCommands } from "@/server/store/runs/commands";
import type { ExecutedVersion } from "@/server/store/graphs/versions";
import { getNewestRotation } from "@/server/store/ledger/cells-rotation";
import { isHeld } from "@/server/store/runs/restored";
import { releaseLease, runWorkspace, setFrozen, takeLease, type RunHead, type TakenRun } from "@/server/store/ledger/run-heads";

type Begun = IdentifiedCommand & {
  readonly version: ExecutedVersion;
  readonly isFirst: boolean;
};

/** A refused start makes no run. Decided again under the lease. */
const refusalOf = (
  deps: RunnerDeps,
  { id, workspaceId, runId }: OpenedCommand,
  body: BodyOf<"start">,
  principal: Principal,
  { hash, published }: ExecutedVersion,
): Refusal | null => {
  const verdict = decide(published, createRunState(workspaceId, runId, hash, POLICY_HASH), {
    id,
    workspace: workspaceId,
    run: runId,
    at: deps.clock.now(),
    principal,
    epoch: 0,
    fresh: [deps.clock.id(), deps.clock.id()],
    body,
  });

  return verdict.ok ? null : verdict.refusal;
};

const begin = async (deps: RunnerDeps, command: OpenedCommand, isFirst: boolean): Promise<Begun | null> => {
  const { workspaceId, runId } = command;
  const body = readBody(command, commandBodySchema);
  if (body?.kind !== "start") return null;
  const [version, principal, terms] = await Promise.all([
    unlessUnproved(findVersion(deps.authority, workspaceId, body.graph_hash)),
    identify(deps, command),
    unlessUnproved(getStartTerms(deps.authority, workspaceId, { environment: body.environment, hash: body.graph_hash, model: body.model })),
  ]);
  if (typeof version === "string") await answerRefused(deps, command, version);
  if (typeof version === "string" || !version) return null;
  // Nothing starts under an unverified policy.
  if (typeof terms === "string") await answerRefused(deps, command, terms);
  if (typeof terms === "string") return null;
  const initiatorId = isPrincipal(principal) ? getInitiator(principal) : null;
  if (!isPrincipal(principal) || !initiatorId) return null;
  const artifacts = await findGivenArtifacts(workspaceId, principal, body.inputs);
  const refusal = refusalOf(deps, command, { ...body, author: version.authorId, ...terms, artifacts }, principal, version);
  if (refusal) {
    await recordOutsideRun(deps, command, { body, principal, refusal });

    return null;
  }
  const objection = await createRunFor(deps, principal, {
    workspaceId,
    runId,
    graphId: version.graphId,
    graphHash: body.graph_hash,
    initiatorId,
    environment: terms.env.id ?? null,
    at: deps.clock.now(),
  });
  if (objection) await answerRefused(deps, command, objection);

  return objection === null ? { command, principal, terms, version, isFirst } : null;
};

/** @returns null for an existing run, the start that created it, or all commands of a missing run */
const findOrBegin = async (deps: RunnerDeps, workspaceId: string, runId: string): Promise<readonly OpenedCommand[] | Begun | null> => {
  const isOwnLedger = runId === getWorkspaceLedgerId(workspaceId);
  const owner = isOwnLedger ? null : await runWorkspace(runId);
  if (owner === workspaceId) return null;
  const asked = await openCommands(deps, await listPendingCommands(workspaceId, runId));
  if (isOwnLedger || owner !== null) return asked;
  for (const command of asked) {
    const begun = await begin(deps, command, command === asked[0]);
    if (begun) return begun;
  }

  // Another runner may have created it before any of these commands.
  return (await runWorkspace(runId)) === workspaceId ? null : asked;
};

const ledgerOf = async (deps: RunnerDeps, head: TakenRun) => {
  const { workspaceId, id: runId, graphHash, version, head: digest } = head;
  if (head.isEmpty && digest === GENESIS_PARENT) {
    return { state: createRunState(workspaceId, runId, graphHash, POLICY_HASH), records: [], lacksValues: false };
  }

  return loadRun(deps.vault, await deps.publicKeys(), { workspaceId, runId, version, digest }, graphHash);
};

const load = async (deps: RunnerDeps, head: TakenRun, begun: Begun | null): Promise<Session> => {
  const proved = begun?.version.hash === head.graphHash ? begun.version : null;
  const version = proved ?? (await unlessUnproved(findVersion(deps.authority, head.workspaceId, head.graphHash)));
  if (!version || typeof version === "string") throw new RunFrozen(version ?? "graph", 0);
  const known = await getKnownHistory(deps, head.workspaceId, head.id);
  const { state, records, lacksValues } = await ledgerOf(deps, head);
  const rollback = findRollback(
    known,
    records.map(({ digest }) => digest),
  );
  if (rollback) throw new RunFrozen(rollback.reason, rollback.seq);
  const published = getPublished(version.published, state);
  // The records must have executed this version, with forks' replacements.
  if (hashOfExecuted(version.published, head.graphHash, published) !== state.graphHash) throw new RunFrozen("graph", 0);

  const session = createSession(deps, { published, author: version.authorId, state, records, epoch: head.leaseEpoch });
  if (lacksValues) {
    await session.submit({ principal: { type: "engine", epoch: session.epoch }, body: { kind: "stop", limit: "value_shredded" } });
  }

  return session;
};

export type OpenedRun = {
  readonly session: Session;
  readonly lease: Lease;
  readonly begun: IdentifiedCommand | null;
};

/** After an outage, opening all of a runner's places at once would starve them of connections. */
const opening = createSemaphore(6);

/** `held` and `frozen`: it must not continue. */
type Opening = OpenedRun | readonly OpenedCommand[] | "held" | "frozen" | "taken";

class VaultKeyMissing extends Error {
  constructor() {
    super("values of the run are under a vault key that is not in this runner's key file");
    this.name = "VaultKeyMissing";
  }
}

/** This key file may predate a rotation, so that others can open more. */
const lacksVaultKey = async (deps: RunnerDeps): Promise<boolean> => (await getNewestRotation()) > deps.vault.newestVersion();

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

/** @returns whether it counts: another may have continued after this lease was lost */
const freeze = async (deps: RunnerDeps, { workspaceId, id: runId, leaseEpoch: epoch }: RunHead, fault: RunFrozen) => {
  const { reason, seq } = fault;
  const frozen = `${reason} at record ${seq}`;
  if (!(await setFrozen(workspaceId, runId, epoch, frozen))) return false;
  if (reason === "head_rolled_back") countRollback("head");
  if (reason === "checkpoint_rolled_back") countRollback("checkpoint");
  // Shredding is on signed record.
  if (reason !== "shredded") await raiseAlarm(deps, { kind: ALARMS[reason] ?? "ledger_invalid", workspaceId, runId, detail: frozen });
  log().error({ run: runId, seq, reason }, FROZEN_TEXT[reason] ?? "a run is frozen: its ledger does not verify");

  return true;
};

const isList = (found: readonly OpenedCommand[] | Begun | null): found is readonly OpenedCommand[] => Array.isArray(found);

const open = async (deps: RunnerDeps, workspaceId: string, runId: string): Promise<Opening> => {
  const found = await findOrBegin(deps, workspaceId, runId);
  if (isList(found)) return found;
  const sinceMs = performance.now();
  const head = await takeLease(workspaceId, runId, deps.leaseMs);
  if (!head) return (await isHeld(workspaceId, runId)) ? "held" : "taken";
  // Renewed from here on, since verifying a long ledger takes time.
  const lease = leases.keep({ runId, epoch: head.leaseEpoch }, deps.leaseMs, sinceMs);
  try {
    const session = await load(deps, head, found);
    if (head.frozen !== null) await setFrozen(workspaceId, runId, head.leaseEpoch, null);

    return { session, lease, begun: found?.isFirst ? found : null };
  } catch (error) {
    lease.end();
    try {
      if (!(error instanceof RunFrozen)) throw error;
      if (error.reason === "cell_unreadable" && (await lacksVaultKey(deps))) throw new VaultKeyMissing();

      return (await freeze(deps, head, error)) ? "frozen" : "taken";
    } finally {
      await releaseLease(workspaceId, runId, head.leaseEpoch);
    }
  }
};

/** Null: another runner drives it, or it is not drivable. */
export const openRun = async (deps: RunnerDeps, workspaceId: string, runId: string): Promise<OpenedRun | null> => {
  const opened = await opening(() => open(deps, workspaceId, runId));
  // Slow commands such as shredding run here, while others are opened.
  if (opened === "held" || opened === "frozen") await refuseCommands(deps, workspaceId, runId, "run_frozen");
  if (typeof opened === "string") return null;
  if ("session" in opened) return opened;
  for (const command of opened) await recordAttempt(deps, command);

  return null;
};
