import { ownMember } from "@/lib/json";
import { runAgentTask } from "@/server/executors/agent-task";
import { describeChoice } from "@/server/executors/answer-schemas";
import { parseJsonAnswer, notJson } from "@/server/executors/answer-json";
import { agentMissing, executeKind, writeGrants } from "@/server/executors/written";

const DONE = "done";
const CHOOSE = `You supervise other nodes and do none of their work yourself. Answer {"next": "<id>", "reasoning": "<why>"} where <id> is one of managed_nodes, or {"next": "${DONE}", "reasoning": "<why>"} when the work is done.`;

/** Chooses the next node; unmanaged ones are refused on record. */
export const runSupervisor = executeKind("supervisor", async (node, input, gateways, signal) => {
  const { agent } = input;
  if (agent === null) return agentMissing;
  const end = await runAgentTask(
    {
      task: "",
      agent,
      tools: input.tools,
      view: input.view,
      instructions: [node.config.instructions, CHOOSE],
      data: { managed_nodes: node.config.managed_nodes },
      answer: "json",
      answerSchema: describeChoice([...node.config.managed_nodes, DONE]),
      writes: writeGrants(input),
      schemas: input.schemas,
    },
    { input, gateways, signal },
  );
  if (end.type === "failure") return end;
  const answer = parseJsonAnswer(end.text);
  const next = ownMember(answer, "next");
  if (typeof next !== "string") return notJson;
  if (next === DONE) return { type: "result", actions: [] };
  const reasoning = ownMember(answer, "reasoning");
  const reason = typeof reasoning === "string" ? { reason: reasoning.slice(0, 4_000).toWellFormed() } : {};

  return { type: "result", actions: [{ type: "goto_node", node: next, ...reason }] };
});
