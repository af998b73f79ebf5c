import { variablesSchema, type Variables } from "@/lib/environments/variables";
import { oncePer } from "@/lib/once-per";
import { findAside, getKnownValue, type Cell, type RunState } from "@/lib/engine/state";

export const ENV_PATH = "$env";

const NONE: Variables = {};

const variablesOf = oncePer((cell: Cell): Variables => variablesSchema.safeParse(getKnownValue(cell)).data ?? NONE);

export const getVariables = (state: RunState): Variables => {
  const cell = findAside(state, ENV_PATH).at(-1);

  return cell ? variablesOf(cell) : NONE;
};
