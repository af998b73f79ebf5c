-- Facts are few among the cells, and recalled by topic.
create index cell_fact on cell (workspace_id, path) where path like '$fact.%';
