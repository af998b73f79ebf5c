-- A rotation of the vault key seals what jobs of the architect were asked under the new one.
GRANT UPDATE ("body") ON "architect_job" TO countersign_runner;
