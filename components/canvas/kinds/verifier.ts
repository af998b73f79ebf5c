import { BadgeCheck } from "lucide-react";
import type { NodeOf } from "@/lib/graph/document";
import type { KindUi } from "./kind-ui";

type Check = NodeOf<"verifier">["config"]["check"];

const summaryOf = (check: Check): string => {
  switch (check.type) {
    case "expression":
      return check.expression;
    case "schema":
      return `${check.key} matches its schema`;
    case "judge":
      return `${check.agent_id} scores ${check.key} ≥ ${check.threshold}`;
    default:
      return check satisfies never;
  }
};

export const verifierUi: KindUi<"verifier"> = {
  icon: BadgeCheck,
  group: "decide",
  summary: ({ config }) => summaryOf(config.check),
};
