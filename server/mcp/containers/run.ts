import { randomUUID } from "node:crypto";
import { startServer, type ServerProcess } from "@/server/mcp/server-process";
import type { Environment } from "@/server/mcp/programs/run-installer";
import { buildContainerCommand, demandSameImage, mergeEnvironments, removeContainer, type ContainerSpec } from "./engine";

/** Starts exactly the installed image. @throws AppError("manifest_invalid") when it is gone or differs */
export const runContainer = async (spec: Omit<ContainerSpec, "name">, env: Environment): Promise<ServerProcess> => {
  const { program } = spec;
  const { engine } = program.runs;
  const name = `countersign-${randomUUID()}`;
  const merged = mergeEnvironments(env, spec.env);
  await demandSameImage(program, env);
  const started = await startServer({
    command: engine,
    args: buildContainerCommand({ ...spec, name }),
    env: merged,
    cwd: "/",
    sandbox: null,
  });

  return {
    ...started,
    // The engine's command is not the container: it could end alone.
    kill: () => void removeContainer(engine, name, env).finally(() => started.kill("SIGKILL")),
  };
};
