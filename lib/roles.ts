/** Who may do what: one table, read by every procedure, every page and the screen that explains it. */
import { z } from "zod";

export const roleSchema = z.enum(["viewer", "builder", "reviewer", "admin"]);
export type Role = z.infer<typeof roleSchema>;

/** `auditor` is an add-on to any role: it reveals hidden values and exports them. */
export type Membership = { readonly role: Role; readonly auditor: boolean };

/**
 * Separation of duties is in the table: an admin configures but does not approve, a builder draws and runs but does
 * not approve, a reviewer decides but does not draw.
 */
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
  /** One's own passkeys. */
  "settings.own": ["viewer", "builder", "reviewer", "admin"],
  "people.read": ["admin"],
  /** Nobody changes their own: that is decided by whoever carries it out. */
  "people.manage": ["admin"],
  /** Whether it is theirs to open is decided cell by cell, on record. */
  "cell.open": ["viewer", "builder", "reviewer", "admin"],
  /** Who has the auditor add-on as well. */
  "cell.shred": ["admin"],
  "trust.read": ["reviewer", "admin"],
  "trust.export": ["admin"],
  /** Asks the runner; signing is the runner's alone. */
  "ledger.checkpoint": ["builder", "reviewer", "admin"],
  /** Every record of the workspace as one file; no values. */
  "ledger.export": ["admin"],
  "connect.read": ["builder", "admin"],
  "connect.manage": ["builder", "admin"],
  "webhook.read": ["reviewer", "admin"],
  "webhook.manage": ["admin"],
  "alarm.manage": ["admin"],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof PERMISSIONS;

/** What the auditor add-on adds to any role. */
const AUDITORS: readonly Permission[] = ["trust.read", "trust.export", "ledger.export"];

/** The roles that can decide an approval; a gate for anybody else would wait for nobody. */
export const deciderSchema = z.enum(PERMISSIONS["approval.decide"]);

export const may = (role: Role, permission: Permission, auditor = false): boolean =>
  (PERMISSIONS[permission] as readonly Role[]).includes(role) || (auditor && AUDITORS.includes(permission));

/** Who has a permission: roles, and `auditor` where the add-on brings it to any role. */
export const holdersOf = (permission: Permission): readonly string[] => [
  ...PERMISSIONS[permission],
  ...(AUDITORS.includes(permission) ? ["auditor"] : []),
];

/** One sentence for a disabled control: "Needs reviewer; you are builder". */
export const whyNot = (role: Role, permission: Permission, auditor = false): string | null => {
  if (may(role, permission, auditor)) return null;

  return `Needs ${holdersOf(permission).join(" or ")}; you are ${role}`;
};
