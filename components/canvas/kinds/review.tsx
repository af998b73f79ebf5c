"use client";

import { Users } from "lucide-react";
import type { NodeOf } from "@/lib/graph/document";
import { fillsForm } from "@/lib/graph/kind-of";
import { answerPath } from "@/lib/graph/facts/access";
import type { KindUi } from "./kind-ui";
import { ReviewerList } from "./reviewer-list";

const votesIn = ({ config }: NodeOf<"review">): number =>
  config.reviewers.reduce((count, reviewer) => count + (reviewer.type === "agent" ? 1 : reviewer.count), 0);

export const reviewUi: KindUi<"review"> = {
  icon: Users,
  group: "zone",
  summary: (node) => `${node.config.target}: ${node.config.quorum} of ${votesIn(node)} approve`,
  parts: {
    reviewers: ({ node, catalog, change }) => (
      <ReviewerList
        reviewers={node.config.reviewers}
        catalog={catalog}
        onChange={(reviewers, field) => change({ ...node, config: { ...node.config, reviewers } }, field)}
      />
    ),
  },
  initial: (graph) => {
    const extract = graph.nodes.find((node) => fillsForm(node));
    const target = extract && answerPath(extract);

    return {
      config: {
        ...(extract && target !== undefined ? { target, source: extract.config.from } : {}),
        reviewers: [{ type: "person", role: "reviewer", count: 1 }],
      },
    };
  },
};
