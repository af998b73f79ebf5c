/** Executors of acting node kinds, for the worker; the compiler requires one per kind. */
import type { NodeKind } from "@/lib/graph/kinds";
import { agentExecutor } from "@/server/executors/agent";
import type { ExecuteNode, Executor } from "@/server/executors/contract";
import { evolutionExecutor } from "@/server/executors/evolution";
import { extractExecutor } from "@/server/executors/extract";
import { mapExecutor } from "@/server/executors/map";
import { quietExecutor, type QuietKind } from "@/server/executors/quiet";
import { reflectionExecutor } from "@/server/executors/reflection";
import { reviewExecutor } from "@/server/executors/review";
import { supervisorExecutor } from "@/server/executors/supervisor";
import { synthesizerExecutor } from "@/server/executors/synthesizer";
import { toolExecutor } from "@/server/executors/tool";
import { verificationExecutor } from "@/server/executors/verification";
import { verifierExecutor } from "@/server/executors/verifier";
import { votingExecutor } from "@/server/executors/voting";

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

const isActing = (kind: NodeKind): kind is keyof typeof ACTING => Object.hasOwn(ACTING, kind);

export const executorOf = (kind: NodeKind): Executor => {
  if (isActing(kind)) return ACTING[kind];
  const quiet = quietExecutor(kind);
  if (!quiet) throw new Error("a kind without an executor");

  return (input) => Promise.resolve(quiet(input));
};

/** Executes in this process, for the command line and tests. */
export const executeInProcess: ExecuteNode = ({ kind, input }, gateways, signal) =>
  (kind === "verification" ? verificationExecutor : executorOf(input.node.kind))(input, gateways, signal);
