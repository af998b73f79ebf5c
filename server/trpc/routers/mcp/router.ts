import { router } from "@/server/trpc/init";
import { mcpCommand } from "./command";
import { mcpGet } from "./get";
import { mcpList } from "./list";
import { mcpReach } from "./reach";
import { mcpUsage } from "./usage";

export const mcpRouter = router({ command: mcpCommand, get: mcpGet, list: mcpList, reach: mcpReach, usage: mcpUsage });
