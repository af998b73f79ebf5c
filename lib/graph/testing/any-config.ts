import * as fc from "fast-check";
import type { ExtractValue } from "@/lib/graph/kinds/extract";
import type { JudgeRule } from "@/lib/graph/kinds/judge";

export const KEYS = ["request", "customer", "change", "secret"] as const;
export const NODES = ["a", "b", "c", "d", "e", "f"] as const;

export const key = fc.constantFrom(...KEYS, "undeclared");
export const path = fc.oneof(
  key,
  fc.tuple(key, fc.constantFrom("name", "0", "plan")).map((parts) => parts.join(".")),
);
export const grants = fc.uniqueArray(fc.oneof({ weight: 5, arbitrary: path }, { weight: 1, arbitrary: fc.constant("*") }), {
  maxLength: 4,
});
export const nodeId = fc.constantFrom(...NODES);

export const expression = fc.oneof(
  path.map((text) => `memory.${text.replaceAll(".0", "[0]")} == "x"`),
  fc.constantFrom("true", "run.iteration_count < 3", "memory.", "unknown > 1", "[1].map(x, [2].map(y, x + y))"),
);

export const agentId = fc.constantFrom("parser", "writer", "missing");
const digest = fc.constantFrom("0", "1").map((digit) => digit.repeat(64));

const arguments_ = fc.dictionary(
  fc.constantFrom("plan", "other"),
  fc.oneof(
    path.map((from) => ({ from })),
    fc.constant({ value: 1 }),
    fc.constantFrom("", "plan").map((item) => ({ item })),
  ),
  { noNullPrototype: true },
);

const ofKind = <K extends string, C>(kind: K, config: fc.Arbitrary<C>) => fc.record({ kind: fc.constant(kind), config });

export const field = fc.constantFrom("name", "plan", "why");
const rule = fc.constantFrom<JudgeRule>(
  { type: "enum", values: ["basic"] },
  { type: "range", min: 3, max: 2 },
  { type: "pattern", pattern: "(" },
  { type: "boolean", value: true },
);

const reviewZone = [
  ofKind(
    "extract" as const,
    fc.record(
      {
        agent_id: agentId,
        from: path,
        fields: fc.array(
          fc.record({
            name: field,
            value: fc.constantFrom<ExtractValue>({ type: "boolean" }, { type: "text", max_length: 80 }),
          }),
          { minLength: 1, maxLength: 3 },
        ),
        write_to: path,
      },
      { requiredKeys: ["agent_id", "from", "fields"] },
    ),
  ),
  ofKind(
    "review" as const,
    fc.record(
      {
        target: path,
        source: path,
        reviewers: fc.array(
          fc.oneof(
            agentId.map((id) => ({ type: "agent" as const, agent_id: id })),
            fc.constant({ type: "person" as const }),
          ),
          { minLength: 1, maxLength: 3 },
        ),
        quorum: fc.integer({ min: 1, max: 4 }),
        rework: nodeId.map((id) => ({ node: id })),
        expiry_node: nodeId,
      },
      { requiredKeys: ["target", "reviewers"] },
    ),
  ),
  ofKind(
    "judge" as const,
    fc.record(
      { review: nodeId, from: path, to: path, rules: fc.array(fc.record({ field, rule }), { maxLength: 3 }), rejection_node: nodeId },
      { requiredKeys: ["review", "from", "to", "rules"] },
    ),
  ),
] as const;

