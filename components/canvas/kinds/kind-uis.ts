/** Canvas parts of kinds; the compiler requires each. */
import type { Graph, GraphNode, NodeOf } from "@/lib/graph/document";
import { nodeSchema } from "@/lib/graph/document";
import { generateId } from "@/lib/graph/edit-nodes";
import { NODE_KINDS, type NodeKind } from "@/lib/graph/kinds";
import type { ValidationContext } from "@/lib/graph/facts/facts";
import { createValues } from "@/components/canvas/schema-form/initial-value";
import { agentUi } from "./agent";
import { approvalUi } from "./approval";
import { codeUi } from "./code";
import { evolutionUi } from "./evolution";
import { extractUi } from "./extract";
import { judgeUi } from "./judge";
import type { KindUi } from "./kind-ui";
import { mapUi } from "./map";
import { reflectionUi } from "./reflection";
import { reviewUi } from "./review";
import { routerUi } from "./router";
import { subgraphUi } from "./subgraph";
import { supervisorUi } from "./supervisor";
import { synthesizerUi } from "./synthesizer";
import { toolUi } from "./tool";
import { transformUi } from "./transform";
import { verifierUi } from "./verifier";
import { votingUi } from "./voting";
import { waitUi } from "./wait";

type KindUis = { readonly [K in NodeKind]: KindUi<K> };

export const KIND_UIS: KindUis = {
  agent: agentUi,
  tool: toolUi,
  router: routerUi,
  transform: transformUi,
  approval: approvalUi,
  supervisor: supervisorUi,
  map: mapUi,
  voting: votingUi,
  evolution: evolutionUi,
  verifier: verifierUi,
  synthesizer: synthesizerUi,
  reflection: reflectionUi,
  subgraph: subgraphUi,
  extract: extractUi,
  review: reviewUi,
  judge: judgeUi,
  wait: waitUi,
  code: codeUi,
};

export const KINDS = Object.keys(NODE_KINDS) as readonly NodeKind[]; // Keys of our own constant.

export const summarize = <K extends NodeKind>(kind: K, node: NodeOf<K>, catalog: ValidationContext): string => {
  const ui: KindUis[K] = KIND_UIS[kind];

  return ui.summary(node, catalog);
};

export const createNode = (kind: NodeKind, graph: Graph, catalog: ValidationContext, position: { x: number; y: number }): GraphNode => {
  const { config, ...more } = KIND_UIS[kind].initial?.(graph, catalog) ?? {};

  return nodeSchema.parse({
    id: generateId(kind, new Set(graph.nodes.map((node) => node.id))),
    kind,
    position,
    ...more,
    config: { ...createValues(NODE_KINDS[kind].config, { graph, catalog }), ...config },
  });
};
