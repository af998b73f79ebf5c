import type { NodeOf } from "@/lib/graph/document";
import { answerPath } from "@/lib/graph/facts/access";
import { waits } from "@/lib/graph/kind-of";
import { MOST_WAIT_MS } from "@/lib/graph/kinds/wait";
import { createSourceLabel, joinLabels, type Label } from "@/lib/graph/label";
import { digestOf, isSameDigest } from "@/lib/hash";
import { refuse, type RefusalCode } from "@/lib/refusal";
import { ok, type Result } from "@/lib/result";
import { checkAsker } from "@/lib/engine/decide/check-asker";
import { failAttempt } from "@/lib/engine/decide/complete";
import { findNodeById, type DecideContext } from "@/lib/engine/decide/context";
import { finish } from "@/lib/engine/decide/finish";
import { accept, listReads, reject, type Verdict } from "@/lib/engine/decide/verdict";
import { checkWrites, type CheckedWrites } from "@/lib/engine/decide/writes";
import type { RunEvent } from "@/lib/engine/event";
import type { Principal } from "@/lib/engine/principal";
import type { BodyOf } from "@/lib/engine/proposal";
import { actionSchema } from "@/lib/engine/outside/action";
import { findOpenWait, type RunState } from "@/lib/engine/state";
import { getContextLabel, getEffectiveGrants, listInfluences } from "@/lib/engine/view";

const NO_WRITES: CheckedWrites = { writes: [], protectedKeys: [] };

const RESUME: RunEvent = { type: "status_changed", to: "running", reason: null };

const resumed = (state: RunState): RunState => ({ ...state, status: "running" });

const failed = (code: string) => ({ code, retryable: false, jitter: 0, retryAfterMs: null });

const getSpanMs = ({ until }: NodeOf<"wait">["config"]): number | null =>
  until.type === "instant" ? null : until.type === "duration" ? until.ms : until.timeout_ms;

export const openWait = ({
  published,
  state,
  proposal,
  body,
  node,
}: DecideContext<"node_result"> & { readonly node: NodeOf<"wait"> }): Verdict => {
  const { data: action } = actionSchema.safeParse(body.actions[0]);
  const spanMs = getSpanMs(node.config);
  if (body.actions.length !== 1 || action?.type !== "wait" || (action.until === null) !== (spanMs !== null))
    return reject(refuse("action_not_granted", [node.id]), node.id);
  const until = action.until ?? proposal.at + (spanMs ?? 0);
  const reads = listReads(listInfluences(published, state, node));
  if (until - proposal.at > MOST_WAIT_MS)
    return accept({ ...failAttempt(published, state, proposal, node.id, failed("wait_too_long")), reads, node: node.id });
  if (until <= proposal.at) return accept({ ...finish({ published, state, proposal, node }, NO_WRITES), reads, node: node.id });

  return accept({
    events: [
      {
        type: "wait_opened",
        wait_id: proposal.fresh[0],
        node: node.id,
        activation: body.activation,
        until,
        answerable: node.config.until.type === "event",
      },
      { type: "status_changed", to: "waiting", reason: "wait" },
    ],
    reads,
    node: node.id,
  });
};

export const decideEndWait = ({ published, state, proposal, body }: DecideContext<"end_wait">): Verdict => {
  const wait = findOpenWait(state);
  const node = findNodeById(published, state.currentNode);
  if (wait?.wait_id !== body.wait_id || !node) return reject(refuse("wait_closed"), state.currentNode);
  if (proposal.at < wait.until) return reject(refuse("version_conflict"), node.id);
  const ended: RunEvent = { type: "wait_ended", wait_id: wait.wait_id, outcome: wait.answerable ? "expired" : "due" };
  const then = wait.answerable
    ? failAttempt(published, resumed(state), proposal, node.id, failed("wait_timeout"))
    : finish({ published, state: resumed(state), proposal, node }, NO_WRITES);

  return accept({ events: [ended, RESUME, ...then.events], writes: then.writes, node: node.id });
};

const findAnswerable = (state: RunState, atMs: number) => {
  const wait = findOpenWait(state);

  return wait?.answerable && atMs < wait.until ? wait : null;
};

/** Hands a token out once; the ledger keeps its hash. */
export const decideTakeWaitToken = ({ state, proposal, body }: DecideContext<"take_wait_token">): Verdict => {
  const asked = checkAsker(proposal.principal, "run.start", ["runs:control"]);
  if (!asked.ok) return reject(refuse(asked.error), state.currentNode);
  const wait = findAnswerable(state, proposal.at);
  if (!wait) return reject(refuse("wait_closed"), state.currentNode);
  if (wait.tokenHash !== null) return reject(refuse("wait_token_taken", [wait.node]), wait.node);

  return accept({ events: [{ type: "wait_token_taken", wait_id: wait.wait_id, token_hash: body.token_hash }], node: wait.node });
};

export const computeWaitTokenHash = (token: string) => digestOf("wait", token);

/** A person's session stands for the token, for the wait that was on screen. */
const isCalledUpon = (
  wait: NonNullable<ReturnType<typeof findOpenWait>>,
  principal: Principal,
  { token, wait_id: shown }: BodyOf<"answer_wait">,
): boolean => {
  if (token === undefined) return principal.type === "user" && shown === wait.wait_id;

  return wait.tokenHash !== null && isSameDigest(wait.tokenHash, computeWaitTokenHash(token));
};

const labelAnswer = (principal: Principal, wait: ReturnType<typeof findOpenWait>): Result<Label, RefusalCode> => {
  if (principal.type === "wait") return ok(createSourceLabel("untrusted", "internal", `wait:${wait?.node}/${wait?.wait_id}`));
  const asked = checkAsker(principal, "run.start", ["runs:answer"]);

  return asked.ok ? ok(asked.value.label) : asked;
};

/** A refused answer leaves wait and token as they were. */
export const decideAnswerWait = ({ published, state, proposal, body }: DecideContext<"answer_wait">): Verdict => {
  const wait = findAnswerable(state, proposal.at);
  const sent = labelAnswer(proposal.principal, wait);
  if (!sent.ok) return reject(refuse(sent.error), state.currentNode);
  const node = findNodeById(published, state.currentNode);
  if (!wait || !waits(node)) return reject(refuse("wait_closed"), state.currentNode);
  if (!isCalledUpon(wait, proposal.principal, body)) return reject(refuse("wait_token_wrong", [node.id]), node.id);
  const path = answerPath(node);
  // A mere signal has no value.
  const updates = path === undefined && body.value === null ? [] : [{ path: path ?? "", value: body.value }];
  const label = joinLabels([sent.value, getContextLabel(published, state, node)]);
  const checked = checkWrites(published, state, getEffectiveGrants(published, node).write, updates, label);
  if (!checked.ok) return reject(checked.error, node.id);
  const finished = finish({ published, state: resumed(state), proposal, node }, checked.value);

  return accept({
    events: [{ type: "wait_ended", wait_id: wait.wait_id, outcome: "answered" }, RESUME, ...finished.events],
    writes: finished.writes,
    reads: listReads(listInfluences(published, state, node)),
    node: node.id,
  });
};
