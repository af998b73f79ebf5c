/** Plays tasks in the natural form: one agent with all tools and a reviewer who knows the task. */
import { agentSchema, graphSchema, type GraphInput, type PublishedGraph } from "@/lib/graph/document";
import { hasErrors, validateGraph } from "@/lib/graph/validate";
import { getToolId } from "@/lib/graph/tool-ref";
import { toCanonicalJson, ownMember, type Json } from "@/lib/json";
import { findAside, getKnownValue, type RunState } from "@/lib/engine/state";
import { playAsync } from "@/lib/engine/testing/play";
import { decision, openGate, result, REVIEWER, started, user, type TestRun } from "@/lib/engine/testing/run";
import { createFailure } from "@/lib/engine/testing/work";
import { playAttempt, type Backstage } from "@/server/executors/testing/play-run";
import type { Office } from "./office";
import { expectedOf } from "./strategies";
import { type Call, type Task, type Turn } from "./tasks";

/** `gated`: a plain approval first, as graphs had to have before. */
export const FORMS = ["natural", "isolated", "gated and isolated", "always"] as const;
export type Form = (typeof FORMS)[number];

const MOST_STEPS = 400;
const reviewer = user(REVIEWER);

const publishedAs = (form: Form, office: Office): PublishedGraph => {
  const isGated = form === "gated and isolated";
  const assistant: GraphInput["nodes"][number] = {
    id: "assistant",
    kind: "agent",
    write_keys: ["answer"],
    approval: form === "always" ? "always" : "by_rule",
    config: { agent_id: "assistant", write_to: "answer", instructions: "Do what the user asks for." },
  };
  const gate: GraphInput["nodes"][number] = { id: "ask", kind: "approval", config: { prompt: "Start?" } };
  const agents = [
    agentSchema.parse({
      id: "assistant",
      name: "Assistant",
      max_steps: 40,
      tools: office.pins.map(({ server, tool }) => ({ server, tool })),
    }),
  ];
  const graph = graphSchema.parse({
    format: "countersign/graph/v1",
    id: "assistant",
    name: "Assistant",
    memory: [{ key: "answer", schema: { type: "string" } }],
    nodes: isGated ? [gate, assistant] : [assistant],
    edges: isGated ? [{ id: "started", source: "ask", target: "assistant" }] : [],
    start_node: isGated ? "ask" : "assistant",
    end_nodes: ["assistant"],
    isolate_untrusted: form === "isolated" || isGated,
    max_execution_time_ms: 86_400_000,
  });
  const problems = validateGraph(graph, { agents, tools: office.pins, versions: [] });
  if (hasErrors(problems)) throw new Error(`the ${form} form does not validate: ${problems.map(({ message }) => message).join(" ")}`);

  return { graph, agents, tools: [...office.pins], subgraphs: [] };
};

const isSame = (one: Call, server: string, tool: string, args: Json): boolean =>
  one.server === server && one.tool === tool && toCanonicalJson(one.arguments) === toCanonicalJson(args);

/** Approves each of the user's changes once; rejects the rest. */
const reviewAs = (run: TestRun, left: Call[]): void => {
  const { gate } = openGate(run);
  const args = ownMember(getKnownValue(findAside(run.state(), `$pending.${gate.id}`).at(-1)), "arguments") ?? null;
  const { effect } = gate.transition;
  const at = effect ? left.findIndex((one) => isSame(one, effect.server, effect.tool, args)) : -1;
  const choice = effect && at < 0 ? "reject" : "approve";
  if (at >= 0) left.splice(at, 1);
  run.propose(reviewer, { ...decision(run, reviewer, choice), ...(choice === "reject" ? { reason: "Not what was asked for." } : {}) });
};

const cast = (turns: readonly Turn[], office: Office): Backstage => ({
  model: ({ step }) => ({
    tokens: 1,
    costMicroUsd: 1,
    said: {
      text: step < turns.length ? "" : "Done.",
      calls: (turns[step] ?? []).map(({ server, tool, arguments: input }, index) => ({
        id: `${step}_${index}`,
        name: getToolId(server, tool),
        input,
      })),
    },
  }),
  tool: async ({ server, tool, arguments: args }) => ({ status: "ok", result: await office.call(server, tool, args) }),
});

export type Played = {
  readonly decisions: number;
  readonly rejections: number;
  /** Completed with exactly the user's changes. */
  readonly isDone: boolean;
  /** Changes without a receipt for their arguments. */
  readonly unproved: number;
  readonly injected: number;
};

const isProved = (state: RunState, { approval_id: id, effect }: RunState["effects"][string]): boolean => {
  const gate = id === null ? undefined : state.gates[id];
  const approved = gate?.receipt?.payload.effect;

  return gate?.status === "approved" && toCanonicalJson(approved ?? null) === toCanonicalJson(effect);
};

const work = async (run: TestRun, backstage: Backstage): Promise<void> => {
  const outcome = await playAttempt(run, backstage);
  if (outcome?.type === "failure") run.work(createFailure(outcome.code, { retryable: outcome.retryable }));
  else if (outcome) run.work(result(...outcome.actions));
};

/** @param turns the task's, or an attack around them */
export const playTask = async (office: Office, form: Form, task: Task, turns: readonly Turn[]): Promise<Played> => {
  office.reset();
  const run = started(publishedAs(form, office), {});
  const left = [...expectedOf(task)];
  const backstage = cast(turns, office);
  await playAsync(
    run,
    {
      work: () =>
        run.state().currentNode === "ask"
          ? Promise.resolve(run.work(result({ type: "request_human_input", prompt: "" })))
          : work(run, backstage),
      wait: () => Promise.resolve(reviewAs(run, left)),
    },
    MOST_STEPS,
  );
  const state = run.state();
  const made = [...office.changes()];
  const others = [...made];
  for (const one of expectedOf(task)) {
    const at = others.findIndex((change) => isSame(one, change.server, change.tool, change.arguments));
    if (at >= 0) others.splice(at, 1);
  }
  const effects = Object.values(state.effects).filter(({ effect_class: effect }) => effect === "write" || effect === "irreversible");
  const gates = Object.values(state.gates);

  return {
    decisions: gates.reduce((sum, { decisions }) => sum + decisions.length, 0),
    rejections: gates.filter(({ status }) => status === "rejected").length,
    isDone: state.status === "completed" && made.length - others.length === expectedOf(task).length,
    // A change without a recorded effect has no receipt either.
    unproved: effects.filter((effect) => !isProved(state, effect)).length + Math.max(0, made.length - effects.length),
    injected: others.length,
  };
};
