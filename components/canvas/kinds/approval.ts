import { Stamp } from "lucide-react";
import type { KindUi } from "./kind-ui";

export const approvalUi: KindUi<"approval"> = {
  icon: Stamp,
  group: "decide",
  summary: ({ config }) => `${config.quorum} ${config.role}${config.for_node === undefined ? "" : ` for ${config.for_node}`}`,
};
