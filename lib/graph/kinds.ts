/** Node kinds and their config schemas; the compiler demands every kind. */
import { agentConfigSchema } from "@/lib/graph/nodes/agent";
import { approvalConfigSchema } from "@/lib/graph/nodes/approval";
import { evolutionConfigSchema } from "@/lib/graph/nodes/evolution";
import { extractConfigSchema } from "@/lib/graph/nodes/extract";
import { judgeConfigSchema } from "@/lib/graph/nodes/judge";
import { mapConfigSchema } from "@/lib/graph/nodes/map";
import { reflectionConfigSchema } from "@/lib/graph/nodes/reflection";
import { reviewConfigSchema } from "@/lib/graph/nodes/review";
import { routerConfigSchema } from "@/lib/graph/nodes/router";
import { subgraphConfigSchema } from "@/lib/graph/nodes/subgraph";
import { supervisorConfigSchema } from "@/lib/graph/nodes/supervisor";
import { synthesizerConfigSchema } from "@/lib/graph/nodes/synthesizer";
import { toolConfigSchema } from "@/lib/graph/nodes/tool";
import { transformConfigSchema } from "@/lib/graph/nodes/transform";
import { verifierConfigSchema } from "@/lib/graph/nodes/verifier";
import { votingConfigSchema } from "@/lib/graph/nodes/voting";
import type { z } from "zod";

export const NODE_KINDS = {
  agent: { title: "Agent", about: "A model with tools proposes a value", config: agentConfigSchema },
  tool: { title: "Tool", about: "Calls one granted MCP tool", config: toolConfigSchema },
  router: { title: "Router", about: "Its edges decide where the run goes", config: routerConfigSchema },
  transform: { title: "Transform", about: "Computes values with CEL", config: transformConfigSchema },
  approval: { title: "Approval", about: "A person decides before the run continues", config: approvalConfigSchema },
  supervisor: { title: "Supervisor", about: "A model chooses which managed node runs next", config: supervisorConfigSchema },
  map: { title: "Map", about: "Runs one worker for every item of a list", config: mapConfigSchema },
  voting: { title: "Voting", about: "Several agents answer and their votes are counted", config: votingConfigSchema },
  evolution: { title: "Evolution", about: "Searches over generations of candidates", config: evolutionConfigSchema },
  verifier: { title: "Verifier", about: "Checks whether a condition holds", config: verifierConfigSchema },
  synthesizer: { title: "Synthesizer", about: "Combines several values into one", config: synthesizerConfigSchema },
  reflection: { title: "Reflection", about: "Distils facts for later runs", config: reflectionConfigSchema },
  subgraph: { title: "Subgraph", about: "Runs another published graph as one step", config: subgraphConfigSchema },
  extract: { title: "Extract", about: "A quarantined model fills in a form about one value", config: extractConfigSchema },
  review: { title: "Review", about: "Named reviewers give verdicts on one value", config: reviewConfigSchema },
  judge: { title: "Judge", about: "Applies rules and verdicts, and promotes what passes", config: judgeConfigSchema },
} as const satisfies Record<string, { title: string; about: string; config: z.ZodType }>;

export type NodeKind = keyof typeof NODE_KINDS;
