import { Network } from "lucide-react";
import type { KindUi } from "./kind-ui";

export const supervisorUi: KindUi<"supervisor"> = {
  icon: Network,
  group: "decide",
  summary: ({ config }) => `Chooses from ${config.managed_nodes.join(", ")}`,
};
