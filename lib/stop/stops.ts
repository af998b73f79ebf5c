/** Stop switches, in signed records alone, so that no row can turn one. */
import type { HexDigest } from "@/lib/hash";
import { digestOf } from "@/lib/hash";
import { digestInForce, type WorkspaceAuthority } from "@/lib/engine/ledger/workspace-authority";
import type { Principal } from "@/lib/engine/principal";
import type { RefusalCode } from "@/lib/refusal";
import { isAllowed } from "@/lib/roles";
import type { StopCommand } from "./command";

export const STOPPED: HexDigest = digestOf("settings", { work: "stopped" });

/** Subject of the operator's switch; an admin's has the workspace. */
export const OPERATOR_SWITCH = "operator";

export type Stops = { readonly byAdmin: boolean; readonly byOperator: boolean };

export const readStops = (authority: WorkspaceAuthority): Stops => ({
  byAdmin: digestInForce(authority, "stops", authority.workspace) !== null,
  byOperator: digestInForce(authority, "stops", OPERATOR_SWITCH) !== null,
});

export const isStopped = ({ byAdmin, byOperator }: Stops): boolean => byAdmin || byOperator;

export const stepOf = (isStop: boolean): string => (isStop ? "stopped" : "resumed");

/** Decides an admin's command. @returns whether work is stopped, or why not */
export const decideStop = (by: Principal | null, { kind }: StopCommand, stops: Stops): boolean | RefusalCode => {
  if (by?.type !== "user" || !isAllowed(by.role, "work.stop")) return "principal_not_allowed";
  const isStop = kind === "work_stop";

  return isStop === stops.byAdmin ? "step_refused" : isStop;
};
