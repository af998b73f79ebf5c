import { z } from "zod";
import { AppError } from "@/lib/errors";
import { toCanonicalJson } from "@/lib/json";
import { listTurn } from "@/lib/engine/decide/turn";
import { getDemands, listPendingEscalations } from "@/lib/engine/approvals/escalation";
import { listMembersInForce } from "@/lib/engine/ledger/members-in-force";
import { getPublishedHere } from "@/lib/engine/frame";
import { buildApprovalView } from "@/lib/engine/approvals/approval-view";
import { getGateClearance } from "@/lib/engine/approvals/policy";
import { findSeatAt } from "@/lib/engine/decide/decider";
import type { GateState, RunState } from "@/lib/engine/state";
import { isStale } from "@/lib/engine/ledger/transition";
import { hasDecider } from "@/lib/people/approver-fold";
import { describeApprovers, isOpenBeside } from "@/lib/people/approvers";
import type { Role } from "@/lib/roles";
import { systemClock } from "@/server/clock";
import { getApproval, openApprovalsOf } from "@/server/store/approvals/approvals";
import { listAsides } from "@/server/store/approvals/asides";
import { listModels } from "@/server/store/health";
import { listPasskeys } from "@/server/store/people/passkeys";
import { getAuthorNames, getNames } from "@/server/store/people/people";
import { createProcedure } from "@/server/trpc/init";
import { readAuthority } from "@/server/web/authority";
import { listSeatsOf } from "@/server/web/seats";
import { replayWhole } from "@/server/web/open-run";
import { describeGate } from "./gate-context";
import { canDecide } from "./can-decide";
import { listCellsToOpen, sealedTo } from "./sealed";

const followerOf = (state: RunState, id: string): string | undefined =>
  Object.values(state.gates).find(({ gate }) => gate.supersedes === id)?.gate.id;

const describeAsides = (asides: Awaited<ReturnType<typeof listAsides>>, { escalatedAt = 0 }: GateState, userId: string, nowMs: number) => {
  const own = asides.find((aside) => aside.userId === userId && aside.until > nowMs && aside.createdAt > escalatedAt);

  return {
    aside: own ? { kind: own.kind, until: own.until } : null,
    notMine: asides.flatMap(({ userId: user, kind, reason, createdAt }) => (kind === "not_mine" ? [{ user, reason, at: createdAt }] : [])),
  };
};

const describeEscalations = async (workspaceId: string, gateState: GateState) => {
  const pending = listPendingEscalations(gateState);
  const all = [...(gateState.escalations ?? []), ...pending];
  if (all.length === 0) return [];
  const authority = await readAuthority(workspaceId);
  const { approvers } = authority;
  const members = listMembersInForce(authority);

  return all.map((one) => ({
    to: one.group ?? one.to,
    at: one.at,
    isDone: !pending.includes(one),
    isGroup: one.group !== undefined,
    isEmpty: one.group !== undefined && !hasDecider(approvers, members, one.group),
  }));
};

const SOURCE_USER = /^user:([0-9a-f-]{36})$/;

export type ApprovalReader = { readonly workspaceId: string; readonly id: string; readonly role: Role; readonly auditor: boolean };

