import { runAgentTask, type Work } from "@/server/executors/agent-task";
import { FACT_LIST } from "@/server/executors/answer-schemas";
import { parseJsonAnswer, notJson } from "@/server/executors/answer-json";
import { splitParts } from "@/server/executors/merge";
import { listDistinctFacts, listSentences } from "@/server/executors/sentences";
import { agentMissing, executeKind, writeGrants, buildOutcome, type Failure } from "@/server/executors/written";
import type { NodeOf } from "@/lib/graph/document";

const DISTIL = "Distil the facts that later runs should know from what you are shown. Answer with a JSON list of short sentences.";

type Extractor = NodeOf<"reflection">["config"]["extractor"];
type Texts = { readonly type: "texts"; readonly texts: readonly string[] };

const byAgent = async (topic: string, instructions: string, work: Work): Promise<Texts | Failure> => {
  const { input } = work;
  const { agent } = input;
  if (agent === null) return agentMissing;
  const end = await runAgentTask(
    {
      task: "",
      agent,
      tools: input.tools,
      view: input.view,
      instructions: [instructions, DISTIL],
      data: { topic },
      answer: "json",
      answerSchema: FACT_LIST,
      writes: writeGrants(input),
      schemas: input.schemas,
    },
    work,
  );
  if (end.type === "failure") return end;
  const answer = parseJsonAnswer(end.text);
  const texts = Array.isArray(answer) ? answer.filter((text) => typeof text === "string") : [];
  if (!Array.isArray(answer) || texts.length !== answer.length) return notJson;

  return { type: "texts", texts };
};

const textsBy = (topic: string, extractor: Extractor, work: Work): Promise<Texts | Failure> => {
  if (extractor.type === "agent") return byAgent(topic, extractor.instructions, work);
  const { input } = work;
  const values = splitParts(input.node.read_keys, input.view).map(({ value }) => value);

  return Promise.resolve({ type: "texts", texts: listSentences(values, extractor.min_sentence_length) });
};

export const runReflection = executeKind("reflection", async (node, input, gateways, signal) => {
  const { topic, extractor, max_facts: most, write_to: path } = node.config;
  const found = await textsBy(topic, extractor, { input, gateways, signal });
  if (found.type === "failure") return found;

  return buildOutcome(input, path, listDistinctFacts(found.texts, most));
});