export const config = fc.oneof(
  ofKind(
    "agent" as const,
    fc.record(
      {
        agent_id: agentId,
        write_to: path,
        swarm: fc.record({ peers: fc.array(nodeId, { minLength: 1, maxLength: 2 }) }),
        annealing: fc.record({ evaluator_id: agentId }, { requiredKeys: [] }),
        recall: fc.record({ topics: fc.array(fc.constant("plans"), { minLength: 1, maxLength: 1 }) }),
      },
      { requiredKeys: ["agent_id"] },
    ),
  ),
  ofKind(
    "tool" as const,
    fc.record({ server: fc.constantFrom("customers", "nowhere"), tool: fc.constantFrom("update_plan", "find"), arguments: arguments_ }),
  ),
  ofKind("router" as const, fc.constant({})),
  ofKind("code" as const, fc.record({ source: fc.constant("export default () => 1"), write_to: path }, { requiredKeys: ["source"] })),
  ofKind(
    "wait" as const,
    fc.record(
      {
        until: fc.oneof(
          fc.constant({ type: "duration" as const }),
          expression.map((at) => ({ type: "instant" as const, at })),
          fc.constant({ type: "event" as const }),
        ),
        write_to: path,
      },
      { requiredKeys: ["until"] },
    ),
  ),
  ofKind("transform" as const, fc.record({ set: fc.array(fc.record({ path, value: expression }), { minLength: 1, maxLength: 3 }) })),
  ofKind(
    "approval" as const,
    fc.record(
      {
        prompt: fc.constant("Allow it?"),
        review_keys: fc.array(path, { maxLength: 2 }),
        for_node: nodeId,
        rejection_node: nodeId,
        expiry_node: nodeId,
        changes_node: nodeId,
        escalation: fc.record({ after_ms: fc.constant(60_000), to: fc.constantFrom("everyone", "admins") }),
        promote: fc.array(fc.record({ from: path, to: path }), { maxLength: 1 }),
      },
      { requiredKeys: ["prompt"] },
    ),
  ),
  ofKind("supervisor" as const, fc.record({ agent_id: agentId, managed_nodes: fc.array(nodeId, { minLength: 1, maxLength: 3 }) })),
  ofKind(
    "map" as const,
    fc.record(
      {
        worker_node: nodeId,
        items: fc.oneof(
          path.map((from) => ({ from })),
          fc.record({ value: fc.array(fc.integer(), { maxLength: 2 }) }),
        ),
        write_to: path,
        errors_to: path,
        synthesizer: fc.record({ agent_id: agentId }),
      },
      { requiredKeys: ["worker_node", "items"] },
    ),
  ),
  ofKind(
    "voting" as const,
    fc.record(
      {
        voters: fc.array(fc.record({ agent_id: agentId }), { minLength: 1, maxLength: 3 }),
        strategy: fc.constantFrom("majority" as const, "judge" as const),
        judge_id: agentId,
        quorum: fc.integer({ min: 1, max: 4 }),
        votes_to: path,
      },
      { requiredKeys: ["voters"] },
    ),
  ),
  ofKind(
    "evolution" as const,
    fc.record({
      candidate_id: agentId,
      fitness: fc.oneof(
        fc.constantFrom("item.score", "memory.", "item").map((text) => ({ expression: text })),
        agentId.map((id) => ({ agent_id: id })),
      ),
    }),
  ),
  ofKind(
    "verifier" as const,
    fc.record(
      {
        check: fc.oneof(
          expression.map((text) => ({ type: "expression" as const, expression: text })),
          path.map((at) => ({ type: "schema" as const, key: at, schema: { type: "string" } })),
          fc.record({ type: fc.constant("judge" as const), agent_id: agentId, key: path }),
        ),
        on_fail: fc.constantFrom("record" as const, "fail" as const),
        write_to: path,
      },
      { requiredKeys: ["check"] },
    ),
  ),
  ofKind("synthesizer" as const, fc.record({ agent_id: agentId, write_to: path }, { requiredKeys: [] })),
  ofKind(
    "reflection" as const,
    fc.record(
      {
        topic: fc.constant("plans"),
        extractor: fc.oneof(
          agentId.map((id) => ({ type: "agent" as const, agent_id: id })),
          fc.constant({ type: "rules" as const }),
        ),
        write_to: path,
      },
      { requiredKeys: ["topic"] },
    ),
  ),
  ofKind(
    "subgraph" as const,
    fc.record(
      {
        graph_id: fc.constantFrom("child", "any"),
        version: digest,
        inputs: fc.dictionary(key, path, { noNullPrototype: true, maxKeys: 2 }),
        outputs: fc.dictionary(path, path, { noNullPrototype: true, maxKeys: 2 }),
      },
      { requiredKeys: ["graph_id"] },
    ),
  ),
  ...reviewZone,
);
