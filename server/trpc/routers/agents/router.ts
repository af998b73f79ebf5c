import { router } from "@/server/trpc/init";
import { agentList } from "./list";
import { agentSave } from "./save";

export const agentsRouter = router({ list: agentList, save: agentSave });
