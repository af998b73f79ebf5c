import { Bot } from "lucide-react";
import { UNASSIGNED } from "@/lib/graph/wiring";
import type { KindUi } from "./kind-ui";

export const agentUi: KindUi<"agent"> = {
  icon: Bot,
  group: "work",
  // An existing agent has limits and a prompt for other work.
  initial: () => ({ config: { agent_id: UNASSIGNED } }),
  summary: (node, catalog) => catalog.agents.find((agent) => agent.id === node.config.agent_id)?.name ?? "No agent chosen",
};
