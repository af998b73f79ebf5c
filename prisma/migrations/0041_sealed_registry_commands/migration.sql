-- Commands to the registry are sealed like every other command: author and time are inside. What waits is asked again.
ALTER TABLE "registry_command" ALTER COLUMN "body" TYPE BYTEA USING ''::bytea;
