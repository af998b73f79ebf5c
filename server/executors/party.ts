import type { ExecutorInput } from "@/server/executors/contract";

/** Finds an agent that may speak in the node's name. */
export const findParty = ({ agents }: ExecutorInput, id: string | undefined) => agents.find(({ agent }) => agent.id === id);
