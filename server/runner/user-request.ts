import { FRESH_MS, getRegistryProofMs } from "@/lib/people/fresh-proof";
import type { ReadAsked } from "@/server/mcp/registry-worker";
import { raiseForged } from "@/server/runner/alarms";
import type { RunnerDeps } from "@/server/runner/deps";
import { identifyAttempt } from "@/server/runner/identify";
import { openCommand } from "@/server/runner/open-command";
import type { PendingCommand } from "@/server/store/runs/commands";

type Deps = Pick<RunnerDeps, "authority" | "clock" | "publicKeys" | "vault">;

const readAsked = async (deps: Deps, command: PendingCommand, place?: string): ReturnType<ReadAsked> => {
  const opened = openCommand(deps, command, place);
  if (typeof opened === "string") return opened;
  const proofMs = command.kind === "console" ? FRESH_MS : getRegistryProofMs(opened.body);
  const by = await identifyAttempt(deps, opened, proofMs);
  if (typeof by === "string") return by;

  return by?.type === "user" ? { by, body: opened.body } : "principal_not_allowed";
};

/** Reads a person's command with its sender's current identity. */
export const readAskedByUser =
  (deps: Deps): ((command: PendingCommand, place?: string) => ReturnType<ReadAsked>) =>
  async (command, place) => {
    const asked = await readAsked(deps, command, place);

    if (asked === "command_forged") await raiseForged(deps, command);

    return asked;
  };
