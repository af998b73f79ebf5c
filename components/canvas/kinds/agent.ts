import { Bot } from "lucide-react";
import type { KindUi } from "./kind-ui";

export const agentUi: KindUi<"agent"> = {
  icon: Bot,
  group: "work",
  summary: (node, catalog) => catalog.agents.find((agent) => agent.id === node.config.agent_id)?.name ?? "No agent chosen",
};
