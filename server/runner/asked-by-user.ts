/** What a person asks of the registry of MCP servers or of its console. */
import { FRESH_MS, registryProofMs } from "@/lib/people/fresh-proof";
import type { ReadAsked } from "@/server/mcp/registry-worker";
import { raiseForged } from "@/server/runner/alarms";
import type { RunnerDeps } from "@/server/runner/deps";
import { identifyAttempt } from "@/server/runner/identify";
import { openCommand } from "@/server/runner/open-command";
import type { PendingCommand } from "@/server/store/runs/commands";

type Deps = Pick<RunnerDeps, "authority" | "clock" | "vault">;

const readAsked = async (deps: Deps, command: PendingCommand, place?: string): ReturnType<ReadAsked> => {
  const opened = openCommand(deps, command, place);
  if (typeof opened === "string") return opened;
  const proofMs = command.kind === "console" ? FRESH_MS : registryProofMs(opened.body);
  const by = await identifyAttempt(deps, opened, proofMs);
  if (typeof by === "string") return by;

  return by?.type === "user" ? { by, body: opened.body } : "principal_not_allowed";
};

/** Reads a command that only a person sends: who they are now, and what they ask for. */
export const readAskedByUser =
  (deps: Deps): ((command: PendingCommand, place?: string) => ReturnType<ReadAsked>) =>
  async (command, place) => {
    const asked = await readAsked(deps, command, place);

    if (asked === "command_forged") await raiseForged(deps, command);

    return asked;
  };
