import { z } from "zod";
import { field } from "@/lib/graph/field";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { resultField } from "@/lib/graph/kinds/fields";
import { answerAtPath, noChoice, none, nothing } from "@/lib/graph/kinds/parts";

/** Called with the memory that the node may read; its source is part of the version. */
export const codeConfigSchema = z.strictObject({
  language: field(z.enum(["typescript", "python"]).default("typescript"), {
    title: "Language",
    choices: { typescript: "TypeScript, without packages", python: "Python, without packages" },
  }),
  source: field(z.string().min(1).max(20_000), {
    title: "Function",
    description:
      "TypeScript exports it as default; Python calls it main. It gets the memory that the node may read as one object and returns the result. It reaches no network, file or environment.",
    widget: "code",
    rows: 12,
    initial: () => "export default (memory: Record<string, unknown>) => {\n  return memory;\n};\n",
  }),
  write_to: resultField(),
  timeout_ms: field(z.number().int().min(100).max(60_000).default(5_000), { title: "Ends after", unit: { name: "seconds", size: 1_000 } }),
});

export const codeKind = defineKind({
  title: "Code",
  about: "Computes a value with a short function",
  config: codeConfigSchema,
  work: "script",
  agents: none,
  tasks: none,
  links: [],
  reads: () => ({ paths: [] }),
  answer: answerAtPath,
  reports: none,
  rights: { reads: "grants", writes: "declared" },
  isolates: () => false,
  proposes: "updates",
  editable: true,
  worksOnItems: false,
  choice: noChoice,
  facts: nothing,
  // In full, so that a change of the source shows.
  powers: ({ language, source, timeout_ms: size }) => ({ may: { computes: [`with ${language}: ${source}`] }, most: { size } }),
});
