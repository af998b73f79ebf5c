import { router } from "@/server/trpc/init";
import { agentList } from "./list";
import { agentSave } from "./save";
import { agentUsage } from "./usage";

export const agentsRouter = router({ list: agentList, save: agentSave, usage: agentUsage });
