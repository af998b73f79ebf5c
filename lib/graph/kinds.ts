/** Node kinds, in the order of the palette. */
import { agentKind } from "@/lib/graph/kinds/agent";
import { approvalKind } from "@/lib/graph/kinds/approval";
import { codeKind } from "@/lib/graph/kinds/code";
import { evolutionKind } from "@/lib/graph/kinds/evolution";
import { extractKind } from "@/lib/graph/kinds/extract";
import { judgeKind } from "@/lib/graph/kinds/judge";
import { mapKind } from "@/lib/graph/kinds/map";
import { reflectionKind } from "@/lib/graph/kinds/reflection";
import { reviewKind } from "@/lib/graph/kinds/review";
import { routerKind } from "@/lib/graph/kinds/router";
import { subgraphKind } from "@/lib/graph/kinds/subgraph";
import { supervisorKind } from "@/lib/graph/kinds/supervisor";
import { synthesizerKind } from "@/lib/graph/kinds/synthesizer";
import { toolKind } from "@/lib/graph/kinds/tool";
import { transformKind } from "@/lib/graph/kinds/transform";
import { verifierKind } from "@/lib/graph/kinds/verifier";
import { votingKind } from "@/lib/graph/kinds/voting";
import { waitKind } from "@/lib/graph/kinds/wait";
import type { KindFacts } from "@/lib/graph/kinds/define-kind";

export const NODE_KINDS = {
  agent: agentKind,
  tool: toolKind,
  router: routerKind,
  transform: transformKind,
  approval: approvalKind,
  supervisor: supervisorKind,
  map: mapKind,
  voting: votingKind,
  evolution: evolutionKind,
  verifier: verifierKind,
  synthesizer: synthesizerKind,
  reflection: reflectionKind,
  subgraph: subgraphKind,
  extract: extractKind,
  review: reviewKind,
  judge: judgeKind,
  wait: waitKind,
  code: codeKind,
} as const satisfies Record<string, KindFacts<never, object>>;

export type NodeKind = keyof typeof NODE_KINDS;
