import { z } from "zod";
import { waits } from "@/lib/graph/kind-of";
import { compute } from "@/server/executors/compute";
import type { QuietExecutor } from "@/server/executors/contract";
import { createFailure, WRONG_KIND } from "@/server/executors/written";

const instantSchema = z.union([z.number().int(), z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))]);

export const runWait: QuietExecutor = (buildInput) => {
  const input = buildInput();
  if (!waits(input.node)) return WRONG_KIND;
  const { until } = input.node.config;
  if (until.type !== "instant") return { type: "result", actions: [{ type: "wait", until: null }] };
  const computed = compute(input, until.at, input.view);
  if (!computed.ok) return createFailure("expression_failed", false, computed.error);
  const { data } = instantSchema.safeParse(computed.value);

  return data === undefined
    ? createFailure("wait_time_invalid", false, "The expression is neither a time with an offset nor milliseconds since 1970.")
    : { type: "result", actions: [{ type: "wait", until: data }] };
};
