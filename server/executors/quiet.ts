/** Executors without gateways, run by the control plane itself, which continues from their outcome before it is stored. */
import type { NodeKind } from "@/lib/graph/kinds";
import { approvalExecutor } from "@/server/executors/approval";
import type { QuietExecutor } from "@/server/executors/contract";
import { judgeExecutor } from "@/server/executors/judge";
import { routerExecutor } from "@/server/executors/router";
import { subgraphExecutor } from "@/server/executors/subgraph";
import { transformExecutor } from "@/server/executors/transform";

const QUIET = {
  router: routerExecutor,
  transform: transformExecutor,
  approval: approvalExecutor,
  subgraph: subgraphExecutor,
  judge: judgeExecutor,
} as const satisfies Partial<Record<NodeKind, QuietExecutor>>;

export type QuietKind = keyof typeof QUIET;

const isQuiet = (kind: NodeKind): kind is QuietKind => Object.hasOwn(QUIET, kind);

/** @returns null for kinds that act */
export const quietExecutor = (kind: NodeKind): QuietExecutor | null => (isQuiet(kind) ? QUIET[kind] : null);
