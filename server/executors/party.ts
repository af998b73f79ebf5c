import type { ExecutorInput } from "@/server/executors/contract";

/** Finds an agent that may speak in the node's name, with its rights there. */
export const findParty = ({ agents }: ExecutorInput, id: string | undefined) => agents.find(({ agent }) => agent.id === id);
