import { router } from "@/server/trpc/init";
import { mcpCommand } from "./command";
import { mcpConsole, mcpConsoleAnswer } from "./console";
import { mcpGet } from "./get";
import { mcpImpact } from "./impact";
import { mcpList } from "./list";
import { mcpPrograms } from "./programs";
import { mcpReach } from "./reach";
import { mcpUsage } from "./usage";

export const mcpRouter = router({
  command: mcpCommand,
  console: mcpConsole,
  consoleAnswer: mcpConsoleAnswer,
  get: mcpGet,
  impact: mcpImpact,
  list: mcpList,
  programs: mcpPrograms,
  reach: mcpReach,
  usage: mcpUsage,
});
