import { widensAuthority } from "@/lib/architect/fork-authority";
import { DEFAULT_ENVIRONMENTS, getLast, getRunEnvironment } from "@/lib/environments/environment";
import { hasVersion } from "@/lib/environments/environment-fold";
import type { PublishedGraph } from "@/lib/graph/document";
import type { HexDigest } from "@/lib/hash";
import { isJsonObject, type Json } from "@/lib/json";
import type { RefusalCode } from "@/lib/refusal";
import { getVariables } from "@/lib/engine/environment";
import { decide } from "@/lib/engine/decide";
import { hashOfExecuted, getPublished, publishWith } from "@/lib/engine/forks/fork";
import type { ForkChange } from "@/lib/engine/forks/fork-change";
import { POLICY_HASH } from "@/lib/engine/approvals/policy";
import { isServiceAccount, type Principal } from "@/lib/engine/principal";
import type { CommandBody, ForkBody } from "@/lib/engine/proposal";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { findMissingCell } from "@/lib/engine/ledger/shred";
import { findAside, createRunState, getKnownValue, toMemory, type RunState } from "@/lib/engine/state";
import { verifyLedger, type LedgerExport } from "@/lib/engine/verify/verify";
import { replay } from "@/lib/engine/ledger/replay";
import { LeaseLost } from "@/server/runner/commit";
import { getDemandedApprovals } from "@/server/runner/approval-policy";
import type { RunnerDeps } from "@/server/runner/deps";
import { unlessUnproved } from "@/server/runner/identify";
import { sliceLedgerBefore, openLedger } from "@/server/runner/load";
import { findGivenArtifacts } from "@/server/runner/given-artifacts";
import { FORK_RETENTION_MS } from "@/server/runner/retention";
import { getKnownHistory, findRollback, type KnownHistory } from "@/server/runner/rollback";
import { createSession, type Committed, type Session } from "@/server/runner/session";
import { createRunFor } from "@/server/runner/token-limits";
import { findVersion } from "@/server/runner/version";
import { getInitiator } from "@/server/store/runs/commands";
import type { ExecutedVersion } from "@/server/store/graphs/versions";
import { retainUntil } from "@/server/store/runs/retention";
import { countForks, releaseLease, runHead, runWorkspace, takeLease, type RunHead } from "@/server/store/ledger/run-heads";

type Asked = Extract<CommandBody, { kind: "fork" }>;

/** Runs and forks are kept forever. */
export const MAX_FORKS = 100;

type Prepared = {
  readonly parent: RunHead;
  readonly version: ExecutedVersion;
  readonly root: PublishedGraph;
  readonly state: RunState;
  readonly records: readonly SignedRecord[];
  readonly body: ForkBody;
};

/** Forking a fork's shared prefix forks its owner. */
const ownerOf = async (workspaceId: string, runId: string, seq: number): Promise<RunHead | null> => {
  const run = await runHead(workspaceId, runId);
  const isShared = run !== null && run.parentRun !== null && seq <= (run.forkSeq ?? 0);

  return isShared && run.parentRun !== null ? ownerOf(workspaceId, run.parentRun, seq) : run;
};

const textsOf = (value: Json | undefined): string[] => (Array.isArray(value) ? value.filter((item) => typeof item === "string") : []);

const startOf = (ledger: LedgerExport, graphHash: string): ForkBody["start"] => {
  const { state } = replay(sliceLedgerBefore(ledger, 1), graphHash);
  const goal = getKnownValue(findAside(state, "$goal").at(-1));
  const inputs: Json = toMemory(state.cells);
  if (!state.start || typeof goal !== "string" || !isJsonObject(inputs)) return null;

  const { model, limits, approvals, rules, environment: id } = state.start;

  const constraints = textsOf(getKnownValue(findAside(state, "$constraints").at(-1)));
  const labels = Object.fromEntries([...state.cells, ...state.aside].map(({ path, label }) => [path, label]));

  return {
    goal,
    constraints,
    inputs,
    model,
    labels,
    ...(limits ? { limits } : {}),
    ...(approvals ? { approvals } : {}),
    ...(rules ? { rules } : {}),
    env: { ...(id === undefined ? {} : { id }), variables: getVariables(state) },
  };
};

const overridesOf = (change: ForkChange) => ({
  strictTaint: change.type === "strict_taint" ? change.value : null,
  prompts: change.type === "prompt" ? { [change.agent]: change.system_prompt } : {},
});

const isRolledBack = (known: KnownHistory, records: readonly { readonly digest: HexDigest }[]): boolean =>
  findRollback(
    known,
    records.map(({ digest }) => digest),
  ) !== null;

/** @param inherited what the fork would execute without its change */
const originalOf = async (
  { authority }: Pick<RunnerDeps, "authority">,
  workspaceId: string,
  parent: RunHead,
  change: ForkChange,
  inherited: PublishedGraph,
  state: RunState,
): Promise<PublishedGraph | null> => {
  if (change.type !== "version") return inherited;
  const version = await findVersion(authority, workspaceId, parent.graphHash);

  return version && getPublished(version.published, state);
};

/** A live fork runs nothing that its environment does not have. */
const isWhereParentRuns = async (
  { authority }: Pick<RunnerDeps, "authority">,
  workspaceId: string,
  { environment }: RunHead,
  hash: string,
): Promise<boolean> => {
  const { environments } = await authority.read(workspaceId);

  return !environments.isSet || hasVersion(environments, environment ?? getLast(DEFAULT_ENVIRONMENTS), hash);
};

const withGiven = async (
  start: ForkBody["start"],
  change: ForkChange,
  workspaceId: string,
  principal: Principal,
): Promise<ForkBody["start"]> =>
  start && change.type === "input" ? { ...start, artifacts: await findGivenArtifacts(workspaceId, principal, change.value) } : start;

