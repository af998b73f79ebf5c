-- Divides the two tables that grow, ledger_record and cell, into 16 partitions by a hash of the workspace.
-- Stop web and runners and take a backup first. Run as the administrator of the database, once:
--   psql "$DATABASE_URL" -v ON_ERROR_STOP=1 -f deploy/partition-by-workspace.sql
-- All of it happens or nothing. It needs the space of both tables once more until it is done.
-- The primary keys get workspace_id at their end: Postgres wants the partition's column in them, and what looks for a run by
-- its id alone still finds it by the index.

BEGIN;

LOCK TABLE ledger_record, cell IN ACCESS EXCLUSIVE MODE;

CREATE FUNCTION pg_temp.partition_by_workspace(tbl text, key text, partitions int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  old text := tbl || '_undivided';
  part text;
  def record;
  was bigint;
  now_there bigint;
BEGIN
  IF (SELECT relkind FROM pg_class WHERE oid = to_regclass('public.' || tbl)) <> 'r' THEN
    RAISE EXCEPTION '% is divided already', tbl;
  END IF;
  EXECUTE format('ALTER TABLE %I RENAME TO %I', tbl, old);
  EXECUTE format('ALTER TABLE %I RENAME CONSTRAINT %I TO %I', old, tbl || '_pkey', old || '_pkey');
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL EXCLUDING INDEXES, CONSTRAINT %I PRIMARY KEY (%s, workspace_id)) PARTITION BY HASH (workspace_id)',
    tbl, old, tbl || '_pkey', key);
  FOR n IN 0 .. partitions - 1 LOOP
    part := format('%s_%s', tbl, n);
    EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS %s, REMAINDER %s)', part, tbl, partitions, n);
    -- Nobody but the owner reaches a partition by its own name.
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', part);
  END LOOP;
  EXECUTE format('INSERT INTO %I SELECT * FROM %I', tbl, old);
  EXECUTE format('SELECT count(*) FROM %I', old) INTO was;
  EXECUTE format('SELECT count(*) FROM %I', tbl) INTO now_there;
  IF was <> now_there THEN
    RAISE EXCEPTION '% had % rows and has %', tbl, was, now_there;
  END IF;

  -- Indexes, triggers, policies and rights are those of before, whichever migrations made them.
  FOR def IN SELECT c.relname AS name, pg_get_indexdef(i.indexrelid) AS sql FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE i.indrelid = old::regclass AND NOT i.indisprimary LOOP
    EXECUTE format('ALTER INDEX %I RENAME TO %I', def.name, 'undivided_' || def.name);
    EXECUTE replace(def.sql, format(' ON public.%I ', old), format(' ON public.%I ', tbl));
  END LOOP;
  FOR def IN SELECT (t.tgtype & 1) = 1 AS by_row, pg_get_triggerdef(t.oid) AS sql FROM pg_trigger t
    WHERE t.tgrelid = old::regclass AND NOT t.tgisinternal LOOP
    EXECUTE replace(def.sql, format(' ON public.%I ', old), format(' ON public.%I ', tbl));
    -- Triggers for statements are not inherited.
    IF NOT def.by_row THEN
      FOR n IN 0 .. partitions - 1 LOOP
        EXECUTE replace(def.sql, format(' ON public.%I ', old), format(' ON public.%I ', format('%s_%s', tbl, n)));
      END LOOP;
    END IF;
  END LOOP;
  EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tbl);
  FOR def IN SELECT policyname, cmd, roles, qual, with_check FROM pg_policies WHERE schemaname = 'public' AND tablename = old LOOP
    EXECUTE format('CREATE POLICY %I ON %I FOR %s TO %s', def.policyname, tbl, def.cmd, array_to_string(def.roles, ', '))
      || coalesce(format(' USING (%s)', def.qual), '') || coalesce(format(' WITH CHECK (%s)', def.with_check), '');
  END LOOP;
  FOR def IN SELECT a.privilege_type, r.rolname FROM pg_class c, aclexplode(c.relacl) a JOIN pg_roles r ON r.oid = a.grantee
    WHERE c.oid = old::regclass AND a.grantee <> c.relowner LOOP
    EXECUTE format('GRANT %s ON %I TO %I', def.privilege_type, tbl, def.rolname);
  END LOOP;
  FOR def IN SELECT a.privilege_type, r.rolname, t.attname FROM pg_attribute t, aclexplode(t.attacl) a JOIN pg_roles r ON r.oid = a.grantee
    WHERE t.attrelid = old::regclass LOOP
    EXECUTE format('GRANT %s (%I) ON %I TO %I', def.privilege_type, def.attname, tbl, def.rolname);
  END LOOP;
  EXECUTE format('DROP TABLE %I', old);
END
$$;

SELECT pg_temp.partition_by_workspace('ledger_record', 'run_id, seq', 16);
SELECT pg_temp.partition_by_workspace('cell', 'run_id, seq, index', 16);

COMMIT;

ANALYZE ledger_record, cell;
