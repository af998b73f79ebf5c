import { buildApprovalView, computeViewDigest } from "@/lib/engine/approvals/approval-view";
import { findChatObjection, listChatLines } from "@/lib/engine/approvals/chat-approval";
import { getClearance, getGateClearance, getShownTo } from "@/lib/engine/approvals/policy";
import { findChangesObjection } from "@/lib/engine/decide/changes";
import { findDeciderObjection } from "@/lib/engine/decide/decider";
import { classifyAuthority, classifyRisk } from "@/lib/engine/approvals/authority-class";
import { raiseRisk } from "@/lib/engine/approvals/signals";
import { getPublishedHere } from "@/lib/engine/frame";
import { getPublished } from "@/lib/engine/forks/fork";
import { isStale } from "@/lib/engine/ledger/transition";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import type { Principal } from "@/lib/engine/principal";
import type { GateState, RunState } from "@/lib/engine/state";
import type { PublishedGraph } from "@/lib/graph/document";
import { CLASSIFICATIONS, type Classification } from "@/lib/graph/label";
import type { NotificationAction, NotificationItem } from "@/lib/notifications/message";
import {
  createReplyToken,
  getReplyCommandId,
  REPLY_ACTIONS,
  type LinkAction,
  type ReplyAction,
  type ReplyLink,
} from "@/lib/notifications/reply-link";
import type { Seat } from "@/lib/people/approvers";
import type { Channel } from "@/lib/notifications/setting";
import { isAllowed } from "@/lib/roles";
import { linkInto } from "@/lib/workspace-link";
import { log } from "@/server/log";
import { sealedCells } from "@/server/reading/sealed-cells";
import type { RunnerDeps } from "@/server/runner/deps";
import { loadRunAt, RunFrozen } from "@/server/runner/load";
import { unlessUnproved } from "@/server/runner/identify";
import { readSeats } from "@/server/runner/seats";
import { findVersion } from "@/server/runner/version";
import { getApproval } from "@/server/store/approvals/approvals";
import { runHead, type RunHead } from "@/server/store/ledger/run-heads";
import { listAnswered } from "@/server/store/runs/commands";
import { findUserPrincipal } from "@/server/store/people/principals";

type User = Extract<Principal, { type: "user" }>;
export type MessageDeps = Pick<RunnerDeps, "authority" | "clock" | "publicKeys" | "signer" | "vault">;

/** A link outlives no request, and not a week. */
const MOST_LINK_MS = 7 * 86_400_000;

/** Limits of the reader and the operator: a message leaves the installation. */
const limitClearance = (own: Classification, most: Classification): Classification =>
  CLASSIFICATIONS.indexOf(own) < CLASSIFICATIONS.indexOf(most) ? own : most;

export const getMessageClearance = (user: User, most: Classification): Classification => limitClearance(getGateClearance(user), most);

type Loaded = { readonly published: PublishedGraph; readonly state: RunState; readonly records: readonly SignedRecord[] };
type Gated = Loaded & { readonly gateState: GateState };

const listReplies = ({ published, state, gateState }: Gated, { role }: User, canDecide: boolean): readonly LinkAction[] => {
  // A case is reviewed blind, and on its page.
  const mayDecide = canDecide && gateState.gate.reason !== "review";
  const maySendBack = mayDecide && findChangesObjection(getPublishedHere(published, state), state, gateState) === null;

  return [
    ...(mayDecide ? (["reject"] as const) : []),
    ...(maySendBack ? (["request_changes"] as const) : []),
    ...(isAllowed(role, "approval.comment") ? (["comment"] as const) : []),
    ...(mayDecide ? (["snooze"] as const) : []),
  ];
};

const isDecider = ({ state, gateState }: Gated, user: User & { readonly seats: readonly Seat[] }, atMs: number): boolean =>
  !gateState.decisions.some((made) => made.user === user.id) && findDeciderObjection(state, gateState, user, atMs) === null;

const load = async (deps: MessageDeps, { workspaceId, id, version, head: digest, graphHash }: RunHead): Promise<Loaded | null> => {
  const executed = await unlessUnproved(findVersion(deps.authority, workspaceId, graphHash));
  if (!executed || typeof executed === "string") return null;
  const { state, records } = await loadRunAt(deps.vault, await deps.publicKeys(), { workspaceId, runId: id, version, digest }, graphHash);

  return { published: getPublished(executed.published, state), state, records };
};

/** Readers are told within seconds; kept no longer, since values may be shredded. */
const KEPT_MS = 3_000;
let latest: { readonly head: string; readonly untilMs: number; readonly run: Promise<Loaded | null> } | null = null;

