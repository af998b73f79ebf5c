import { z } from "zod";

/** `discovered`: never reached. `drifted`: suspended automatically. Only `active` servers are called. */
export const mcpStatusSchema = z.enum(["discovered", "quarantined", "reviewed", "active", "drifted", "suspended", "revoked"]);
export type McpStatus = z.infer<typeof mcpStatusSchema>;

/** Excludes reviewing, which also pins. */
export const STATUS_STEPS = {
  activate: { from: ["reviewed"], to: "active" },
  suspend: { from: ["active", "reviewed"], to: "suspended" },
  resume: { from: ["suspended", "drifted"], to: "active" },
  revoke: { from: ["discovered", "quarantined", "reviewed", "active", "drifted", "suspended"], to: "revoked" },
} as const satisfies Record<string, { from: readonly McpStatus[]; to: McpStatus }>;
export type StatusStep = keyof typeof STATUS_STEPS;

/** Allows reviewing and pinning. */
export const PINNABLE: readonly McpStatus[] = ["quarantined", "reviewed", "drifted", "suspended"];

/** Reviewed and not revoked. */
export const DRIFTS: readonly McpStatus[] = ["reviewed", "active", "suspended"];

/** A new transport resets the server to unseen. */
export const REACHABLE: readonly McpStatus[] = STATUS_STEPS.revoke.from;

export const canStep = (status: McpStatus, step: StatusStep): boolean => (STATUS_STEPS[step].from as readonly McpStatus[]).includes(status);
