import { z } from "zod";

/**
 * Server lifecycle. `discovered`: never reached. `drifted`: suspended automatically; `suspended`: by a person. Only `active` servers are
 * called.
 */
export const mcpStatusSchema = z.enum(["discovered", "quarantined", "reviewed", "active", "drifted", "suspended", "revoked"]);
export type McpStatus = z.infer<typeof mcpStatusSchema>;

/** Pure status changes. Reviewing also pins, so it is not one. */
export const STATUS_STEPS = {
  activate: { from: ["reviewed"], to: "active" },
  suspend: { from: ["active", "reviewed"], to: "suspended" },
  resume: { from: ["suspended", "drifted"], to: "active" },
  revoke: { from: ["discovered", "quarantined", "reviewed", "active", "drifted", "suspended"], to: "revoked" },
} as const satisfies Record<string, { from: readonly McpStatus[]; to: McpStatus }>;
export type StatusStep = keyof typeof STATUS_STEPS;

/** Statuses in which tools can be reviewed and pinned. */
export const PINNABLE: readonly McpStatus[] = ["quarantined", "reviewed", "drifted", "suspended"];

/** Statuses that can drift: reviewed before, not revoked. */
export const DRIFTS: readonly McpStatus[] = ["reviewed", "active", "suspended"];

/** Statuses in which the transport can change, which resets the server to unseen. */
export const REACHABLE: readonly McpStatus[] = STATUS_STEPS.revoke.from;

export const canStep = (status: McpStatus, step: StatusStep): boolean => (STATUS_STEPS[step].from as readonly McpStatus[]).includes(status);
