import { createCheck, type Check } from "@/lib/checks";
import type { Program } from "@/lib/mcp/program";
import { isImageProgram, listEngines } from "@/server/mcp/containers/engine";
import type { Environment } from "@/server/mcp/programs/run-installer";

/** Not in the runner. */
export const checkEngines = async (programs: readonly Program[], env: Environment): Promise<readonly Check[]> => {
  const engines = await listEngines(env);
  const used = new Set(programs.filter(isImageProgram).map(({ runs }) => runs.engine));
  const missing = [...used].filter((engine) => engines.every((found) => found.engine !== engine));
  if (engines.length === 0 && used.size === 0) return [createCheck("containers_none")];

  return [
    ...engines.map(({ engine, failure }) => {
      if (failure === null) return createCheck(used.has(engine) ? "engine_ok" : "engine_idle", { engine });

      return createCheck(used.has(engine) ? "engine_failed" : "engine_unused", { engine, cause: failure.split("\n", 1)[0] ?? "" });
    }),
    ...missing.map((engine) => createCheck("engine_missing", { engine })),
  ];
};
