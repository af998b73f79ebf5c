import { classifyAuthority, type AuthorityClass } from "@/lib/engine/approvals/authority-class";
import { isTerminal } from "@/lib/engine/event";
import { getPublishedHere } from "@/lib/engine/frame";
import { listMembersInForce } from "@/lib/engine/ledger/members-in-force";
import { getDecisionProofMs } from "@/lib/people/fresh-proof";
import type { RefusalCode } from "@/lib/refusal";
import type { Principal } from "@/lib/engine/principal";
import { commandBodySchema, type CommandBody, type ProposalBody } from "@/lib/engine/proposal";
import { answerRefused } from "@/server/runner/answers";
import { openCommands, recordOutsideRun, recordAttempt } from "@/server/runner/attempts";
import { LeaseLost } from "@/server/runner/commit";
import type { RunnerDeps } from "@/server/runner/deps";
import { getStartTerms, type StartTerms } from "@/server/runner/environments";
import { findGivenArtifacts } from "@/server/runner/given-artifacts";
import { checkAvailability } from "@/server/runner/tool-availability";
import { decideFork } from "@/server/runner/fork";
import { identify, isPrincipal, unlessUnproved, type Identified } from "@/server/runner/identify";
import { readBody, type OpenedCommand } from "@/server/runner/open-command";
import { findBelievedPasskey } from "@/server/runner/passkeys";
import { readSeats } from "@/server/runner/seats";
import type { Committed, Session } from "@/server/runner/session";
import { isSeated, type Seat, type Taken } from "@/lib/people/approvers";
import { readReplyChannel } from "@/lib/notifications/reply-link";
import { ownEntry } from "@/lib/engine/state";
import { traceCommand } from "@/server/runner/telemetry";
import { answerCommand, listPendingCommands } from "@/server/store/runs/commands";
import { markUsed } from "@/server/store/people/passkeys";
import { getRoles } from "@/server/store/people/principals";

/** An approval counts only while its author's right lasts. */
const lapsedAt = async (deps: RunnerDeps, session: Session, approvalId: string): Promise<string[]> => {
  const { workspace, gates } = session.state();
  const found = ownEntry(gates, approvalId);
  const people = found?.decisions.map(({ user }) => user) ?? [];
  const roles = people.length === 0 ? {} : await getRoles(deps.authority, workspace, people);

  const unseated = found?.gate.demands ? await listUnseated(deps, workspace, found.decisions) : [];

  return people.filter((user) => roles[user] === undefined || roles[user] !== found?.gate.role || unseated.includes(user));
};

const listUnseated = async (deps: RunnerDeps, workspace: string, decisions: readonly Taken[]): Promise<string[]> => {
  const unseated = await Promise.all(
    decisions.map(async (taken) => (isSeated(taken, await readSeats(deps, workspace, taken.user)) ? [] : [taken.user])),
  );

  return unseated.flat();
};

/** Only gates that name approvers ask for seats. */
const seatsAt = async (
  deps: RunnerDeps,
  session: Session,
  body: ProposalBody,
  principal: Principal,
): Promise<readonly Seat[] | undefined> => {
  const { workspace, gates } = session.state();
  if ((body.kind !== "decision" && body.kind !== "edit") || principal.type !== "user") return undefined;

  return ownEntry(gates, body.approval_id)?.gate.demands ? readSeats(deps, workspace, principal.id) : undefined;
};

const authorityAt = (session: Session, approvalId: string): AuthorityClass => {
  const state = session.state();
  const found = ownEntry(state.gates, approvalId);

  return found ? classifyAuthority(getPublishedHere(session.root, state), found.gate) : "none";
};

const proposalOf = async (
  deps: RunnerDeps,
  body: Exclude<CommandBody, { kind: "fork" }>,
  principal: Principal,
  session: Session,
  command: OpenedCommand,
  terms: StartTerms | undefined,
): Promise<ProposalBody | RefusalCode> => {
  if (body.kind === "start") {
    const { environment, graph_hash: hash, model } = body;
    const { workspace } = session.state();
    const added = terms ?? (await getStartTerms(deps.authority, workspace, { environment, hash, model }));
    if (typeof added === "string") return added;

    return { ...body, author: session.author, ...added, artifacts: await findGivenArtifacts(workspace, principal, body.inputs) };
  }
  const { link, signed } = command;
  const via = link === null ? {} : { via: readReplyChannel(link) };
  if (body.kind === "comment") {
    const { mentions } = body;
    const members = mentions && listMembersInForce(await deps.authority.read(session.state().workspace));
    const isKnown = mentions === undefined || mentions.every((person) => members?.get(person)?.disabled === false);

    return isKnown ? { ...body, ...via } : "not_found";
  }
  if (body.kind !== "decision") return body;
  const lapsed = await lapsedAt(deps, session, body.approval_id);
  const availability = body.decision === "approve" ? await checkAvailability(deps, session, body.approval_id) : null;
  const { assertion } = body;
  const passkey =
    assertion && principal.type === "user" ? await findBelievedPasskey(deps, session.state().workspace, principal.id, assertion) : null;

  return {
    ...body,
    ...via,
    ...(signed?.by.type === "personal" ? { token: signed.by.token } : {}),
    ...(lapsed.length === 0 ? {} : { lapsed }),
    ...(passkey ? { passkey } : {}),
    ...(availability ? { availability } : {}),
  };
};

