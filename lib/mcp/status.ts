import { z } from "zod";

/** The life of a registered server. Only `active` is ever called; drift suspends by itself. */
export const mcpStatusSchema = z.enum(["quarantined", "reviewed", "active", "suspended", "revoked"]);
export type McpStatus = z.infer<typeof mcpStatusSchema>;

/** Steps that only change the status. Reviewing is not among them, because it also pins. */
export const STATUS_STEPS = {
  activate: { from: ["reviewed"], to: "active" },
  suspend: { from: ["active", "reviewed"], to: "suspended" },
  resume: { from: ["suspended"], to: "active" },
  revoke: { from: ["quarantined", "reviewed", "active", "suspended"], to: "revoked" },
} as const satisfies Record<string, { from: readonly McpStatus[]; to: McpStatus }>;
export type StatusStep = keyof typeof STATUS_STEPS;

/** Pinning reviews again whatever is not revoked and not in use. */
export const PINNABLE: readonly McpStatus[] = ["quarantined", "reviewed", "suspended"];

export const mayStep = (status: McpStatus, step: StatusStep): boolean => (STATUS_STEPS[step].from as readonly McpStatus[]).includes(status);
