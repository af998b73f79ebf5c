import { variablesSchema, type Variables } from "@/lib/environments/variables";
import { findAside, getKnownValue, type RunState } from "@/lib/engine/state";

export const ENV_PATH = "$env";

export const getVariables = (state: RunState): Variables =>
  variablesSchema.safeParse(getKnownValue(findAside(state, ENV_PATH).at(-1))).data ?? {};
