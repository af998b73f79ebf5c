import { Lightbulb } from "lucide-react";
import type { KindUi } from "./kind-ui";

export const reflectionUi: KindUi<"reflection"> = {
  icon: Lightbulb,
  group: "work",
  summary: ({ config }) => `Up to ${config.max_facts} facts on ${config.topic}`,
};
