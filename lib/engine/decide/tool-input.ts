import type { PinnedTool } from "@/lib/graph/document";
import { joinLabels, createSourceLabel, type Label } from "@/lib/graph/label";
import { isJsonObject } from "@/lib/json";
import { refuse } from "@/lib/refusal";
import type { RefusalCode } from "@/lib/refusal";
import { findNodeById, type DecideContext } from "@/lib/engine/decide/context";
import { labelOutcome, getQuorum } from "@/lib/engine/decide/effect";
import { listCallDemands } from "@/lib/engine/decide/demands";
import { openGate } from "@/lib/engine/decide/gate";
import { recordUndone } from "@/lib/engine/decide/undo";
import { accept, listReads, reject, type Verdict, type Write } from "@/lib/engine/decide/verdict";
import { findPublishedIn } from "@/lib/engine/frame";
import { listAnsweredInputs, getQuestionPath, findQuestion, answerPath, statePath } from "@/lib/engine/approvals/pending-question";
import { findAside, isSimulated, getKnownValue, ownEntry, type Effect, type GateState, type RunState } from "@/lib/engine/state";
import { findActingIn } from "@/lib/engine/task";
import { listEarlierCalls } from "@/lib/engine/approvals/run-calls";
import { listCallRules, listGraphs } from "@/lib/engine/approvals/rules";
import { answersFit, MOST_INPUT_ROUNDS } from "@/lib/engine/approvals/tool-input";
import { INPUT_FAULTS, readToolInput, type InputFault } from "@/lib/engine/approvals/tool-input-read";
import { buildEffectTransition } from "@/lib/engine/ledger/transition";

const isOver = (state: RunState, effect: Effect): boolean =>
  effect.undoes !== null || effect.activation !== state.activation || state.unwinding !== null || state.status === "retrying";

/** The tool is not called again. */
const notAsked = (state: RunState, effect: Effect, fault: InputFault, label: Label): Verdict =>
  accept({
    events: [
      { type: "effect_settled", effect_id: effect.effect_id, outcome: "tool_error", simulated: isSimulated(state) },
      ...(effect.undoes === null ? [] : [recordUndone(effect.undoes, "failed")]),
    ],
    writes: [{ path: `$result.${effect.effect_id}`, value: { error: { code: fault, message: INPUT_FAULTS[fault] } }, label }],
    node: effect.node,
  });

const promptOf = ({ server, tool }: PinnedTool): string =>
  `${tool} needs an answer from a person to continue. The answer is sent to ${server} only.`;

export const decideInput = ({ root, state, proposal, body }: DecideContext<"effect_input">): Verdict => {
  const effect = ownEntry(state.effects, body.effect_id);
  if (!effect || effect.outcome !== null) return reject(refuse("effect_unknown"));
  if (proposal.principal.type !== "executor" || proposal.principal.node !== effect.node) {
    return reject(refuse("principal_not_allowed", [effect.node]), effect.node);
  }
  if (isSimulated(state)) return reject(refuse("simulation_mismatch", [effect.node]), effect.node);
  const published = findPublishedIn(root, effect.frames);
  const node = findNodeById(published, effect.node);
  const pin = published.tools.find(({ server, tool }) => server === effect.effect.server && tool === effect.effect.tool);
  const cell = findAside(state, `$arguments.${effect.effect_id}`).at(-1);
  const args = getKnownValue(cell);
  if (!node || !pin || !cell || !isJsonObject(args)) return reject(refuse("effect_unknown"));
  const label = labelOutcome(published, state, effect);
  if (isOver(state, effect)) return notAsked(state, effect, "input_nobody", label);
  // One question at a time: the repeated call asks again.
  if (state.status === "waiting") return reject(refuse("version_conflict", [node.id]), node.id);
  const rounds = listAnsweredInputs(state, effect.effect_id).length;
  if (rounds >= MOST_INPUT_ROUNDS) return notAsked(state, effect, "input_rounds", label);
  const acting = findActingIn(published, node, effect.task);
  const call = {
    ...effect.effect,
    graphs: listGraphs(root, published),
    effect: effect.effect_class,
    label: cell.label,
    args,
    listEarlier: () => listEarlierCalls(state, effect.effect, { effect: effect.effect_id }),
  };
  const most = listCallRules(state.start, call).map(({ needs }) => needs.count);
  if (Math.max(getQuorum(published, acting ? [node, acting] : [node]), ...most) > 1) return notAsked(state, effect, "input_quorum", label);
  const input = readToolInput(body.request);
  if (!input.ok) return notAsked(state, effect, input.error, label);
  const gate = openGate(proposal, {
    node,
    reason: "tool_input",
    prompt: promptOf(pin),
    transition: buildEffectTransition(published, state, node, pin, args, `input:${effect.effect_id}:${rounds}`, effect.task),
    pending: { server: pin.server, tool: pin.tool, arguments: args, effect_id: effect.effect_id, task: effect.task },
    label: cell.label,
    demands: listCallDemands(published, node, acting),
    editors: effect.approval_id === null ? undefined : ownEntry(state.gates, effect.approval_id)?.gate.editors,
  });
  const [id] = proposal.fresh;

  return accept({
    ...gate,
    writes: [
      ...gate.writes,
      { path: getQuestionPath(id), value: input.value, label },
      // Sealed: no reader needs server state.
      ...(body.state === null ? [] : [{ path: statePath(id), value: body.state, label: joinLabels([label, SEALED]) }]),
    ],
    reads: listReads([cell]),
    node: node.id,
  });
};

const SEALED: Label = { integrity: "untrusted", confidentiality: "secret", provenance: [] };

export const findAnswersObjection = ({ state, body }: DecideContext<"decision">, { gate }: GateState): RefusalCode | null => {
  const { answers, decision } = body;
  if (gate.reason !== "tool_input" || decision !== "approve") return answers === undefined ? null : "malformed";
  const asked = findQuestion(state, gate.id);

  return asked && answers && answersFit(asked, answers) ? null : "input_invalid";
};

/** Writes the answers. Rejections are forwarded without reasons. */
export const answerWrites = ({ state, proposal, body }: DecideContext<"decision">, { gate }: GateState): Write[] => {
  if (gate.reason !== "tool_input" || proposal.principal.type !== "user") return [];
  const asked = findAside(state, getQuestionPath(gate.id)).at(-1);
  const label = joinLabels([...(asked ? [asked.label] : []), createSourceLabel("trusted", "internal", `user:${proposal.principal.id}`)]);

  return [{ path: answerPath(gate.id), value: body.decision === "approve" ? (body.answers ?? null) : null, label }];
};