const prepare = async (deps: RunnerDeps, workspaceId: string, asked: Asked, principal: Principal): Promise<Prepared | RefusalCode> => {
  const { change, parent_seq: seq } = asked;
  const parent = await ownerOf(workspaceId, asked.parent_run, seq);
  if (!parent) return "not_found";
  if (seq > parent.version) return "fork_point";
  const place = { workspaceId, runId: parent.id, version: parent.version, digest: parent.head };
  const known = await getKnownHistory(deps, workspaceId, parent.id);
  const stored = await openLedger(deps.vault, place);
  const ledger = sliceLedgerBefore(stored, parent.version);
  if (!(await verifyLedger(ledger, await deps.publicKeys())).ok || isRolledBack(known, stored.records)) return "run_frozen";
  const baseHash = change.type === "version" ? change.graph_hash : parent.graphHash;
  const version = await unlessUnproved(findVersion(deps.authority, workspaceId, baseHash));
  if (typeof version === "string") return version;
  if (!version) return "not_found";

  const prefix = replay(sliceLedgerBefore(ledger, seq), baseHash);
  if (findMissingCell(prefix.state)) return "value_shredded";
  const before = seq === 0 ? createRunState(workspaceId, asked.run, baseHash, POLICY_HASH) : prefix.state;
  const inherited = change.type === "version" ? version.published : getPublished(version.published, before);
  const root = publishWith(inherited, overridesOf(change));
  const state = { ...before, run: asked.run, graphHash: hashOfExecuted(version.published, baseHash, root), policyHash: POLICY_HASH };
  const start = seq === 0 ? await withGiven(startOf(ledger, parent.graphHash), change, workspaceId, principal) : null;
  const original = await originalOf(deps, workspaceId, parent, change, inherited, before);
  if (!original) return "not_found";
  const widens = widensAuthority(original, root);
  const environment = getRunEnvironment({ environment: start?.env?.id ?? before.start?.environment });
  const approvals = await unlessUnproved(getDemandedApprovals(deps.authority, workspaceId, environment));
  if (typeof approvals === "string") return approvals;
  if (asked.effects === "live" && !(await isWhereParentRuns(deps, workspaceId, parent, version.hash))) return "environment_unknown";
  const body: ForkBody = { ...asked, ...approvals, parent_run: parent.id, author: version.authorId, start, widens, refused: null };

  return { parent, version, root, state, records: prefix.records, body };
};

const refusalOf = (deps: RunnerDeps, { root, state, body }: Prepared, principal: Principal): RefusalCode | null => {
  const verdict = decide(root, state, {
    id: deps.clock.id(),
    workspace: state.workspace,
    run: state.run,
    at: deps.clock.now(),
    principal,
    epoch: 1,
    fresh: [deps.clock.id(), deps.clock.id()],
    body,
  });

  return verdict.ok ? null : verdict.refusal.code;
};

const begin = async (deps: RunnerDeps, prepared: Prepared, principal: Principal, command: string): Promise<RefusalCode | null> => {
  const { parent, version, root, state, records, body } = prepared;
  const initiatorId = getInitiator(principal);
  if (initiatorId === null) return "principal_not_allowed";
  const { workspace: workspaceId } = state;
  const known = await getKnownHistory(deps, workspaceId, body.run);
  const owner = await runWorkspace(body.run);
  if (owner === null) {
    if ((await countForks(workspaceId, parent.id)) >= MAX_FORKS) return "fork_limit";
    const objection = await createRunFor(deps, principal, {
      workspaceId,
      runId: body.run,
      graphId: version.graphId,
      graphHash: version.hash,
      initiatorId,
      environment: parent.environment,
      at: deps.clock.now(),
      fork: { parentRun: parent.id, seq: body.parent_seq, head: state.head, simulated: body.effects === "simulate" },
    });
    if (objection) return objection;
    if (principal.type === "agent" && !isServiceAccount(principal.scopes))
      await retainUntil(workspaceId, body.run, deps.clock.now() + FORK_RETENTION_MS);
  }
  // An existing run has another head, unless a crash left this fork without its first record.
  const made = await runHead(workspaceId, body.run);
  if (!made || made.parentRun !== parent.id || made.head !== state.head || made.version !== state.version) return "run_exists";
  // It had started, and was set back to before its first record.
  if (isRolledBack(known, records)) return "run_frozen";
  // Its lease holder started it under this run's lease and has lost that to us.
  const head = await takeLease(workspaceId, body.run, deps.leaseMs, { evenIfHeld: true });
  // Its row is being written; the next look will tell.
  if (!head) throw new LeaseLost();
  try {
    const session = createSession(deps, { published: root, author: version.authorId, state, records, epoch: head.leaseEpoch });
    const { verdict } = await session.submit({ principal, body, command });

    return verdict.ok ? null : verdict.refusal.code;
  } finally {
    await releaseLease(workspaceId, body.run, head.leaseEpoch);
  }
};

/** @returns the refusal, or null once started @throws LeaseLost */
export const decideFork = async (
  deps: RunnerDeps,
  session: Session,
  asked: Asked,
  principal: Principal,
  command: string,
): Promise<Committed | null> => {
  const { workspace, run } = session.state();
  const prepared = asked.parent_run === run ? await prepare(deps, workspace, asked, principal) : "not_found";
  const refused =
    typeof prepared === "string" ? prepared : (refusalOf(deps, prepared, principal) ?? (await begin(deps, prepared, principal, command)));
  if (refused === null) {
    // The sender waits on the run that the command named.
    deps.notify(run);

    return null;
  }

  return session.submit({
    principal,
    body: { ...asked, parent_run: run, author: session.author, start: null, widens: false, refused },
    command,
  });
};
