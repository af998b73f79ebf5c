import { z } from "zod";
import type { Json } from "@/lib/json";
import { listNotes } from "@/lib/engine/approvals/notes";
import { findAside, getKnownValue, ownEntry, type Effect, type RunState } from "@/lib/engine/state";
import { threadMessageSchema, type ByPerson, type ThreadMessage, type ToolCall } from "@/lib/engine/thread";

const attemptPath = (state: RunState): string => `$thread.${state.activation}.${state.retryCount}`;

/** One per retry and task. */
export const getThreadPath = (state: RunState, task = ""): string => (task === "" ? attemptPath(state) : `${attemptPath(state)}.${task}`);

export const getReasoningPath = (state: RunState, task: string): string =>
  getThreadPath(state, task).replace("$thread", () => "$reasoning");

export const callKey = (state: RunState, task: string, callId: string): string => `${state.retryCount}/${task}/${callId}`;

export const threadStepSchema = z.strictObject({ fresh: z.array(threadMessageSchema), response: threadMessageSchema });

export type ShownResult = (
  task: string,
  effect: Effect,
  result: Json,
) => { readonly result: Json; readonly by_person?: ByPerson | undefined };

const settledAnswer = (state: RunState, task: string, call: ToolCall, shown: ShownResult): ThreadMessage | null => {
  const effect = Object.values(state.effects).find(
    (candidate) => candidate.activation === state.activation && candidate.call_id === callKey(state, task, call.id),
  );
  if (!effect || effect.outcome === null) return null;
  const answer: Json = getKnownValue(findAside(state, `$result.${effect.effect_id}`).at(-1)) ?? null;
  const { result, by_person: byPerson } = shown(task, effect, answer);

  return {
    role: "tool",
    call_id: call.id,
    name: call.name,
    status: effect.outcome === "ok" ? "ok" : "tool_error",
    result,
    ...(byPerson === undefined ? {} : { by_person: byPerson }),
  };
};

const sentBackWith = (state: RunState): readonly ThreadMessage[] => {
  const last = findAside(state, getThreadPath(state)).at(-1)?.seq ?? 0;

  return listNotes(state).flatMap(({ approvalId, text, seq }) =>
    seq > last && ownEntry(state.gates, approvalId)?.gate.reason === "protected_key" ? [{ role: "person", text } as const] : [],
  );
};

export const listNotesBefore = (state: RunState): readonly string[] => {
  const base = attemptPath(state);
  const first = state.aside.find(({ path }) => path === base || path.startsWith(`${base}.`))?.seq ?? Infinity;

  return listNotes(state).flatMap(({ text, seq }) => (seq < first ? [text] : []));
};

/** Unanswered calls are still to be made. */
const threadOf = (state: RunState, task: string, shown: ShownResult): readonly ThreadMessage[] => {
  const steps = findAside(state, getThreadPath(state, task)).flatMap((cell) => {
    const parsed = threadStepSchema.safeParse(getKnownValue(cell));

    return parsed.success ? [parsed.data] : [];
  });

  return steps.flatMap(({ response }, index) => {
    const next = steps[index + 1];
    if (next) return [response, ...next.fresh];
    const calls = response.role === "assistant" ? response.tool_calls : [];
    const answered = calls.flatMap((call) => settledAnswer(state, task, call, shown) ?? []);

    return [response, ...answered, ...(task === "" && calls.length === 0 ? sentBackWith(state) : [])];
  });
};

/** Returns the first clear final answer, else the first: retries keep verdicts. */
export const getFirstWords = (state: RunState, task: string, after: number, isClear: (text: string) => boolean): string | null => {
  const visit = `$thread.${state.activation}.`;
  let first: string | null = null;
  for (const cell of state.aside) {
    if (cell.seq <= after || !cell.path.startsWith(visit) || cell.path.slice(visit.length).replace(/^\d+\./u, "") !== task) continue;
    const said = threadStepSchema.safeParse(getKnownValue(cell)).data?.response;
    if (said?.role !== "assistant" || said.tool_calls.length > 0 || said.truncated) continue;
    if (isClear(said.text)) return said.text;
    first ??= said.text;
  }

  return first;
};

export const collectThreads = (
  state: RunState,
  shown: ShownResult = (_task, _effect, result) => ({ result }),
): Readonly<Record<string, readonly ThreadMessage[]>> => {
  const base = attemptPath(state);
  const tasks = state.aside.flatMap(({ path }) => {
    if (path === base) return [""];

    return path.startsWith(`${base}.`) ? [path.slice(base.length + 1)] : [];
  });

  return Object.fromEntries([...new Set(tasks)].map((task) => [task, threadOf(state, task, shown)]));
};
