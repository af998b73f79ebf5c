import { Sigma } from "lucide-react";
import { getFirstPath } from "@/components/canvas/fields/declared-paths";
import type { KindUi } from "./kind-ui";

export const transformUi: KindUi<"transform"> = {
  icon: Sigma,
  group: "work",
  summary: ({ config }) => config.set.map((assignment) => assignment.path).join(", "),
  initial: (graph) => ({ write_keys: [getFirstPath(graph)] }),
};
