/** Text and links of notifications about approval requests. */
import { buildApprovalView, computeViewDigest } from "@/lib/engine/approvals/approval-view";
import { getClearance, getGateClearance } from "@/lib/engine/approvals/policy";
import { findChangesObjection } from "@/lib/engine/decide/changes";
import { findDeciderObjection } from "@/lib/engine/decide/decider";
import { classifyAuthority, classifyRisk } from "@/lib/engine/approvals/authority-class";
import { raiseRisk } from "@/lib/engine/approvals/signals";
import { getPublishedHere } from "@/lib/engine/frame";
import { getPublished } from "@/lib/engine/forks/fork";
import { isStale } from "@/lib/engine/ledger/transition";
import type { Principal } from "@/lib/engine/principal";
import type { GateState, RunState } from "@/lib/engine/state";
import type { PublishedGraph } from "@/lib/graph/document";
import { CLASSIFICATIONS, type Classification } from "@/lib/graph/label";
import type { NotificationAction, NotificationItem } from "@/lib/notifications/message";
import { createReplyToken, type LinkAction } from "@/lib/notifications/reply-link";
import type { Seat } from "@/lib/people/approvers";
import { isAllowed } from "@/lib/roles";
import { readEnv } from "@/server/env";
import { log } from "@/server/log";
import type { DeliverMessage } from "@/server/notify/channel";
import type { NotificationDeps } from "@/server/notify/notifications";
import { ownOrigin } from "@/server/own-origin";
import { sealedCells } from "@/server/reading/sealed-cells";
import type { RunnerDeps } from "@/server/runner/deps";
import { loadRun, RunFrozen } from "@/server/runner/load";
import { unlessUnproved } from "@/server/runner/identify";
import { readSeats } from "@/server/runner/seats";
import { findVersion } from "@/server/runner/version";
import { getApproval } from "@/server/store/approvals/approvals";
import { runHead, type RunHead } from "@/server/store/ledger/run-heads";
import { findUserPrincipal } from "@/server/store/people/principals";

type User = Extract<Principal, { type: "user" }>;
type Deps = Pick<RunnerDeps, "authority" | "clock" | "publicKeys" | "signer" | "vault">;

/** A link outlives no request, and not a week. */
const MOST_LINK_MS = 7 * 86_400_000;

/** Limits of the reader and the operator: a message leaves the installation. */
const getMessageClearance = (user: User, most: Classification): Classification => {
  const own = getGateClearance(user);

  return CLASSIFICATIONS.indexOf(own) < CLASSIFICATIONS.indexOf(most) ? own : most;
};

type Loaded = { readonly published: PublishedGraph; readonly state: RunState };
type Gated = Loaded & { readonly gateState: GateState };

const listReplies = (
  { published, state, gateState }: Gated,
  user: User & { readonly seats: readonly Seat[] },
  atMs: number,
): readonly LinkAction[] => {
  // A case is reviewed blind, and on its page.
  const isOwn = gateState.gate.reason !== "review" && !gateState.decisions.some((made) => made.user === user.id);
  const mayDecide = isOwn && findDeciderObjection(state, gateState, user, atMs) === null;
  const maySendBack = mayDecide && findChangesObjection(getPublishedHere(published, state), state, gateState) === null;

  return [
    ...(mayDecide ? (["reject"] as const) : []),
    ...(maySendBack ? (["request_changes"] as const) : []),
    ...(isAllowed(user.role, "approval.comment") ? (["comment"] as const) : []),
    ...(mayDecide ? (["snooze"] as const) : []),
  ];
};

const load = async (deps: Deps, { workspaceId, id, version, head: digest, graphHash }: RunHead): Promise<Loaded | null> => {
  const executed = await unlessUnproved(findVersion(deps.authority, workspaceId, graphHash));
  if (!executed || typeof executed === "string") return null;
  const { state } = await loadRun(deps.vault, await deps.publicKeys(), { workspaceId, runId: id, version, digest }, graphHash);

  return { published: getPublished(executed.published, state), state };
};

/** Readers are told within seconds; kept no longer, since values may be shredded. */
const KEPT_MS = 3_000;
let latest: { readonly head: string; readonly untilMs: number; readonly run: Promise<Loaded | null> } | null = null;

