import { z } from "zod";

export const roleSchema = z.enum(["viewer", "builder", "reviewer", "admin"]);
export type Role = z.infer<typeof roleSchema>;

/** `auditor`: reveals and exports hidden values. */
export type Membership = { readonly role: Role; readonly auditor: boolean };

/** Separates duties: admins configure, builders draw and run, reviewers decide. */
export const PERMISSIONS = {
  "graph.read": ["viewer", "builder", "reviewer", "admin"],
  "graph.edit": ["builder"],
  "graph.publish": ["builder"],
  "agent.read": ["viewer", "builder", "reviewer", "admin"],
  "agent.edit": ["builder", "admin"],
  "run.read": ["viewer", "builder", "reviewer", "admin"],
  "run.start": ["builder"],
  "run.cancel": ["builder", "admin"],
  "approval.read": ["viewer", "builder", "reviewer", "admin"],
  "approval.decide": ["reviewer"],
  "approval.comment": ["builder", "reviewer", "admin"],
  "mcp.read": ["viewer", "builder", "reviewer", "admin"],
  "mcp.manage": ["admin"],
  "model.read": ["viewer", "builder", "reviewer", "admin"],
  "model.manage": ["admin"],
  "settings.own": ["viewer", "builder", "reviewer", "admin"],
  "people.read": ["admin"],
  /** Except one's own. */
  "people.manage": ["admin"],
  /** Decided cell by cell, on record. */
  "cell.open": ["viewer", "builder", "reviewer", "admin"],
  /** Needs the auditor add-on too. */
  "fact.retract": ["builder", "admin"],
  "cell.shred": ["admin"],
  "trust.read": ["reviewer", "admin"],
  "trust.export": ["admin"],
  /** Request only; the runner signs. */
  "ledger.checkpoint": ["builder", "reviewer", "admin"],
  /** Without values. */
  "ledger.export": ["admin"],
  "connect.read": ["builder", "admin"],
  "connect.manage": ["builder", "admin"],
  "webhook.read": ["reviewer", "admin"],
  "webhook.manage": ["admin"],
  "alarm.manage": ["admin"],
  "work.stop": ["admin"],
  "installation.read": ["admin"],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof PERMISSIONS;

const AUDITORS: readonly Permission[] = ["trust.read", "trust.export", "ledger.export"];

/** A gate for others would wait forever. */
export const deciderSchema = z.enum(PERMISSIONS["approval.decide"]);

export const isAllowed = (role: Role, permission: Permission, auditor = false): boolean =>
  (PERMISSIONS[permission] as readonly Role[]).includes(role) || (auditor && AUDITORS.includes(permission));

/** Lists roles with a permission, and `auditor`. */
export const listHolders = (permission: Permission): readonly string[] => [
  ...PERMISSIONS[permission],
  ...(AUDITORS.includes(permission) ? ["auditor"] : []),
];

export const explainDenial = (role: Role, permission: Permission, auditor = false): string | null => {
  if (isAllowed(role, permission, auditor)) return null;

  return `Needs ${listHolders(permission).join(" or ")}; you are ${role}`;
};
