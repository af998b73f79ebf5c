import { Hourglass } from "lucide-react";
import type { NodeOf } from "@/lib/graph/document";
import { formatDuration } from "@/lib/format";
import type { KindUi } from "./kind-ui";

type Until = NodeOf<"wait">["config"]["until"];

const summaryOf = (until: Until): string => {
  switch (until.type) {
    case "duration":
      return `for ${formatDuration(until.ms)}`;
    case "instant":
      return `until ${until.at}`;
    case "event":
      return `for an answer, at most ${formatDuration(until.timeout_ms)}`;
    default:
      return until satisfies never;
  }
};

export const waitUi: KindUi<"wait"> = {
  icon: Hourglass,
  group: "decide",
  summary: ({ config }) => summaryOf(config.until),
};