export const loadOnce = (deps: MessageDeps, head: RunHead): Promise<Loaded | null> => {
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

const loadGate = async (deps: MessageDeps, workspaceId: string, approvalId: string) => {
  const approval = await getApproval(workspaceId, approvalId);
  const head = approval && (await runHead(workspaceId, approval.runId));
  if (approval?.status !== "open" || !head || head.frozen !== null) return null;
  const run = await loadOnce(deps, head);
  const gateState = run?.state.gates[approvalId];
  const sealed = run && (await sealedCells(deps.vault, workspaceId, head.id, Object.values(run.state.cells)));

  return run && sealed && gateState?.status === "open" ? { approval, gateState, sealed, ...run } : null;
};

export type MessagePolicy = {
  readonly origin: string;
  /** Highest classification of values in messages. */
  readonly most: Classification;
};

type Asked = { readonly workspaceId: string; readonly approvalId: string; readonly userId: string; readonly channel: Channel };

const listDone = async (link: ReplyLink): Promise<readonly ReplyAction[]> => {
  const used = await listAnswered(REPLY_ACTIONS.map((action) => getReplyCommandId(link, action)));

  return REPLY_ACTIONS.filter((action) => used.has(getReplyCommandId(link, action)));
};

const loadOpenGate = async (deps: MessageDeps, workspaceId: string, approvalId: string) => {
  const found = await loadGate(deps, workspaceId, approvalId).catch((error: unknown) => {
    if (!(error instanceof RunFrozen)) throw error;
    log().warn({ approval: approvalId, reason: error.reason }, "a run does not verify, so no notification is sent");

    return null;
  });
  if (!found || deps.clock.now() >= found.gateState.gate.expires_at || isStale(found.state, found.gateState.gate.transition)) return null;

  return found;
};

type OpenGate = NonNullable<Awaited<ReturnType<typeof loadOpenGate>>>;

const describeShown = ({ approval, published, state, gateState, sealed }: OpenGate, clearance: Classification, origin: string) => {
  const shown = buildApprovalView(published, state, gateState, clearance, sealed);
  const { effect } = gateState.gate.transition;
  const authority = classifyAuthority(getPublishedHere(published, state), gateState.gate);

  return {
    sentence: shown.summary ?? shown.effect,
    authority,
    risk: raiseRisk(classifyRisk(authority), shown.signals),
    target: effect && `${effect.server}.${effect.tool}`,
    graphName: approval.graphName,
    signals: shown.signals,
    expiresAt: gateState.gate.expires_at,
    actions: [
      { kind: "open", url: origin + linkInto(state.workspace, `/approvals/${approval.id}`) },
    ] satisfies readonly NotificationAction[],
  };
};

/** Null: needs the page. */
const listApprovable = ({ published, state, gateState, sealed }: OpenGate, clearance: Classification): readonly string[] | null => {
  const view = buildApprovalView(published, state, gateState, clearance, sealed);

  return findChatObjection(getPublishedHere(published, state), gateState.gate, view) === null ? listChatLines(view) : null;
};

export const describeForAll = async (
  deps: MessageDeps,
  { origin, most }: MessagePolicy,
  workspaceId: string,
  approvalId: string,
): Promise<NotificationItem | null> => {
  const found = await loadOpenGate(deps, workspaceId, approvalId);

  return found && { ...describeShown(found, limitClearance(getShownTo("viewer"), most), origin), done: [], canDecide: false };
};

/** Null: nothing to tell. */
export const describeApproval = async (
  deps: MessageDeps,
  { origin, most }: MessagePolicy,
  { workspaceId, approvalId, userId, channel }: Asked,
): Promise<NotificationItem | null> => {
  const [user, seats] = await Promise.all([
    unlessUnproved(findUserPrincipal(deps.authority, workspaceId, userId)),
    unlessUnproved(readSeats(deps, workspaceId, userId)),
  ]);
  if (!user || typeof user === "string" || typeof seats === "string") return null;
  const found = await loadOpenGate(deps, workspaceId, approvalId);
  if (!found) return null;
  const { published, state, gateState } = found;
  const { gate } = gateState;
  const view = computeViewDigest(buildApprovalView(published, state, gateState, getClearance(user)));
  const canDecide = isDecider(found, { ...user, seats }, deps.clock.now());
  const clearance = getMessageClearance(user, most);
  const shown = describeShown(found, clearance, origin);
  if (channel === "teams") return { ...shown, done: [], canDecide };
  // From the request alone, so that every attempt sends the same link.
  const expires = Math.floor(Math.min(gate.expires_at, gate.opened_at + MOST_LINK_MS) / 1_000);
  const link: ReplyLink = { workspace: workspaceId, approval: approvalId, user: userId, view, expires, channel };
  const token = createReplyToken(link, (digest) => deps.signer.signDigest(digest));
  const done = await listDone(link);
  const replies = listReplies(found, user, canDecide)
    .filter((kind) => kind === "snooze" || !done.includes(kind))
    .map((kind): NotificationAction => ({ kind, url: `${origin}/reply?do=${kind}&token=${token}` }));
  const values = channel === "slack" && canDecide ? listApprovable(found, clearance) : null;
  const approving = values && createReplyToken({ ...link, approves: true }, (digest) => deps.signer.signDigest(digest));
  const approve = approving
    ? [{ kind: "approve", url: origin + linkInto(workspaceId, `/approvals/${approvalId}?token=${approving}`) } as const]
    : [];

  return { ...shown, actions: [...shown.actions, ...approve, ...replies], done, canDecide, ...(values ? { values } : {}) };
};
