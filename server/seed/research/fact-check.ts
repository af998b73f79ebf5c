import type { GraphInput } from "@/lib/graph/document";
import { articleSchema, FACT_CHECK_MEMORY } from "@/server/seed/research/memory";

export const FACT_CHECK_GRAPH = {
  format: "countersign/graph/v1",
  id: "fact-check",
  name: "Fact check",
  description: "Lets a judge compare a draft with a dossier. Other graphs use it as a step.",
  inputs: {
    type: "object",
    properties: { draft: { ...articleSchema, title: "Draft" }, dossier: { type: "string", title: "Dossier", maxLength: 20_000 } },
    required: ["draft", "dossier"],
    additionalProperties: false,
  },
  memory: FACT_CHECK_MEMORY,
  start_node: "gather",
  end_nodes: ["supported", "unsupported"],
  max_iterations: 20,
  max_execution_time_ms: 300_000,
  max_token_budget: 60_000,
  nodes: [
    {
      id: "gather",
      kind: "transform",
      title: "Put both together",
      read_keys: ["draft", "dossier"],
      write_keys: ["material"],
      position: { x: 0, y: 120 },
      config: { set: [{ path: "material", value: `{"draft": memory.draft, "dossier": memory.dossier}` }] },
    },
    {
      id: "judge",
      kind: "verifier",
      title: "Is every claim supported?",
      read_keys: ["material"],
      write_keys: ["verdict"],
      position: { x: 270, y: 120 },
      config: {
        check: {
          type: "judge",
          agent_id: "fact_judge",
          key: "material",
          criteria: "The share of the draft's sentences, without its list of sources, that the dossier supports.",
          threshold: 0.8,
        },
      },
    },
    { id: "decide", kind: "router", title: "Passed?", read_keys: ["verdict"], position: { x: 540, y: 120 }, config: {} },
    {
      id: "supported",
      kind: "transform",
      title: "Report support",
      read_keys: ["verdict"],
      write_keys: ["report"],
      position: { x: 810, y: 40 },
      config: { set: [{ path: "report", value: `{"ok": true, "score": memory.verdict.score, "reason": memory.verdict.reason}` }] },
    },
    {
      id: "unsupported",
      kind: "transform",
      title: "Report doubt",
      read_keys: ["verdict"],
      write_keys: ["report"],
      position: { x: 810, y: 200 },
      config: { set: [{ path: "report", value: `{"ok": false, "score": memory.verdict.score, "reason": memory.verdict.reason}` }] },
    },
  ],
  edges: [
    { id: "gathered", source: "gather", target: "judge" },
    { id: "judged", source: "judge", target: "decide" },
    { id: "passed", source: "decide", target: "supported", condition: "memory.verdict.passed == true" },
    { id: "not_passed", source: "decide", target: "unsupported", kind: "default" },
  ],
} satisfies GraphInput;
