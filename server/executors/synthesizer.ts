/** Synthesises one value from the view, by an agent or a fixed rule. */
import { agentTask } from "@/server/executors/agent-task";
import { answerValue } from "@/server/executors/answer-json";
import type { Executor } from "@/server/executors/contract";
import { merged, partsOf } from "@/server/executors/merge";
import { agentMissing, WRONG_KIND, writeGrants, written } from "@/server/executors/written";

const SYNTHESIZE = "Make one answer of everything that you are shown.";

export const synthesizerExecutor: Executor = async (input, gateways, signal) => {
  const { node, agent } = input;
  if (node.kind !== "synthesizer") return WRONG_KIND;
  const { config } = node;
  if (config.agent_id === undefined) return written(input, config.write_to, merged(partsOf(node.read_keys, input.view), config.merge));
  if (agent === null) return agentMissing;
  const end = await agentTask(
    {
      task: "",
      agent,
      tools: input.tools,
      view: input.view,
      instructions: [config.instructions, SYNTHESIZE],
      answer: config.answer,
      writes: writeGrants(input),
    },
    { input, gateways, signal },
  );
  if (end.type === "failure") return end;
  const answer = answerValue(end.text, config.answer);

  return answer.type === "failure" ? answer : written(input, config.write_to, answer.value);
};
