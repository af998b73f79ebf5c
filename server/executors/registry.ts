/** The executor of every node kind; the compiler demands one per kind. */
import type { NodeKind } from "@/lib/graph/kinds";
import { agentExecutor } from "@/server/executors/agent";
import { approvalExecutor } from "@/server/executors/approval";
import type { Executor, QuietExecutor } from "@/server/executors/contract";
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

const QUIET = {
  router: routerExecutor,
  transform: transformExecutor,
  approval: approvalExecutor,
  subgraph: subgraphExecutor,
  judge: judgeExecutor,
} as const satisfies Partial<Record<NodeKind, QuietExecutor>>;

type QuietKind = keyof typeof QUIET;

const ACTING = {
  agent: agentExecutor,
  tool: toolExecutor,
  supervisor: supervisorExecutor,
  map: mapExecutor,
  voting: votingExecutor,
  evolution: evolutionExecutor,
  verifier: verifierExecutor,
  synthesizer: synthesizerExecutor,
  reflection: reflectionExecutor,
  extract: extractExecutor,
  review: reviewExecutor,
} as const satisfies Record<Exclude<NodeKind, QuietKind>, Executor>;

const isQuiet = (kind: NodeKind): kind is QuietKind => Object.hasOwn(QUIET, kind);

/** @returns null for kinds that act */
export const quietExecutor = (kind: NodeKind): QuietExecutor | null => (isQuiet(kind) ? QUIET[kind] : null);

export const executorOf = (kind: NodeKind): Executor => {
  if (!isQuiet(kind)) return ACTING[kind];
  const quiet: QuietExecutor = QUIET[kind];

  return (input) => Promise.resolve(quiet(input));
};
