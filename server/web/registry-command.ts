import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import type { RegistryCommand } from "@/lib/mcp/registry-command";
import { systemClock } from "@/server/clock";
import { toPlainBody, sealEnvelope, type Sender } from "@/server/store/runs/command-envelope";
import { insertRegistryCommand } from "@/server/store/mcp/registry-commands";
import { getWebVault } from "./web-vault";

export const sendRegistryCommand = (
  workspaceId: string,
  id: string,
  author: Extract<Sender, { type: "user" }>,
  command: RegistryCommand,
): Promise<void> =>
  insertRegistryCommand(workspaceId, {
    id,
    userId: author.id,
    body: sealEnvelope(getWebVault(), {
      workspaceId,
      place: id,
      runId: getWorkspaceLedgerId(workspaceId),
      author,
      sentAt: systemClock.now(),
      body: toPlainBody(command),
    }),
  });
