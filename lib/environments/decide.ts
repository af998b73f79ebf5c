import type { Principal } from "@/lib/engine/principal";
import type { EnvironmentCommand } from "@/lib/environments/command";
import type { EnvironmentFold } from "@/lib/environments/environment-fold";
import type { HexDigest } from "@/lib/hash";
import { toCanonicalJson } from "@/lib/json";
import type { RefusalCode } from "@/lib/refusal";
import { isAllowed } from "@/lib/roles";

export type EnvironmentFacts = {
  readonly fold: EnvironmentFold;
  readonly before: HexDigest | null;
};

const isRepeated = (texts: readonly string[]): boolean => new Set(texts.map((text) => text.toLowerCase())).size < texts.length;

export const decideEnvironments = (by: Principal, command: EnvironmentCommand, { fold, before }: EnvironmentFacts): RefusalCode | null => {
  if (by.type !== "user" || !isAllowed(by.role, "people.manage")) return "principal_not_allowed";
  if (command.kind === "environment_variables") {
    const isKnown = fold.list.some(({ id }) => id === command.environment);

    return isKnown && command.was === before ? null : "environment_changed";
  }
  const { was, environments } = command;
  if (toCanonicalJson(was) !== toCanonicalJson([...fold.list])) return "environment_changed";
  const isUnclear = isRepeated(environments.map(({ id }) => id)) || isRepeated(environments.map(({ title }) => title));

  return isUnclear ? "environment_name_taken" : null;
};
