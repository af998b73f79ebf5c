import type { JudgeRule } from "@/lib/graph/kinds/judge";

const listed = (values: readonly string[]): string => values.map((value) => `“${value}”`).join(", ");

export const describeRule = (rule: JudgeRule): string => {
  switch (rule.type) {
    case "enum":
      return rule.values.length === 1 ? `is ${listed(rule.values)}` : `is one of ${listed(rule.values)}`;
    case "range":
      return `is a number from ${rule.min} to ${rule.max}`;
    case "date":
      return `is a date from ${rule.from} to ${rule.to}`;
    case "length":
      return `has ${rule.min} to ${rule.max} characters`;
    case "boolean":
      return `is ${rule.value}`;
    case "pattern":
      return `fully matches ${rule.pattern}`;
    case "url":
      return `is a URL on ${rule.origins.join(" or ")}${rule.path === "/" ? "" : `, at or below ${rule.path}`}`;
    case "path_under":
      return `is a path at or below ${rule.root}`;
    case "mail_domain":
      return `is an email address at exactly ${rule.domains.join(" or ")}`;
    default:
      return rule satisfies never;
  }
};
