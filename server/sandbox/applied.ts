import type { SandboxPolicy } from "./policy.ts";

/** As in lib/mcp/isolation, which the start cannot load. */
type AppliedLayer = "files" | "network" | "ports" | "memory" | "signals" | "processes" | "privileges" | "namespace" | "identity";

/** Lists layers of a policy, as far as the machine supports them. */
export const listAppliedLayers = ({ read, network, processes, namespace, user }: SandboxPolicy): readonly AppliedLayer[] => {
  const hasNone = network.connect !== "any" && network.connect.length === 0 && !network.datagrams;
  const layers: Readonly<Record<AppliedLayer, boolean>> = {
    files: !read.includes("/"),
    network: hasNone,
    ports: network.connect !== "any" && !hasNone,
    memory: true,
    signals: true,
    processes: !processes,
    privileges: true,
    namespace: namespace ?? false,
    identity: user !== undefined,
  };

  return (Object.keys(layers) as AppliedLayer[]).filter((layer) => layers[layer]);
};
