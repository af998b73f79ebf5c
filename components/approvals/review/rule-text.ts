import type { JudgeRule } from "@/lib/graph/nodes/judge";

const listed = (values: readonly string[]): string => values.map((value) => `“${value}”`).join(", ");

/** A judge's rule in words. */
export const ruleText = (rule: JudgeRule): string => {
  switch (rule.type) {
    case "enum":
      return rule.values.length === 1 ? `is ${listed(rule.values)}` : `is one of ${listed(rule.values)}`;
    case "range":
      return `is a number from ${rule.min} to ${rule.max}`;
    case "date":
      return `is a day from ${rule.from} to ${rule.to}`;
    case "length":
      return `has ${rule.min} to ${rule.max} characters`;
    case "boolean":
      return `is ${rule.value}`;
    case "pattern":
      return `matches ${rule.pattern} as a whole`;
    case "url":
      return `is an address of ${rule.origins.join(" or ")}${rule.path === "/" ? "" : `, at or below ${rule.path}`}`;
    case "path_under":
      return `is a path at or below ${rule.root}`;
    case "mail_domain":
      return `is a mail address of ${rule.domains.join(" or ")}, exactly`;
    default:
      return rule satisfies never;
  }
};