/** Returns the view as this reader may see it. @throws AppError */
export const readApproval = async ({ workspaceId, id, role, auditor }: ApprovalReader, approvalId: string) => {
  const approval = await getApproval(workspaceId, approvalId);
  if (!approval) throw new AppError("not_found");
  const [{ run, version, published, records, state, at, sealed: kept }, models, newer, keys, asides] = await Promise.all([
    replayWhole(workspaceId, approval.runId),
    listModels(),
    openApprovalsOf(workspaceId, approval.runId),
    listPasskeys(workspaceId, id),
    listAsides(workspaceId, approval.id),
  ]);
  const gateState = state.gates[approval.id];
  if (!gateState) throw new AppError("not_found");
  const { gate } = gateState;
  const { demands } = gate;
  const seats = demands && (await listSeatsOf(workspaceId, id, systemClock.now()));
  const viewer = { id, role, auditor, ...(seats ? { seats } : {}) };
  const clearance = getGateClearance(viewer);
  const nowMs = systemClock.now();
  const here = sealedTo(gateState, records, id, kept);
  const sealed = listCellsToOpen(state, gateState, here);
  const view = buildApprovalView(published, state, gateState, clearance, here);
  const sources = view.lines.flatMap((line) => line.provenance.flatMap((from) => SOURCE_USER.exec(from)?.[1] ?? []));
  const deciders = gateState.decisions.map((decision) => decision.user);
  const rates = new Map(models.map((model) => [model.id, model.rates]));
  const beside = describeGate({ published, state, gateState, records, viewer, clearance, sealed: kept, nowMs, at }, view, rates);
  const names = await getNames(workspaceId, [
    ...(demands ?? []).flatMap(({ people }) => people),
    ...gateState.decisions.flatMap((decision) => decision.for ?? []),
    ...(seats ?? []).flatMap((seat) => seat.for),
  ]);
  const seat = seats && findSeatAt(state, gateState, viewer);
  const commenters = beside.comments.map((comment) => comment.user);

  return {
    approval: { ...approval, status: gateState.status },
    run: {
      id: run.id,
      status: run.status,
      version: run.version,
      graphId: run.graphId,
      graphName: published.graph.name,
      graphHash: run.graphHash,
      versionNumber: version.number,
      initiator: run.initiatorId,
      author: version.authorId,
      totalTokens: run.totalTokens,
      totalMicroUsd: run.totalMicroUsd,
      budgetMicroUsd: state.start?.budget_micro_usd ?? null,
    },
    nodeTitles: Object.fromEntries(
      [...published.graph.nodes, ...getPublishedHere(published, state).graph.nodes].map((node) => [node.id, node.title]),
    ),
    gate: {
      role: gate.role,
      quorum: gate.quorum,
      onlyNamed: !isOpenBeside(gate),
      notPublisher: gate.not_publisher === true,
      demands: (getDemands(gateState) ?? []).map((demand) => ({ who: describeApprovers([demand], names), count: demand.count })),
      nonce: gate.nonce,
      seq:
        records.find(({ record }) => record.control.some((event) => event.type === "gate_opened" && event.gate.id === gate.id))?.record
          .seq ?? null,
      escalations: await describeEscalations(workspaceId, gateState),
      isStale: gateState.status === "open" && isStale(state, gate.transition),
    },
    view,
    /** Input of the transition digest, without values. */
    transition: toCanonicalJson(gate.transition),
    canDecide: canDecide(state, gateState, viewer, nowMs, { sealed: sealed.length, names }),
    canOpen: canDecide(state, gateState, viewer, nowMs, { names }),
    decidesFor: seat && seat !== "open" ? (seat.for.at(-1) ?? null) : null,
    sealed,
    ...beside,
    ...describeAsides(asides, gateState, id, nowMs),
    passkey: { required: gate.signature === "passkey", has: keys.some(({ revokedAt }) => revokedAt === null) },
    supersededBy:
      gateState.status === "open"
        ? null
        : (followerOf(state, approval.id) ?? newer.find(({ openedAt }) => openedAt >= (approval.resolvedAt ?? 0))?.id ?? null),
    turn: listTurn(state, gateState).map((other) => other.gate.id),
    people: {
      ...names,
      ...(await getAuthorNames(workspaceId, [
        run.initiatorId,
        version.authorId,
        ...deciders,
        ...sources,
        ...commenters,
        ...beside.editors,
        ...asides.flatMap(({ userId, kind }) => (kind === "not_mine" ? [userId] : [])),
      ])),
    },
  };
};

/** Returns the redacted view, whose digest the browser computes. */
export const approvalsGet = createProcedure("approval.read")
  .input(z.strictObject({ approvalId: z.uuid() }))
  .query(({ ctx, input }) =>
    readApproval({ workspaceId: ctx.workspaceId, id: ctx.user.id, role: ctx.role, auditor: ctx.auditor }, input.approvalId),
  );
