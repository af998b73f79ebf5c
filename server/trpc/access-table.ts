/**
 * Every procedure, the permission it asks for, and the roles that therefore may call it: V(iewer), B(uilder),
 * R(eviewer), A(dmin). Written by hand and compared with the root router and with lib/roles by access.test.ts: a
 * procedure that is not here, or that lets in somebody else than here, fails the tests.
 */
import type { Permission } from "@/lib/roles";

export type AccessRow = readonly [access: Permission, roles: string] | readonly [access: "public", roles: "everybody"];

export const ACCESS = {
  "agents.list": ["agent.read", "VBRA"],
  "agents.save": ["agent.edit", "BA"],
  "approvals.count": ["approval.read", "VBRA"],
  "approvals.decide": ["approval.decide", "R"],
  "approvals.get": ["approval.read", "VBRA"],
  "approvals.list": ["approval.read", "VBRA"],
  "approvals.reach": ["approval.read", "VBRA"],
  "graphs.catalog": ["graph.read", "VBRA"],
  "graphs.create": ["graph.edit", "B"],
  "graphs.get": ["graph.read", "VBRA"],
  "graphs.list": ["graph.read", "VBRA"],
  "graphs.publish": ["graph.publish", "B"],
  "graphs.save": ["graph.edit", "B"],
  "graphs.version": ["graph.read", "VBRA"],
  "graphs.versions": ["graph.read", "VBRA"],
  "models.list": ["model.read", "VBRA"],
  "mcp.command": ["mcp.manage", "A"],
  "mcp.get": ["mcp.read", "VBRA"],
  "mcp.list": ["mcp.read", "VBRA"],
  "mcp.reach": ["mcp.read", "VBRA"],
  "runs.blame": ["run.read", "VBRA"],
  "runs.cancel": ["run.cancel", "BA"],
  "runs.compare": ["run.read", "VBRA"],
  "runs.fork": ["run.start", "B"],
  "runs.get": ["run.read", "VBRA"],
  "runs.list": ["run.read", "VBRA"],
  "runs.live": ["run.read", "VBRA"],
  "runs.records": ["run.read", "VBRA"],
  "runs.start": ["run.start", "B"],
  "runs.state": ["run.read", "VBRA"],
  "runs.verifyReplay": ["run.read", "VBRA"],
  "session.current": ["public", "everybody"],
  "session.ledgerKeys": ["run.read", "VBRA"],
  "setup.checkLink": ["public", "everybody"],
  "setup.createAdmin": ["public", "everybody"],
  "setup.createDemo": ["public", "everybody"],
  "setup.state": ["public", "everybody"],
} as const satisfies Record<string, AccessRow>;
