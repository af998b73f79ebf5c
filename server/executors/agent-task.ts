import type { ThreadMessage, ToolCall } from "@/lib/engine/thread";
import type { Agent, PinnedTool } from "@/lib/graph/document";
import type { Json, JsonObject } from "@/lib/json";
import { checkAnswer } from "@/server/executors/answer-check";
import { handsOff, listBeside, performCall } from "@/server/executors/agent-calls";
import { listOfferedTools } from "@/server/executors/agent-tools";
import { Suspended, type ExecutorInput, type Gateways, type ModelRequest } from "@/server/executors/contract";
import { createFailure, type Failure } from "@/server/executors/written";
import { buildSystemPrompt, buildTaskPrompt, describeAnswerSchema } from "@/server/models/prompt";

export type Work = { readonly input: ExecutorInput; readonly gateways: Gateways; readonly signal: AbortSignal };

export type AgentTask = {
  /** As in lib/engine/task. */
  readonly task: string;
  readonly agent: Agent;
  readonly tools: readonly PinnedTool[];
  /** `null` for a judge, who sees only `data`. */
  readonly view: JsonObject | null;
  readonly instructions: readonly string[];
  /** Subject besides memory, such as an item; quoted in the prompt like memory. */
  readonly data?: Json;
  readonly recalled?: ExecutorInput["recalled"];
  readonly answer: "text" | "json";
  readonly answerSchema?: JsonObject | undefined;
  /** Memory path that stores it; the prompt then states the schema. */
  readonly storedAs?: string | undefined;
  readonly temperature?: number | undefined;
  readonly writes: readonly string[];
  /** Of the keys that the agent may write, where declared. */
  readonly schemas?: ExecutorInput["schemas"];
  readonly peers?: readonly string[];
};

/** After a hand-off, `text` accompanies it and may be empty. */
export type TaskEnd = { readonly type: "answer"; readonly text: string; readonly handedOff: boolean } | Failure;

type Assistant = Extract<ThreadMessage, { role: "assistant" }>;
type Thread = readonly ThreadMessage[];
type Asking = Work & { readonly ask: AgentTask };

const isAssistant = (message: ThreadMessage): message is Assistant => message.role === "assistant";

const sinceLastAnswer = (thread: Thread): Thread => thread.slice(thread.findLastIndex(isAssistant) + 1);

/** A suspended loop resumes here. */
const openCalls = (thread: Thread): readonly ToolCall[] => {
  const answered = new Set(sinceLastAnswer(thread).map((message) => (message.role === "tool" ? message.call_id : "")));

  return (thread.findLast(isAssistant)?.tool_calls ?? []).filter((call) => !answered.has(call.id));
};

/** A waiting call lets its neighbours ask; the control plane decides which may. */
const perform = async ({ ask, gateways }: Asking, call: ToolCall, after: readonly ToolCall[]) => {
  try {
    return await performCall(ask, gateways, call);
  } catch (error) {
    if (!(error instanceof Suspended)) throw error;
    for (const beside of listBeside(ask, call, after)) {
      await performCall(ask, gateways, beside).catch((reason: unknown) => {
        if (!(reason instanceof Suspended)) throw reason;
      });
    }
    throw error;
  }
};

/** Sequential: each call may change what the next is allowed; a hand-off is the last. */
const withAnswers = async (work: Asking, thread: Thread): Promise<Thread> => {
  const [next, ...after] = openCalls(thread);
  if (!next || sinceLastAnswer(thread).some((message) => handsOff(work.ask, message))) return thread;
  work.signal.throwIfAborted();

  return withAnswers(work, [...thread, await perform(work, next, after)]);
};

const requestFor = ({ ask, input }: Asking, thread: Thread, step: number): ModelRequest => ({
  task: ask.task,
  step,
  system: buildSystemPrompt(
    ask.agent,
    ask.instructions,
    ask.answer,
    ask.answerSchema && ask.storedAs !== undefined ? describeAnswerSchema(ask.storedAs, ask.answerSchema) : "",
  ),
  prompt: buildTaskPrompt({
    ...(ask.view === null ? {} : { goal: input.goal, constraints: input.constraints, view: ask.view }),
    recalled: ask.recalled ?? [],
    notes: ask.view === null ? [] : input.notes,
    data: ask.data,
  }),
  thread,
  fresh: sinceLastAnswer(thread),
  tools: listOfferedTools(ask),
  answer: ask.answer,
  ...(ask.answerSchema === undefined ? {} : { answerSchema: ask.answerSchema }),
  ...(ask.temperature === undefined ? {} : { temperature: ask.temperature }),
});

/** State derives from the thread alone, so the loop resumes on any machine. */
const loop = async (work: Asking, thread: Thread): Promise<TaskEnd> => {
  work.signal.throwIfAborted();
  const said = thread.findLast(isAssistant);
  const steps = thread.filter(isAssistant).length;
  // An answer that a person sent back is not final.
  if (said?.tool_calls.length === 0 && sinceLastAnswer(thread).length === 0) {
    const checked = checkAnswer(thread, work.ask, steps < work.ask.agent.max_steps);
    if (checked.type === "answer") return { ...checked, handedOff: false };
    if (checked.type === "truncated") return createFailure("answer_truncated", true, "The model's answer was cut off at the length limit.");

    return loop(work, [...thread, checked.check]);
  }

  const answered = await withAnswers(work, thread);
  if (sinceLastAnswer(answered).some((message) => handsOff(work.ask, message))) {
    return { type: "answer", text: said?.text ?? "", handedOff: true };
  }
  if (steps >= work.ask.agent.max_steps) {
    return createFailure("agent_steps_exhausted", false, "The agent used all its steps without an answer.");
  }
  const turn = await work.gateways.models.generate(requestFor(work, answered, steps));
  if (turn.status === "refused") return createFailure(turn.code, false, turn.message);
  const { text, tool_calls: calls, truncated } = turn;

  return loop(work, [...answered, { role: "assistant", text, tool_calls: [...calls], ...(truncated ? { truncated } : {}) }]);
};

/** Runs or resumes a task. @throws ModelError, Suspended, or the signal's reason */
export const runAgentTask = (ask: AgentTask, work: Work): Promise<TaskEnd> => loop({ ...work, ask }, work.input.threads[ask.task] ?? []);
