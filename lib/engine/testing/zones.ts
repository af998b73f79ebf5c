import { agentSchema, type Agent, type GraphInput, type PublishedGraph } from "@/lib/graph/document";
import { END, FETCH, TOOLS, fetchAs, version } from "@/lib/engine/testing/kinds";
import { result, started, update, type TestRun } from "@/lib/engine/testing/run";
import { answer, ask, drive, reserve } from "@/lib/engine/testing/work";
import type { Verdict } from "@/lib/engine/decide/verdict";

type NodeInput = GraphInput["nodes"][number];

export const ZONE_MEMORY: GraphInput["memory"] = [
  { key: "topic", schema: {}, classification: "public" },
  { key: "mail", schema: {} },
  { key: "items", schema: {} },
  { key: "form", schema: {} },
  { key: "good", schema: {}, min_integrity: "reviewed" },
  { key: "out", schema: {} },
  { key: "is_admin", schema: {}, protected: true },
];

const agent = (id: string, model: string): Agent => agentSchema.parse({ id, name: id, model });

/** Different model families. */
export const ZONE_AGENTS: readonly Agent[] = [
  agent("clerk", "a:alpha-1"),
  agent("first", "b:beta-1"),
  agent("second", "c:gamma-1"),
  agent("cousin", "b:beta-2"),
  agent("twin", "a:alpha-1"),
];

export const EXTRACT: NodeInput = {
  id: "extract",
  kind: "extract",
  read_keys: ["mail", "topic"],
  write_keys: ["form"],
  config: {
    agent_id: "clerk",
    from: "mail",
    fields: [
      { name: "plan", value: { type: "enum", values: ["free", "team"] } },
      { name: "seats", value: { type: "integer", min: 1, max: 100 } },
      { name: "note", required: false, value: { type: "text", max_length: 20 } },
    ],
  },
};

type ReviewConfig = Extract<NodeInput, { kind: "review" }>["config"];
type JudgeConfig = Extract<NodeInput, { kind: "judge" }>["config"];

export const review = (config: Partial<ReviewConfig> = {}, change: object = {}): NodeInput => ({
  id: "review",
  kind: "review",
  read_keys: ["form", "mail"],
  config: {
    target: "form",
    source: "mail",
    reviewers: [{ type: "agent", agent_id: "first" }],
    timeout_ms: 60_000,
    ...config,
  },
  ...change,
});

export const RULES: NonNullable<JudgeConfig["rules"]> = [
  { field: "plan", rule: { type: "enum", values: ["free", "team"] } },
  { field: "seats", rule: { type: "range", min: 1, max: 10 } },
  { field: "note", rule: { type: "length", min: 0, max: 10 } },
];

export const judge = (config: Partial<JudgeConfig> = {}, change: object = {}): NodeInput => ({
  id: "judge",
  kind: "judge",
  read_keys: ["form"],
  write_keys: ["good"],
  config: { review: "review", from: "form", to: "good", rules: RULES, ...config },
  ...change,
});

export const zone = (
  nodes: { readonly review?: NodeInput; readonly judge?: NodeInput } = {},
  graph: Partial<GraphInput> = {},
): PublishedGraph =>
  version(
    [FETCH, EXTRACT, nodes.review ?? review(), nodes.judge ?? judge(), END],
    { memory: ZONE_MEMORY, ...graph },
    { agents: ZONE_AGENTS, tools: TOOLS },
  );

export const FORM = { plan: "team", seats: 3 };

export const atExtract = (published = zone()): TestRun => {
  const run = started(published, { topic: "plans" });
  fetchAs(run, { text: "We are three, and want the team plan." });

  return run;
};

export const fillIn = (run: TestRun, form: unknown = FORM): Verdict => {
  ask(run, "", {
    text: JSON.stringify(form),
    usage: { model: "a:alpha-1", input_tokens: 1, output_tokens: 1, cost_micro_usd: 1, price_source: "t" },
  });

  return run.work(result(update("form", form)));
};

/** Run at the review with an open case. */
export const atReview = (published = zone(), form: unknown = FORM): TestRun => {
  const run = atExtract(published);
  fillIn(run, form);
  drive(run);

  return run;
};

export const speak = (run: TestRun, text: string, index = 0): Verdict => {
  answer(run, reserve(run, `reviewer.${index}`), `reviewer.${index}`, { text });

  return run.work({ kind: "verdict", task: `reviewer.${index}` });
};

export const says = (verdict: string, more: object = {}): string => JSON.stringify({ verdict, findings: [], comment: "", ...more });

export const judgeNow = (run: TestRun): Verdict => run.work(result());

export const openCase = (run: TestRun) => Object.values(run.state().cases).find(({ status }) => status === "open");
