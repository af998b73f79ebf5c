import { Repeat2 } from "lucide-react";
import type { KindUi } from "./kind-ui";

export const mapUi: KindUi<"map"> = {
  icon: Repeat2,
  group: "combine",
  summary: ({ config }) => `${config.worker_node} for each of ${"from" in config.items ? config.items.from : config.items.value.length}`,
};
