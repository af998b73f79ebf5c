import { ownMember, type JsonObject } from "@/lib/json";
import { findAside, getKnownValue, type GateState, type RunState } from "@/lib/engine/state";
import { inputAnswersSchema, buildInputResponses, toolInputSchema, type ToolInput } from "@/lib/engine/approvals/tool-input";

/** Returns the path of the form shown to people. */
export const getQuestionPath = (gateId: string): string => `$asked.${gateId}`;
/** Returns the path of the server's state. */
export const statePath = (gateId: string): string => `$state.${gateId}`;
/** Path of the answers; null: declined. */
export const answerPath = (gateId: string): string => `$answer.${gateId}`;

export const findQuestion = (state: RunState, gateId: string): ToolInput | null => {
  const parsed = toolInputSchema.safeParse(getKnownValue(findAside(state, getQuestionPath(gateId)).at(-1)));

  return parsed.success ? parsed.data : null;
};

const isOf = (state: RunState, { gate }: GateState, effectId: string): boolean =>
  gate.reason === "tool_input" && ownMember(getKnownValue(findAside(state, `$pending.${gate.id}`).at(-1)), "effect_id") === effectId;

/** Returns the closed questions, oldest first. */
export const listAnsweredInputs = (state: RunState, effectId: string): readonly GateState[] =>
  Object.values(state.gates).filter(
    (gateState) => (gateState.status === "approved" || gateState.status === "rejected") && isOf(state, gateState, effectId),
  );

/** `state` is the server's, byte for byte. */
export type AnsweredInput = { readonly state: string | null; readonly responses: JsonObject };

/** Returns the newest answer; null: no question yet. */
export const findAnsweredInput = (state: RunState, effectId: string): AnsweredInput | null => {
  const last = listAnsweredInputs(state, effectId).at(-1);
  const asked = last && findQuestion(state, last.gate.id);
  if (!last || !asked) return null;
  const answers = inputAnswersSchema.safeParse(getKnownValue(findAside(state, answerPath(last.gate.id)).at(-1)));
  const opaque = getKnownValue(findAside(state, statePath(last.gate.id)).at(-1));

  return {
    state: typeof opaque === "string" ? opaque : null,
    responses: buildInputResponses(asked, last.status === "approved" && answers.success ? answers.data : null),
  };
};
