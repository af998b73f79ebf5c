/** The executor of every node kind; the compiler demands one per kind. */
import type { NodeKind } from "@/lib/graph/kinds";
import { agentExecutor } from "@/server/executors/agent";
import { approvalExecutor } from "@/server/executors/approval";
import type { Executor } from "@/server/executors/contract";
import { routerExecutor } from "@/server/executors/router";
import { toolExecutor } from "@/server/executors/tool";
import { transformExecutor } from "@/server/executors/transform";

export const EXECUTORS = {
  agent: agentExecutor,
  tool: toolExecutor,
  router: routerExecutor,
  transform: transformExecutor,
  approval: approvalExecutor,
} as const satisfies Record<NodeKind, Executor>;
