import { randomUUID } from "node:crypto";
import type { EgressRules } from "@/server/mcp/egress-proxy";
import type { Environment } from "@/server/mcp/programs/run-installer";
import { startServer, type ServerProcess } from "@/server/mcp/server-process";
import {
  buildContainerOptions,
  createContainer,
  demandSameImage,
  initContainer,
  mergeEnvironments,
  removeContainer,
  type ContainerSpec,
} from "./engine";
import { openHosts, type HostsAccess } from "./hosts";

type HostsOptions = { readonly rules: EgressRules; readonly relay: string };

const prepareHosts = async (spec: ContainerSpec, hosts: HostsAccess, env: Environment): Promise<void> => {
  const { name } = spec;
  const given = { ...spec.env, ...hosts.env };
  await createContainer({ ...spec, env: given }, mergeEnvironments(env, given));
  await hosts.enter(await initContainer(name, env));
};

export const runContainer = async (
  given: Omit<ContainerSpec, "name">,
  env: Environment,
  reach: HostsOptions | null = null,
): Promise<ServerProcess> => {
  const { engine } = given.program.runs;
  const spec = { ...given, name: `countersign-${randomUUID()}` };
  const { name } = spec;
  const merged = mergeEnvironments(env, given.env);
  await demandSameImage(given.program, env);
  const hosts = reach && (await openHosts(reach.rules, reach.relay));
  const start = (args: readonly string[], variables: Environment): Promise<ServerProcess> =>
    startServer({ command: engine, args, env: variables, cwd: "/", sandbox: null });
  try {
    if (hosts) await prepareHosts(spec, hosts, env);
    const started = await (hosts
      ? start(["start", "--attach", "--interactive", "--sig-proxy=false", name], env)
      : start(["run", "--sig-proxy=false", ...buildContainerOptions(spec)], merged));
    void started.exited.then(() => hosts?.close());

    return {
      ...started,
      // The engine's command is not the container: it could end alone.
      kill: () => void removeContainer(engine, name, env).finally(() => started.kill("SIGKILL")),
    };
  } catch (error) {
    await hosts?.close();
    await removeContainer(engine, name, env);
    throw error;
  }
};
