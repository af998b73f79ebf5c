import { procedure } from "@/server/trpc/init";
import { registryContext } from "./registry-context";

/** The agents and pinned tools that nodes may name. */
export const graphCatalog = procedure("graph.read").query(({ ctx }) => registryContext(ctx.workspaceId));
