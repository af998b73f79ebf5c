import { wrapLanguageModel } from "ai";
import type { LanguageModelV4 } from "@ai-sdk/provider";

/** Renumbers calls: the SDK looks them up by id, so a repeated id would hide calls from the ledger. */
export const withUniqueCallIds = (model: LanguageModelV4): LanguageModelV4 =>
  wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: "v4",
      wrapGenerate: async ({ doGenerate }) => {
        const result = await doGenerate();
        const content = result.content.map((part, index) => (part.type === "tool-call" ? { ...part, toolCallId: `call_${index}` } : part));

        return { ...result, content };
      },
    },
  });
