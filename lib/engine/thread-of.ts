/** The conversation of the current attempt, put together from the ledger: it can be resumed on any machine. */
import { z } from "zod";
import type { Json } from "@/lib/json";
import { asideAt, knownValue, type RunState } from "@/lib/engine/state";
import { threadMessageSchema, type ThreadMessage, type ToolCall } from "@/lib/engine/thread";

/** A retry starts a conversation of its own. */
export const threadPath = (state: RunState): string => `$thread.${state.activation}.${state.retryCount}`;

/** One effect per call and attempt. */
export const callKey = (state: RunState, callId: string): string => `${state.retryCount}/${callId}`;

const stepSchema = z.strictObject({ fresh: z.array(threadMessageSchema), response: threadMessageSchema });

const settledAnswer = (state: RunState, call: ToolCall): ThreadMessage | null => {
  const effect = Object.values(state.effects).find(
    (candidate) => candidate.activation === state.activation && candidate.call_id === callKey(state, call.id),
  );
  if (!effect || effect.outcome === null) return null;
  const result: Json = knownValue(asideAt(state, `$result.${effect.effect_id}`).at(-1)) ?? null;

  return { role: "tool", call_id: call.id, name: call.name, status: effect.outcome === "ok" ? "ok" : "tool_error", result };
};

/**
 * Assistant messages with the answers to their tool calls. Answers come from the next step, which recorded what the
 * model was shown; for the newest message, from effects that have settled. Calls without an answer are still to be made.
 */
export const threadOf = (state: RunState): readonly ThreadMessage[] => {
  const steps = asideAt(state, threadPath(state)).flatMap((cell) => {
    const parsed = stepSchema.safeParse(knownValue(cell));

    return parsed.success ? [parsed.data] : [];
  });

  return steps.flatMap(({ response }, index) => {
    const next = steps[index + 1];
    if (next) return [response, ...next.fresh];
    const calls = response.role === "assistant" ? response.tool_calls : [];

    return [response, ...calls.flatMap((call) => settledAnswer(state, call) ?? [])];
  });
};
