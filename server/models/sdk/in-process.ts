import { systemClock, type Clock } from "@/server/clock";
import type { Models } from "@/server/models/contract";
import type { ModelKeys } from "@/server/models/providers";
import { listInstallationEntries, toModels } from "@/server/models/registry";
import { createModelCaller } from "./language-models";

export const createModels = (keys: ModelKeys, clock: Clock = systemClock): Models =>
  toModels({ entries: listInstallationEntries(keys), refused: () => null, clock, call: createModelCaller().call });
