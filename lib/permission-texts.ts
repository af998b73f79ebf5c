/** Permission texts and separated duties, as shown on screen. */
import type { Permission, Role } from "@/lib/roles";

/** Continues "can". */
export const PERMISSION_TEXTS = {
  "graph.read": "see graphs and their versions",
  "graph.edit": "draw and change graphs",
  "graph.publish": "publish graph versions",
  "agent.read": "see agents",
  "agent.edit": "change agents",
  "run.read": "see runs and their records",
  "run.start": "start and fork runs",
  "run.cancel": "cancel runs",
  "approval.read": "see what waits for people",
  "approval.decide": "approve, reject and edit what waits",
  "approval.comment": "comment on what waits",
  "mcp.read": "see MCP servers and their tools",
  "mcp.manage": "register, review, activate and stop MCP servers",
  "model.read": "see which models there are",
  "model.manage": "set up providers of models, their prices and which may be chosen",
  "settings.own": "keep passkeys and settings of their own",
  "people.read": "see who is in the workspace",
  "people.manage": "invite people, change their roles and end their sessions",
  "cell.open": "ask to open a hidden value",
  "cell.shred": "destroy stored values for good",
  "trust.read": "read the trust log",
  "trust.export": "export the trust log",
  "ledger.checkpoint": "ask for a checkpoint of the ledger",
  "ledger.export": "export the workspace's ledger",
  "connect.read": "see tokens and sessions of outside agents",
  "connect.manage": "make and revoke tokens of outside agents",
  "webhook.read": "see webhooks and their deliveries",
  "webhook.manage": "add and change webhooks",
  "alarm.manage": "see and acknowledge trust alarms",
} as const satisfies Record<Permission, string>;

export const SEPARATED_DUTIES: { readonly [permission in Permission]?: { readonly [role in Role]?: string } } = {
  "approval.decide": {
    admin: "Whoever sets up servers, models and people does not approve what runs do with them.",
    builder: "Whoever draws graphs and starts runs does not approve what those ask for.",
  },
  "graph.edit": {
    admin: "Whoever sets up servers, models and people does not draw what uses them.",
    reviewer: "Whoever decides what runs may do does not draw them.",
  },
  "graph.publish": {
    admin: "Whoever sets up servers, models and people does not publish what uses them.",
    reviewer: "Whoever decides what runs may do does not publish them.",
  },
  "run.start": {
    admin: "Whoever sets up servers, models and people does not start what uses them.",
    reviewer: "Whoever decides what runs may do does not start them.",
  },
  "mcp.manage": {
    builder: "Whoever draws graphs does not say which servers may be trusted.",
    reviewer: "Whoever decides what runs may do does not say which servers they can reach.",
  },
  "people.manage": {
    builder: "Whoever draws graphs does not say who may approve what they ask for.",
    reviewer: "Whoever decides what runs may do does not say who else decides.",
  },
};

/** Further conditions, checked at the time of use. */
export const LIMITS: { readonly [permission in Permission]?: string } = {
  "approval.decide":
    "Never about a run that they started or a token of theirs drives, never alone about a graph version that they wrote or a call that they edited, and only at gates that ask for their role.",
  "cell.open": "One value at a time, on record: for an audit with the auditor add-on, for a review only while they are asked in it.",
  "connect.manage": "Only their own tokens and sessions.",
  "people.manage": "Never about themselves, so that an admin always remains.",
};
