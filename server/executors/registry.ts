/** The executor of every node kind; the compiler demands one per kind. */
import type { NodeKind } from "@/lib/graph/kinds";
import { agentExecutor } from "@/server/executors/agent";
import { approvalExecutor } from "@/server/executors/approval";
import type { Executor } from "@/server/executors/contract";
import { evolutionExecutor } from "@/server/executors/evolution";
import { extractExecutor } from "@/server/executors/extract";
import { judgeExecutor } from "@/server/executors/judge";
import { mapExecutor } from "@/server/executors/map";
import { reflectionExecutor } from "@/server/executors/reflection";
import { reviewExecutor } from "@/server/executors/review";
import { routerExecutor } from "@/server/executors/router";
import { subgraphExecutor } from "@/server/executors/subgraph";
import { supervisorExecutor } from "@/server/executors/supervisor";
import { synthesizerExecutor } from "@/server/executors/synthesizer";
import { toolExecutor } from "@/server/executors/tool";
import { transformExecutor } from "@/server/executors/transform";
import { verifierExecutor } from "@/server/executors/verifier";
import { votingExecutor } from "@/server/executors/voting";

export const EXECUTORS = {
  agent: agentExecutor,
  tool: toolExecutor,
  router: routerExecutor,
  transform: transformExecutor,
  approval: approvalExecutor,
  supervisor: supervisorExecutor,
  map: mapExecutor,
  voting: votingExecutor,
  evolution: evolutionExecutor,
  verifier: verifierExecutor,
  synthesizer: synthesizerExecutor,
  reflection: reflectionExecutor,
  subgraph: subgraphExecutor,
  extract: extractExecutor,
  review: reviewExecutor,
  judge: judgeExecutor,
} as const satisfies Record<NodeKind, Executor>;
