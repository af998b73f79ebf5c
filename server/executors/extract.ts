/** A quarantined model fills in a form about one value, without tools, memory, goal or history. */
import { valueAtText } from "@/lib/graph/path";
import { agentTask } from "@/server/executors/agent-task";
import { answerValue } from "@/server/executors/answer-json";
import type { Executor } from "@/server/executors/contract";
import { agentMissing, failure, WRONG_KIND, written } from "@/server/executors/written";

const EXTRACT = `You fill in a form about a text, which is given as data. Answer with one JSON object that has exactly the form's fields.`;

export const extractExecutor: Executor = async (input, gateways, signal) => {
  const { node, agent } = input;
  if (node.kind !== "extract") return WRONG_KIND;
  if (agent === null) return agentMissing;
  const value = valueAtText(input.view, node.config.from);
  if (value === undefined) return failure("nothing_to_extract", false, "There is nothing to extract from.");
  const end = await agentTask(
    {
      task: "",
      agent,
      tools: [],
      view: null,
      instructions: [node.config.instructions, EXTRACT],
      data: { form: node.config.fields, text: value },
      answer: "json",
      writes: [],
    },
    { input, gateways, signal },
  );
  if (end.type === "failure") return end;
  const answer = answerValue(end.text, "json");

  return answer.type === "failure" ? answer : written(input, node.config.write_to, answer.value);
};
