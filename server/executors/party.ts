import type { ExecutorInput } from "@/server/executors/contract";

/** An agent that may speak in the node's name, with what it may read and call there. */
export const partyNamed = ({ agents }: ExecutorInput, id: string | undefined) => agents.find(({ agent }) => agent.id === id);
