import { computeProgramDigest, type Program } from "./program";
import type { McpStatus } from "./status";
import type { McpTransport } from "./transport";

/** Live runners, and those with the confirmed program. */
export type ProgramPresence = {
  readonly runners: number;
  readonly having: number;
  readonly image?: string;
};

/** Counts runners that have a server's program; null: no program or reports. @param reports one per live runner */
export const findPresence = (transport: McpTransport | null, reports: readonly (readonly Program[])[]): ProgramPresence | null => {
  if (transport?.type !== "stdio" || reports.length === 0) return null;
  const { program, digest } = transport.manifest;
  const isIt = (offered: Program): boolean => offered.id === program && computeProgramDigest(offered) === digest;

  const runs = reports.flat().find(isIt)?.runs;

  return {
    runners: reports.length,
    having: reports.filter((programs) => programs.some(isIt)).length,
    ...(runs?.kind === "image" ? { image: runs.image } : {}),
  };
};

export const isGone = (presence: ProgramPresence | null): boolean => presence?.having === 0;

export type ShownStatus = McpStatus | "program_gone";

/** Returns the status to show: no active server lacks its program everywhere. */
export const toShownStatus = (status: McpStatus, presence: ProgramPresence | null): ShownStatus =>
  status === "active" && isGone(presence) ? "program_gone" : status;
