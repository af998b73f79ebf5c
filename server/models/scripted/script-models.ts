import type { Clock } from "@/server/clock";
import type { Models } from "@/server/models/contract";
import { measureCall } from "@/server/models/measured";
import { askModel } from "@/server/models/sdk/call";
import { estimateWorstCaseTokens } from "@/server/models/usage";
import type { Script } from "./script";
import { ScriptedModel } from "./model";
import { createScriptPersona } from "./script-persona";

export const SCRIPT_MODEL_ID = "scripted:script";

const INFO = { id: SCRIPT_MODEL_ID, label: "Scripted: a file", provider: "scripted", scripted: true } as const;
const FREE = { cost_micro_usd: 0, price_source: "scripted" } as const;

/** Creates models in this process: a script advances with every call. */
export const createScriptModels = (script: Script, clock: Clock): Models => {
  const model = new ScriptedModel("script", createScriptPersona(script));

  return {
    list: () => [{ ...INFO, rates: { input_usd_per_million: 0, output_usd_per_million: 0, source: "scripted", read_at: clock.now() } }],
    estimate: (request) => {
      const { input, output } = estimateWorstCaseTokens(request);

      return { tokens: input + output, cost_micro_usd: 0 };
    },
    contextTokens: () => null,
    generate: (request, signal) =>
      measureCall({ info: INFO, modelId: "script", provider: null }, request, async () => {
        const { text, tool_calls, tokens } = await askModel(model, request, signal);

        return { text, tool_calls, usage: { model: INFO.id, input_tokens: tokens.input, output_tokens: tokens.output, ...FREE } };
      }),
  };
};
