/** An agent's loop: ask the model, ask the control plane for each call the model made, and again, until it answers. */
import type { ThreadMessage, ToolCall } from "@/lib/engine/thread";
import type { Agent, NodeOf } from "@/lib/graph/document";
import { outcomeOf } from "@/server/executors/agent-answer";
import { performCall } from "@/server/executors/agent-calls";
import { offeredTools } from "@/server/executors/agent-tools";
import type { Executor, ExecutorInput, ExecutorOutcome, Gateways } from "@/server/executors/contract";
import { systemPrompt, taskPrompt } from "@/server/models/prompt";

type Assistant = Extract<ThreadMessage, { role: "assistant" }>;
type Thread = readonly ThreadMessage[];

const failure = (code: string, retryable: boolean, detail: string): ExecutorOutcome => ({ type: "failure", code, retryable, detail });

const isAssistant = (message: ThreadMessage): message is Assistant => message.role === "assistant";

/** What came after the model last spoke. */
const sinceLastAnswer = (thread: Thread): Thread => thread.slice(thread.findLastIndex(isAssistant) + 1);

/** Calls that nobody answered yet: the place where a suspended loop goes on. */
const openCalls = (thread: Thread): readonly ToolCall[] => {
  const answered = new Set(sinceLastAnswer(thread).map((message) => (message.role === "tool" ? message.call_id : "")));

  return (thread.findLast(isAssistant)?.tool_calls ?? []).filter((call) => !answered.has(call.id));
};

/** One after another, because each may change what the next is allowed. */
const withAnswers = async (input: ExecutorInput, gateways: Gateways, thread: Thread, signal: AbortSignal): Promise<Thread> => {
  const [next] = openCalls(thread);
  if (!next) return thread;
  signal.throwIfAborted();

  return withAnswers(input, gateways, [...thread, await performCall(input, gateways, next)], signal);
};

type Work = { readonly input: ExecutorInput; readonly node: NodeOf<"agent">; readonly agent: Agent; readonly gateways: Gateways };

const nextTurn = async (work: Work, thread: Thread, step: number): Promise<Assistant | ExecutorOutcome> => {
  const { input, node, agent, gateways } = work;
  const answer = await gateways.models.generate({
    step,
    system: systemPrompt(agent, node),
    prompt: taskPrompt({ goal: input.goal, constraints: input.constraints, view: input.view }),
    thread,
    fresh: sinceLastAnswer(thread),
    tools: offeredTools(input),
    answer: node.config.answer,
  });
  if (answer.status === "refused") return failure(answer.code, false, answer.message);

  return { role: "assistant", text: answer.text, tool_calls: [...answer.tool_calls] };
};

/** Where the loop stands follows from the thread alone, so it can be resumed on any machine. */
const loop = async (work: Work, thread: Thread, signal: AbortSignal): Promise<ExecutorOutcome> => {
  signal.throwIfAborted();
  const said = thread.findLast(isAssistant);
  if (said?.tool_calls.length === 0) return outcomeOf(work.input, work.node, said.text);

  const answered = await withAnswers(work.input, work.gateways, thread, signal);
  const step = answered.filter(isAssistant).length;
  if (step >= work.agent.max_steps) return failure("agent_steps_exhausted", false, "The agent used all its steps without an answer.");
  const turn = await nextTurn(work, answered, step);

  return "type" in turn ? turn : loop(work, [...answered, turn], signal);
};

/** `Suspended` and `ModelError` pass through: the runner knows what they mean for the run. */
export const agentExecutor: Executor = async (input, gateways, signal) => {
  const { node, agent } = input;
  if (node.kind !== "agent" || agent === null) return failure("agent_missing", false, "The node's agent is not part of this version.");

  return loop({ input, node, agent, gateways }, input.thread, signal);
};
