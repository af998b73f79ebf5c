/** Tool questions: the run waits, then repeats the call with the answer as the same effect. */
import type { PinnedTool } from "@/lib/graph/document";
import { joinLabels, source, type Label } from "@/lib/graph/label";
import { isJsonObject } from "@/lib/json";
import { refuse } from "@/lib/refusal";
import type { RefusalCode } from "@/lib/refusal";
import { nodeById, type DecideContext } from "@/lib/engine/decide/context";
import { outcomeLabel, quorumOf } from "@/lib/engine/decide/effect";
import { openGate } from "@/lib/engine/decide/gate";
import { undone } from "@/lib/engine/decide/undo";
import { accept, readsOf, reject, type Verdict, type Write } from "@/lib/engine/decide/verdict";
import { publishedIn } from "@/lib/engine/frame";
import { answeredInputs, askedPath, askedOf, answerPath, statePath } from "@/lib/engine/approvals/asked-input";
import { asideAt, isSimulated, knownValue, ownEntry, type Effect, type GateState, type RunState } from "@/lib/engine/state";
import { actingIn } from "@/lib/engine/task";
import { answersFit, MOST_INPUT_ROUNDS } from "@/lib/engine/approvals/tool-input";
import { INPUT_FAULTS, readToolInput, type InputFault } from "@/lib/engine/approvals/tool-input-read";
import { effectTransition } from "@/lib/engine/ledger/transition";

/** Returns whether the call is over or an undo. */
const isOver = (state: RunState, effect: Effect): boolean =>
  effect.undoes !== null || effect.activation !== state.activation || state.unwinding !== null || state.status === "retrying";

/** Declines the question; the tool is not called again for it. */
const notAsked = (state: RunState, effect: Effect, fault: InputFault, label: Label): Verdict =>
  accept({
    events: [
      { type: "effect_settled", effect_id: effect.effect_id, outcome: "tool_error", simulated: isSimulated(state) },
      ...(effect.undoes === null ? [] : [undone(effect.undoes, "failed")]),
    ],
    writes: [{ path: `$result.${effect.effect_id}`, value: { error: { code: fault, message: INPUT_FAULTS[fault] } }, label }],
    node: effect.node,
  });

const promptOf = ({ server, tool }: PinnedTool): string =>
  `${tool} asks a person for something before it goes on. What is entered here is told to ${server}, and to nobody else.`;

export const decideInput = ({ root, state, proposal, body }: DecideContext<"effect_input">): Verdict => {
  const effect = ownEntry(state.effects, body.effect_id);
  if (!effect || effect.outcome !== null) return reject(refuse("effect_unknown"));
  if (proposal.principal.type !== "executor" || proposal.principal.node !== effect.node) {
    return reject(refuse("principal_not_allowed", [effect.node]), effect.node);
  }
  if (isSimulated(state)) return reject(refuse("simulation_mismatch", [effect.node]), effect.node);
  const published = publishedIn(root, effect.frames);
  const node = nodeById(published, effect.node);
  const pin = published.tools.find(({ server, tool }) => server === effect.effect.server && tool === effect.effect.tool);
  const cell = asideAt(state, `$arguments.${effect.effect_id}`).at(-1);
  const args = knownValue(cell);
  if (!node || !pin || !cell || !isJsonObject(args)) return reject(refuse("effect_unknown"));
  const label = outcomeLabel(published, state, effect);
  if (isOver(state, effect)) return notAsked(state, effect, "input_nobody", label);
  // One question at a time: the repeated call asks again.
  if (state.status === "waiting") return reject(refuse("version_conflict", [node.id]), node.id);
  const rounds = answeredInputs(state, effect.effect_id).length;
  if (rounds >= MOST_INPUT_ROUNDS) return notAsked(state, effect, "input_rounds", label);
  const acting = actingIn(published, node, effect.task);
  if (quorumOf(published, acting ? [node, acting] : [node]) > 1) return notAsked(state, effect, "input_quorum", label);
  const input = readToolInput(body.request);
  if (!input.ok) return notAsked(state, effect, input.error, label);
  const gate = openGate(proposal, {
    node,
    reason: "tool_input",
    prompt: promptOf(pin),
    transition: effectTransition(published, state, node, pin, args, `input:${effect.effect_id}:${rounds}`, effect.task),
    pending: { server: pin.server, tool: pin.tool, arguments: args, effect_id: effect.effect_id, task: effect.task },
    label: cell.label,
    editors: effect.approval_id === null ? undefined : ownEntry(state.gates, effect.approval_id)?.gate.editors,
  });
  const [id] = proposal.fresh;

  return accept({
    ...gate,
    writes: [
      ...gate.writes,
      { path: askedPath(id), value: input.value, label },
      // Opaque server state: sealed, since no reader needs it.
      ...(body.state === null ? [] : [{ path: statePath(id), value: body.state, label: joinLabels([label, SEALED]) }]),
    ],
    reads: readsOf([cell]),
    node: node.id,
  });
};

const SEALED: Label = { integrity: "untrusted", confidentiality: "secret", provenance: [] };

/** Returns why the answers do not fit this gate. */
export const answersObjection = ({ state, body }: DecideContext<"decision">, { gate }: GateState): RefusalCode | null => {
  const { answers, decision } = body;
  if (gate.reason !== "tool_input" || decision !== "approve") return answers === undefined ? null : "malformed";
  const asked = askedOf(state, gate.id);

  return asked && answers && answersFit(asked, answers) ? null : "input_invalid";
};

/** Writes a person's answers. A rejection is forwarded, its reason is not. */
export const answerWrites = ({ state, proposal, body }: DecideContext<"decision">, { gate }: GateState): Write[] => {
  if (gate.reason !== "tool_input" || proposal.principal.type !== "user") return [];
  const asked = asideAt(state, askedPath(gate.id)).at(-1);
  const label = joinLabels([...(asked ? [asked.label] : []), source("trusted", "internal", `user:${proposal.principal.id}`)]);

  return [{ path: answerPath(gate.id), value: body.decision === "approve" ? (body.answers ?? null) : null, label }];
};
