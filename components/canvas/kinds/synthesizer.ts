import { Merge } from "lucide-react";
import type { KindUi } from "./kind-ui";

export const synthesizerUi: KindUi<"synthesizer"> = {
  icon: Merge,
  group: "combine",
  summary: ({ config, read_keys: reads }) =>
    `${config.agent_id ?? config.merge} of ${reads.length === 0 ? "nothing yet" : reads.join(", ")}`,
};
