import type { NodeKind } from "@/lib/graph/kinds";
import { runApproval } from "@/server/executors/approval";
import type { QuietExecutor } from "@/server/executors/contract";
import { judgeExecutor } from "@/server/executors/judge";
import { runRouter } from "@/server/executors/router";
import { runSubgraph } from "@/server/executors/subgraph";
import { transformExecutor } from "@/server/executors/transform";
import { runWait } from "@/server/executors/wait";

const QUIET = {
  router: runRouter,
  transform: transformExecutor,
  approval: runApproval,
  subgraph: runSubgraph,
  judge: judgeExecutor,
  wait: runWait,
} as const satisfies Partial<Record<NodeKind, QuietExecutor>>;

export type QuietKind = keyof typeof QUIET;

const isQuiet = (kind: NodeKind): kind is QuietKind => Object.hasOwn(QUIET, kind);

/** Returns an executor without gateways; null for kinds that act. */
export const getQuietExecutor = (kind: NodeKind): QuietExecutor | null => (isQuiet(kind) ? QUIET[kind] : null);
