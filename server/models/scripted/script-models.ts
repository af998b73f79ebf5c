/** The port to models for a run by script: whatever model an agent names, the script speaks. */
import type { Clock } from "@/server/clock";
import type { Models } from "@/server/models/contract";
import { generateOnce } from "@/server/models/generate";
import type { Entry } from "@/server/models/providers";
import { worstCaseTokens } from "@/server/models/usage";
import type { Script } from "./script";
import { ScriptedModel } from "./model";
import { scriptPersona } from "./script-persona";

/** What a run by script is started with. */
export const SCRIPT_MODEL_ID = "scripted:script";

export const scriptModels = (script: Script, clock: Clock): Models => {
  const entry: Entry = {
    info: { id: SCRIPT_MODEL_ID, label: "Scripted: a file", provider: "scripted", scripted: true },
    modelId: "script",
    model: new ScriptedModel("script", scriptPersona(script)),
    tariff: { free: "scripted" },
  };

  return {
    list: () => [
      { ...entry.info, rates: { input_usd_per_million: 0, output_usd_per_million: 0, source: "scripted", read_at: clock.now() } },
    ],
    estimate: (request) => {
      const { input, output } = worstCaseTokens(request);

      return { tokens: input + output, cost_micro_usd: 0 };
    },
    generate: (request, signal) => generateOnce(entry, request, signal, () => clock.now()),
  };
};
