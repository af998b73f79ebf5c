/** A node's work in a run, by the config it needs. */
import type { z } from "zod";
import type { approvalConfigSchema } from "@/lib/graph/kinds/approval";
import type { codeConfigSchema } from "@/lib/graph/kinds/code";
import type { extractConfigSchema } from "@/lib/graph/kinds/extract";
import type { judgeConfigSchema } from "@/lib/graph/kinds/judge";
import type { mapConfigSchema } from "@/lib/graph/kinds/map";
import type { reviewConfigSchema } from "@/lib/graph/kinds/review";
import type { subgraphConfigSchema } from "@/lib/graph/kinds/subgraph";
import type { toolConfigSchema } from "@/lib/graph/kinds/tool";
import type { transformConfigSchema } from "@/lib/graph/kinds/transform";
import type { waitConfigSchema } from "@/lib/graph/kinds/wait";

export type Works = {
  /** Agents and rules of the executor propose a value. */
  readonly proposal: object;
  readonly call: z.output<typeof toolConfigSchema>;
  /** Computes from its reads alone. */
  readonly computation: z.output<typeof transformConfigSchema>;
  /** A function of its own computes in the sandbox. */
  readonly script: z.output<typeof codeConfigSchema>;
  readonly route: object;
  readonly items: z.output<typeof mapConfigSchema>;
  readonly frame: z.output<typeof subgraphConfigSchema>;
  readonly question: z.output<typeof approvalConfigSchema>;
  readonly form: z.output<typeof extractConfigSchema>;
  readonly verdicts: z.output<typeof reviewConfigSchema>;
  readonly judgment: z.output<typeof judgeConfigSchema>;
  /** A time or an outside answer is due. */
  readonly wait: z.output<typeof waitConfigSchema>;
};
export type Work = keyof Works;

export type WorkOf<C> = { [W in Work]: C extends Works[W] ? W : never }[Work];
