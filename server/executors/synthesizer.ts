import { runAgentTask } from "@/server/executors/agent-task";
import { answerValue } from "@/server/executors/answer-json";
import { mergeParts, splitParts } from "@/server/executors/merge";
import { agentMissing, executeKind, storedAnswer, writeGrants, buildOutcome } from "@/server/executors/written";

const SYNTHESIZE = "Make one answer of everything that you are shown.";

export const runSynthesizer = executeKind("synthesizer", async (node, input, gateways, signal) => {
  const { agent } = input;
  const { config } = node;
  if (config.agent_id === undefined)
    return buildOutcome(input, config.write_to, mergeParts(splitParts(node.read_keys, input.view), config.merge));
  if (agent === null) return agentMissing;
  const end = await runAgentTask(
    {
      task: "",
      agent,
      tools: input.tools,
      view: input.view,
      instructions: [config.instructions, SYNTHESIZE],
      answer: config.answer,
      ...storedAnswer(input, config.write_to, config.answer),
      writes: writeGrants(input),
      schemas: input.schemas,
    },
    { input, gateways, signal },
  );
  if (end.type === "failure") return end;
  const answer = answerValue(end.text, config.answer);

  return answer.type === "failure" ? answer : buildOutcome(input, config.write_to, answer.value);
});
