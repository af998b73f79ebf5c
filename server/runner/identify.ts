/** Who asks: the person or outside agent that sealed a command, as the signed records have them at this moment. */
import type { Principal } from "@/lib/engine/principal";
import type { RefusalCode } from "@/lib/refusal";
import type { ReadAsked } from "@/server/mcp/registry-worker";
import { openCommand, type OpenedCommand } from "@/server/runner/open-command";
import type { RunnerDeps } from "@/server/runner/deps";
import { AuthorityUnverified, ProjectionMismatch, type AuthorityReader } from "@/server/store/authority";
import type { PendingCommand } from "@/server/store/commands";
import { agentPrincipal, attemptingAgent, isDemo, isSessionOpen, userPrincipal } from "@/server/store/principals";

type Deps = Pick<RunnerDeps, "authority" | "clock">;

/** A principal, or why the command counts for nothing; null: nobody who could ask this. */
export type Identified = Principal | RefusalCode | null;

export const codeOf = (error: unknown): RefusalCode => {
  if (error instanceof ProjectionMismatch) return "projection_mismatch";
  if (error instanceof AuthorityUnverified) return "authority_unverified";
  throw error;
};

/** Runs a check and returns the code when rows and signed records disagree. */
export const unlessUnproved = <T>(check: Promise<T>): Promise<T | RefusalCode> => check.catch(codeOf);

const identifyUser = async (
  authority: AuthorityReader,
  { workspaceId, session }: OpenedCommand,
  userId: string,
  atMs: number,
): Promise<Identified> => {
  const user = await userPrincipal(authority, workspaceId, userId);
  if (!user) return null;
  const isHere = session === null ? await isDemo(authority, workspaceId) : await isSessionOpen(session, userId, atMs);

  return isHere ? user : "session_over";
};

/** Identifies the sender of a command about a run: agents only for a run that they drive. */
export const identify = ({ authority, clock }: Deps, command: OpenedCommand): Promise<Identified> => {
  const { author, workspaceId, runId } = command;
  const atMs = clock.now();

  return unlessUnproved(
    "userId" in author
      ? identifyUser(authority, command, author.userId, atMs)
      : agentPrincipal(authority, workspaceId, author.tokenId, author.sessionId, runId, atMs),
  );
};

/** Identifies who attempted something, whatever they may do. */
export const identifyAttempt = ({ authority, clock }: Deps, command: OpenedCommand): Promise<Identified> => {
  const { author, workspaceId } = command;

  return unlessUnproved(
    "userId" in author
      ? identifyUser(authority, command, author.userId, clock.now())
      : attemptingAgent(authority, workspaceId, author.tokenId, author.sessionId),
  );
};

/** Reads a command that only a person sends: who they are now, and what they ask for. */
export const readAskedByUser =
  (deps: Pick<RunnerDeps, "authority" | "clock" | "vault">): ((command: PendingCommand, place?: string) => ReturnType<ReadAsked>) =>
  async (command, place) => {
    const opened = openCommand(deps, command, place);
    if (typeof opened === "string") return opened;
    const by = await identifyAttempt(deps, opened);
    if (typeof by === "string") return by;

    return by?.type === "user" ? { by, body: opened.body } : "principal_not_allowed";
  };

export const isPrincipal = (identified: Identified): identified is Principal => typeof identified === "object" && identified !== null;
