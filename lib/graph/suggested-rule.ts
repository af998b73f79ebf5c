import type { ExtractValue } from "@/lib/graph/kinds/extract";
import type { JudgeRule } from "@/lib/graph/kinds/judge";

type RuleType = JudgeRule["type"];

const OF_TEXTS: readonly RuleType[] = ["enum", "length", "pattern", "url", "path_under", "mail_domain"];

const FITTING = {
  enum: ["enum", "length", "pattern"],
  integer: ["range"],
  number: ["range"],
  boolean: ["boolean"],
  date: ["date", "enum"],
  text: OF_TEXTS,
  url: ["url", "enum", "pattern"],
  email: ["mail_domain", "enum", "pattern"],
  path: ["path_under", "enum", "pattern"],
} as const satisfies Record<ExtractValue["type"], readonly RuleType[]>;

/** Lists rules that can pass, best first. */
export const listFittingRules = (field: ExtractValue["type"]): readonly RuleType[] => FITTING[field];

/** Creates a rule; allows nothing only the author knows. */
export const createRule = (type: RuleType, field: ExtractValue): JudgeRule => {
  switch (type) {
    case "enum":
      return { type, values: field.type === "enum" ? [...field.values] : [] };
    case "range":
      return field.type === "integer" || field.type === "number" ? { type, min: field.min, max: field.max } : { type, min: 0, max: 1 };
    case "date":
      return { type, from: "2000-01-01", to: "2099-12-31" };
    case "length":
      return { type, min: 1, max: field.type === "text" ? field.max_length : 200 };
    case "boolean":
      return { type, value: true };
    case "pattern":
      return { type, pattern: "[A-Za-z0-9 ]+" };
    case "url":
      return { type, origins: [], path: "/" };
    case "path_under":
      return { type, root: "files" };
    case "mail_domain":
      return { type, domains: [] };
    default:
      return type satisfies never;
  }
};

export const suggestRule = (field: ExtractValue): JudgeRule => createRule(FITTING[field.type][0], field);
