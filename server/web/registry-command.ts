/** Commands to the MCP registry: sealed here, carried out by the runner. */
import { workspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import type { RegistryCommand } from "@/lib/mcp/registry-command";
import { systemClock } from "@/server/clock";
import { plainBody, sealEnvelope, type Sender } from "@/server/store/runs/command-envelope";
import { insertRegistryCommand } from "@/server/store/mcp/registry-commands";
import { webVault } from "./web-vault";

/** Stores a command for the runner. */
export const sendRegistryCommand = (
  workspaceId: string,
  id: string,
  author: Extract<Sender, { type: "user" }>,
  command: RegistryCommand,
): Promise<void> =>
  insertRegistryCommand(workspaceId, {
    id,
    userId: author.id,
    body: sealEnvelope(webVault(), {
      workspaceId,
      place: id,
      runId: workspaceLedgerId(workspaceId),
      author,
      sentAt: systemClock.now(),
      body: plainBody(command),
    }),
  });
