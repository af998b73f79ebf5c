"use client";

import { Vote } from "lucide-react";
import { getFirstAgent } from "@/components/canvas/fields/agent-select";
import type { KindUi } from "./kind-ui";
import { VoterList } from "./voter-list";

export const votingUi: KindUi<"voting"> = {
  icon: Vote,
  group: "combine",
  summary: ({ config }) => `${config.voters.length} ${config.voters.length === 1 ? "voter" : "voters"}, ${config.strategy}`,
  parts: {
    voters: ({ node, catalog, change }) => (
      <VoterList
        voters={node.config.voters}
        isWeighted={node.config.strategy === "weighted"}
        catalog={catalog}
        onChange={(voters, field) => change({ ...node, config: { ...node.config, voters } }, field)}
      />
    ),
  },
  initial: (_graph, catalog) => {
    const agents = catalog.agents.slice(0, 3).map((agent) => agent.id);
    const voters = agents.length === 0 ? [getFirstAgent(catalog)] : agents;

    return { config: { voters: voters.map((id) => ({ agent_id: id, weight: 1 })) } };
  },
};
