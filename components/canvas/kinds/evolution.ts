import { Dna } from "lucide-react";
import type { KindUi } from "./kind-ui";

export const evolutionUi: KindUi<"evolution"> = {
  icon: Dna,
  group: "combine",
  summary: ({ config }) => `${config.max_generations} generations of ${config.population_size}`,
};
