import type { Permission, Role } from "@/lib/roles";

/** Continues "can". */
export const PERMISSION_TEXTS = {
  "graph.read": "see graphs and their versions",
  "graph.edit": "create and edit graphs",
  "graph.publish": "publish graph versions",
  "agent.read": "see agents",
  "agent.edit": "edit agents",
  "run.read": "see runs and their records",
  "run.start": "start and fork runs",
  "run.cancel": "cancel runs",
  "approval.read": "see approval requests",
  "approval.decide": "approve, reject and edit requests",
  "approval.comment": "comment on approval requests",
  "mcp.read": "see MCP servers and their tools",
  "mcp.manage": "add, review, activate and suspend MCP servers",
  "model.read": "see models",
  "model.manage": "manage model providers, prices and allowed models",
  "settings.own": "manage their own passkeys and settings",
  "people.read": "see who is in the workspace",
  "people.manage": "invite people, change their roles and end their sessions",
  "cell.open": "reveal a hidden value",
  "fact.retract": "retract facts from later runs",
  "cell.shred": "permanently destroy stored values",
  "trust.read": "read the trust log",
  "trust.export": "export the trust log",
  "ledger.checkpoint": "request a ledger checkpoint",
  "ledger.export": "export the workspace's ledger",
  "connect.read": "see tokens and sessions of outside agents",
  "connect.manage": "create and revoke tokens of outside agents",
  "webhook.read": "see webhooks and their deliveries",
  "webhook.manage": "add and edit webhooks",
  "alarm.manage": "see and acknowledge trust alarms",
  "work.stop": "stop and resume all work",
  "installation.read": "see the checks of the installation",
} as const satisfies Record<Permission, string>;

export const SEPARATED_DUTIES: { readonly [permission in Permission]?: { readonly [role in Role]?: string } } = {
  "approval.decide": {
    admin: "Admins manage servers, models and people, so they can't approve what runs do with them.",
    builder: "Builders create graphs and start runs, so they can't approve what those request.",
  },
  "graph.edit": {
    admin: "Admins manage servers, models and people, so they can't create graphs that use them.",
    reviewer: "Reviewers decide what runs may do, so they can't create graphs.",
  },
  "graph.publish": {
    admin: "Admins manage servers, models and people, so they can't publish graphs that use them.",
    reviewer: "Reviewers decide what runs may do, so they can't publish graphs.",
  },
  "run.start": {
    admin: "Admins manage servers, models and people, so they can't start runs that use them.",
    reviewer: "Reviewers decide what runs may do, so they can't start runs.",
  },
  "mcp.manage": {
    builder: "Builders create graphs, so they can't decide which servers to trust.",
    reviewer: "Reviewers decide what runs may do, so they can't decide which servers runs can reach.",
  },
  "people.manage": {
    builder: "Builders create graphs, so they can't decide who approves their requests.",
    reviewer: "Reviewers decide what runs may do, so they can't decide who else decides.",
  },
};

/** Further conditions, checked at the time of use. */
export const LIMITS: { readonly [permission in Permission]?: string } = {
  "approval.decide":
    "Not for runs that they started or one of their tokens drives; not alone for a graph version they wrote or a call they edited; and only at gates that ask for their role.",
  "cell.open": "One value at a time, recorded: for an audit with the auditor add-on, or for a review while they are asked in it.",
  "connect.manage": "Only their own tokens and sessions.",
  "people.manage": "Not for their own account, so that an admin always remains.",
};
