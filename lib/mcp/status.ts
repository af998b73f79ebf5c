import { z } from "zod";

/**
 * The life of a registered server. `discovered`: registered, and never seen yet. `drifted`: out of use by itself, because it
 * is not what was reviewed; `suspended`: out of use because a person said so. Only `active` is ever called.
 */
export const mcpStatusSchema = z.enum(["discovered", "quarantined", "reviewed", "active", "drifted", "suspended", "revoked"]);
export type McpStatus = z.infer<typeof mcpStatusSchema>;

/** Steps that only change the status. Reviewing is not among them, because it also pins. */
export const STATUS_STEPS = {
  activate: { from: ["reviewed"], to: "active" },
  suspend: { from: ["active", "reviewed"], to: "suspended" },
  resume: { from: ["suspended", "drifted"], to: "active" },
  revoke: { from: ["discovered", "quarantined", "reviewed", "active", "drifted", "suspended"], to: "revoked" },
} as const satisfies Record<string, { from: readonly McpStatus[]; to: McpStatus }>;
export type StatusStep = keyof typeof STATUS_STEPS;

/** Pinning reviews again whatever was seen, is not revoked and not in use. */
export const PINNABLE: readonly McpStatus[] = ["quarantined", "reviewed", "drifted", "suspended"];

/** Out of these a server drifts by itself. Nothing was reviewed before, and nothing matters after. */
export const DRIFTS: readonly McpStatus[] = ["reviewed", "active", "suspended"];

/** How it is reached can be changed, which makes it a server that was never seen. */
export const REACHABLE: readonly McpStatus[] = STATUS_STEPS.revoke.from;

export const mayStep = (status: McpStatus, step: StatusStep): boolean => (STATUS_STEPS[step].from as readonly McpStatus[]).includes(status);
