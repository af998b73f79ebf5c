import type { NodeKind } from "@/lib/graph/kinds";
import { runAgent } from "@/server/executors/agent";
import { runCode } from "@/server/executors/code";
import type { ExecuteNode, Executor } from "@/server/executors/contract";
import { runEvolution } from "@/server/executors/evolution";
import { extractExecutor } from "@/server/executors/extract";
import { mapExecutor } from "@/server/executors/map";
import { getQuietExecutor, type QuietKind } from "@/server/executors/quiet";
import { runReflection } from "@/server/executors/reflection";
import { reviewExecutor } from "@/server/executors/review";
import { runSupervisor } from "@/server/executors/supervisor";
import { runSynthesizer } from "@/server/executors/synthesizer";
import { runTool } from "@/server/executors/tool";
import { runVerification } from "@/server/executors/verification";
import { runVerifier } from "@/server/executors/verifier";
import { runVoting } from "@/server/executors/voting";

const ACTING = {
  agent: runAgent,
  tool: runTool,
  supervisor: runSupervisor,
  map: mapExecutor,
  voting: runVoting,
  evolution: runEvolution,
  verifier: runVerifier,
  synthesizer: runSynthesizer,
  reflection: runReflection,
  extract: extractExecutor,
  review: reviewExecutor,
  code: runCode,
} as const satisfies Record<Exclude<NodeKind, QuietKind>, Executor>;

const isActing = (kind: NodeKind): kind is keyof typeof ACTING => Object.hasOwn(ACTING, kind);

export const getExecutor = (kind: NodeKind): Executor => {
  if (isActing(kind)) return ACTING[kind];
  const quiet = getQuietExecutor(kind);
  if (!quiet) throw new Error("a kind without an executor");

  return (input) => Promise.resolve(quiet(() => input));
};

export const executeInProcess: ExecuteNode = ({ kind, input }, gateways, signal) =>
  (kind === "verification" ? runVerification : getExecutor(input.node.kind))(input, gateways, signal);
