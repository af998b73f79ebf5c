-- The inbox sorts by risk, then expiry; what is older than its risk comes first. The expression is that of the query.
CREATE INDEX "approval_by_risk" ON "approval" ("workspace_id", "status",
  (CASE "risk" WHEN 'low' THEN 2 WHEN 'medium' THEN 1 ELSE 0 END), "expires_at", "id");

-- Approved calls of a tool, latest first.
CREATE INDEX "approval_of_tool" ON "approval" ("workspace_id", "server", "tool", "resolved_at" DESC) WHERE "status" = 'approved';
