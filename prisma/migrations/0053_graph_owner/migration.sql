-- Who answers for a graph, how it is filed, and since when it is deleted. A deleted graph keeps its drafts, versions and runs.
ALTER TABLE "graph" ADD COLUMN "owner_id" UUID,
ADD COLUMN "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN "deleted_at" TIMESTAMPTZ(3);

UPDATE "graph" g SET "owner_id" = r."author_id"
FROM "graph_revision" r WHERE r."workspace_id" = g."workspace_id" AND r."graph_id" = g."id" AND r."revision" = 1;

-- The newest runs of each graph.
CREATE INDEX "run_workspace_id_graph_id_created_at_idx" ON "run"("workspace_id", "graph_id", "created_at");
