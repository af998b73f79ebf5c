/** Models that are called from this very process: for the command line's runs, tests and benches. */
import { systemClock, type Clock } from "@/server/clock";
import type { Models } from "@/server/models/contract";
import type { ModelKeys } from "@/server/models/providers";
import { installationEntries, modelsOf } from "@/server/models/registry";
import { createModelCaller } from "./language-models";

/** The installation's models, by what its environment says. */
export const createModels = (keys: ModelKeys, clock: Clock = systemClock): Models =>
  modelsOf({ entries: installationEntries(keys), refused: () => null, clock, call: createModelCaller().call });
