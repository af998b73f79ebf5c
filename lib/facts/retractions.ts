/** Retracted facts, in signed records alone. */
import { digestInForce, getSettingsKey, type WorkspaceAuthority } from "@/lib/engine/ledger/workspace-authority";
import type { Principal } from "@/lib/engine/principal";
import { digestOf, type HexDigest } from "@/lib/hash";
import type { RefusalCode } from "@/lib/refusal";
import { isAllowed } from "@/lib/roles";
import type { FactPlace } from "./command";

export const RETRACTED: HexDigest = digestOf("settings", { fact: "retracted" });

export const getFactSubject = ({ run, seq, index }: FactPlace): string => `${run.toLowerCase()}/${seq}/${index}`;

const PREFIX = getSettingsKey("facts", "");

export const listRetracted = ({ settings }: WorkspaceAuthority): readonly string[] =>
  Array.from(settings.keys()).flatMap((key) => (key.startsWith(PREFIX) ? [key.slice(PREFIX.length)] : []));

/** @returns why not, or null */
export const decideRetraction = (
  by: Principal | null,
  place: FactPlace,
  isFact: boolean,
  authority: WorkspaceAuthority,
): RefusalCode | null => {
  if (by?.type !== "user" || !isAllowed(by.role, "fact.retract")) return "principal_not_allowed";

  return isFact && digestInForce(authority, "facts", getFactSubject(place)) === null ? null : "step_refused";
};