/** Loads a run once for all its readers. */
const loadOnce = (deps: Deps, head: RunHead): Promise<Loaded | null> => {
  const nowMs = deps.clock.now();
  if (latest?.head === head.head && nowMs < latest.untilMs) return latest.run;
  const run = load(deps, head);
  latest = { head: head.head, untilMs: nowMs + KEPT_MS, run };
  const forget = setTimeout(() => {
    if (latest?.run === run) latest = null;
  }, KEPT_MS);
  forget.unref();

  return run;
};

const loadGate = async (deps: Deps, workspaceId: string, approvalId: string) => {
  const approval = await getApproval(workspaceId, approvalId);
  const head = approval && (await runHead(workspaceId, approval.runId));
  if (approval?.status !== "open" || !head || head.frozen !== null) return null;
  const run = await loadOnce(deps, head);
  const gateState = run?.state.gates[approvalId];
  const sealed = run && (await sealedCells(deps.vault, workspaceId, head.id, Object.values(run.state.cells)));

  return run && sealed && gateState?.status === "open" ? { approval, gateState, sealed, ...run } : null;
};

export type MessagePolicy = {
  /** Without a path. */
  readonly origin: string;
  /** Highest classification of values in messages. */
  readonly most: Classification;
};

/** Describes an open request for a member, with their links; null: nothing to tell. */
export const describeApproval = async (
  deps: Deps,
  { origin, most }: MessagePolicy,
  { workspaceId, approvalId, userId }: { readonly workspaceId: string; readonly approvalId: string; readonly userId: string },
): Promise<NotificationItem | null> => {
  const [user, seats] = await Promise.all([
    unlessUnproved(findUserPrincipal(deps.authority, workspaceId, userId)),
    unlessUnproved(readSeats(deps, workspaceId, userId)),
  ]);
  if (!user || typeof user === "string" || typeof seats === "string") return null;
  const found = await loadGate(deps, workspaceId, approvalId).catch((error: unknown) => {
    if (!(error instanceof RunFrozen)) throw error;
    log().warn({ approval: approvalId, reason: error.reason }, "a run does not verify, so no notification is sent");

    return null;
  });
  if (!found) return null;
  const { approval, published, state, gateState, sealed } = found;
  const { gate } = gateState;
  const nowMs = deps.clock.now();
  if (nowMs >= gate.expires_at || isStale(state, gate.transition)) return null;
  const shown = buildApprovalView(published, state, gateState, getMessageClearance(user, most), sealed);
  const view = computeViewDigest(buildApprovalView(published, state, gateState, getClearance(user)));
  // From the request alone, so that every attempt sends the same link.
  const expires = Math.floor(Math.min(gate.expires_at, gate.opened_at + MOST_LINK_MS) / 1_000);
  const token = createReplyToken({ workspace: workspaceId, approval: approvalId, user: userId, view, expires }, (digest) =>
    deps.signer.signDigest(digest),
  );
  const replies = listReplies(found, { ...user, seats }, nowMs).map((kind): NotificationAction => ({
    kind,
    url: `${origin}/reply?do=${kind}&token=${token}`,
  }));
  const { effect } = gate.transition;
  const authority = classifyAuthority(getPublishedHere(published, state), gate);

  return {
    sentence: shown.summary ?? shown.effect,
    authority,
    risk: raiseRisk(classifyRisk(authority), shown.signals),
    target: effect && `${effect.server}.${effect.tool}`,
    graphName: approval.graphName,
    signals: shown.signals,
    expiresAt: gate.expires_at,
    actions: [{ kind: "open", url: `${origin}/approvals/${approvalId}` }, ...replies],
  };
};

const getMessagePolicy = (): MessagePolicy => ({ origin: ownOrigin(), most: readEnv().COUNTERSIGN_MAIL_VALUES });

export const createNotificationDeps = (deps: Deps, deliver: DeliverMessage, policy = getMessagePolicy()): NotificationDeps => ({
  clock: deps.clock,
  deliver,
  origin: policy.origin,
  describe: (workspaceId, approvalId, userId) => describeApproval(deps, policy, { workspaceId, approvalId, userId }),
});