const decideProposal = async (
  deps: RunnerDeps,
  session: Session,
  body: Exclude<CommandBody, { kind: "fork" }>,
  principal: Principal,
  command: OpenedCommand,
  terms: StartTerms | undefined,
): Promise<Committed | RefusalCode> => {
  const proposed = await unlessUnproved(proposalOf(deps, body, principal, session, command, terms));
  if (typeof proposed === "string") return proposed;
  const { outage } = session.state();
  const seats = await unlessUnproved(seatsAt(deps, session, proposed, principal));
  if (typeof seats === "string") return seats;
  const committed = await session.submit({ principal, body: proposed, command: command.id, ...(seats ? { seats } : {}) });
  if (committed.verdict.ok && proposed.kind === "decision" && proposed.passkey) {
    await markUsed(command.workspaceId, proposed.passkey, deps.clock.now());
  }

  // An open circuit would refuse the call that a person asks for.
  if (committed.verdict.ok && proposed.kind === "retry_now" && outage) deps.circuits?.probe(command.workspaceId, outage.provider);

  return committed;
};

/** Sender and policy as of just before. */
export type IdentifiedCommand = { readonly command: OpenedCommand; readonly principal: Identified; readonly terms: StartTerms };

const decideOne = async (
  deps: RunnerDeps,
  session: Session,
  command: OpenedCommand,
  identified?: Omit<IdentifiedCommand, "command">,
): Promise<void> => {
  if (session.ended.aborted && !isTerminal(session.state().status)) throw new LeaseLost();
  // Redelivery: the first delivery's record is the answer.
  const seq = session.state().proposals[command.id];
  if (seq !== undefined) {
    const refusal = session.records()[seq]?.record.refusal ?? null;
    await answerCommand(command.workspaceId, command.id, refusal ? "refused" : "accepted", { seq, refusal }, deps.clock.now());

    return;
  }
  const body = readBody(command, commandBodySchema);
  const proofMs = body?.kind === "decision" ? getDecisionProofMs(body, authorityAt(session, body.approval_id)) : undefined;
  const principal = identified === undefined ? await identify(deps, command, proofMs) : identified.principal;
  if (typeof principal === "string") return answerRefused(deps, command, principal);
  // For senders without access the run does not exist.
  if (!body || !principal) return recordAttempt(deps, command);
  if (session.state().version === 0 && body.kind !== "start") {
    await answerRefused(deps, command, "not_found");

    return;
  }
  const committed = await (body.kind === "fork"
    ? decideFork(deps, session, body, principal, command.id)
    : decideProposal(deps, session, body, principal, command, identified?.terms));
  if (typeof committed === "string") return answerRefused(deps, command, committed);
  if (committed?.signed === null && !committed.verdict.ok)
    await recordOutsideRun(deps, command, { body, principal, refusal: committed.verdict.refusal });
};

/** @param identified if freshly read @throws LeaseLost */
export const decideCommand: typeof decideOne = (deps, session, command, identified) =>
  traceCommand(command, () => decideOne(deps, session, command, identified));

export const decideCommands = async (deps: RunnerDeps, session: Session): Promise<void> => {
  const { workspace, run } = session.state();
  for (const command of await openCommands(deps, await listPendingCommands(workspace, run))) await decideCommand(deps, session, command);
};

export const refuseCommands = async (deps: RunnerDeps, workspaceId: string, runId: string, code: RefusalCode): Promise<void> => {
  for (const command of await openCommands(deps, await listPendingCommands(workspaceId, runId))) {
    const principal = await identify(deps, command);
    if (typeof principal === "string") await answerRefused(deps, command, principal);
    else await (isPrincipal(principal) ? answerRefused(deps, command, code) : recordAttempt(deps, command));
  }
};
