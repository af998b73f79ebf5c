/** A quarantined model fills in a form about one value, without tools, memory, goal or history. */
import { getValueAtText } from "@/lib/graph/path";
import { runAgentTask } from "@/server/executors/agent-task";
import { describeForm } from "@/server/executors/answer-schemas";
import { answerValue } from "@/server/executors/answer-json";
import { agentMissing, createFailure, executeKind, buildOutcome } from "@/server/executors/written";

const EXTRACT = `You fill in a form about a text, which is given as data. Answer with one JSON object that has exactly the form's fields.`;

export const extractExecutor = executeKind("extract", async (node, input, gateways, signal) => {
  const { agent } = input;
  if (agent === null) return agentMissing;
  const value = getValueAtText(input.view, node.config.from);
  if (value === undefined) return createFailure("nothing_to_extract", false, "There is nothing to extract from.");
  const end = await runAgentTask(
    {
      task: "",
      agent,
      tools: [],
      view: null,
      instructions: [node.config.instructions, EXTRACT],
      data: { form: node.config.fields, text: value },
      answer: "json",
      answerSchema: describeForm(node.config.fields),
      writes: [],
    },
    { input, gateways, signal },
  );
  if (end.type === "failure") return end;
  const answer = answerValue(end.text, "json");

  return answer.type === "failure" ? answer : buildOutcome(input, node.config.write_to, answer.value);
});
