import { RE2JS } from "@bufbuild/re2";
import { parseWebAddress } from "@/lib/graph/extract-form";
import type { JudgeRule } from "@/lib/graph/kinds/judge";

/** Returns whether RE2 accepts a pattern. */
export const isPattern = (pattern: string): boolean => {
  try {
    return new RE2JS(pattern).test("") !== undefined;
  } catch {
    return false;
  }
};

/** Returns whether text is exactly an origin such as `https://example.org`. */
export const isOrigin = (text: string): boolean => parseWebAddress(text)?.origin === text;

export const isDomain = (text: string): boolean => /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i.test(text);

/** Explains why a rule passes nothing; null if it can. */
export const findRuleFault = (rule: JudgeRule): string | null => {
  switch (rule.type) {
    case "enum":
      return rule.values.length === 0 ? "allows no values. List the allowed values" : null;
    case "range":
    case "length":
      return rule.min > rule.max ? `has a minimum (${rule.min}) above its maximum (${rule.max})` : null;
    case "date":
      return rule.from > rule.to ? "starts after it ends" : null;
    case "url": {
      const wrong = rule.origins.find((origin) => !isOrigin(origin));
      if (rule.origins.length === 0) return "allows no origins. List the allowed origins";

      return wrong === undefined ? null : `lists ${wrong}, which is not an origin like https://example.org`;
    }
    case "mail_domain": {
      const wrong = rule.domains.find((domain) => !isDomain(domain));
      if (rule.domains.length === 0) return "allows no domains. List the allowed domains";

      return wrong === undefined ? null : `lists ${wrong}, which is not a domain like example.org`;
    }
    case "pattern":
    case "boolean":
    case "path_under":
      return null;
    default:
      return rule satisfies never;
  }
};

/** Repairs an unambiguous fault; null otherwise. */
export const mendRule = (rule: JudgeRule): { readonly rule: JudgeRule; readonly title: string } | null => {
  switch (rule.type) {
    case "range":
    case "length":
      return { rule: { ...rule, min: rule.max, max: rule.min }, title: "Swap minimum and maximum" };
    case "date":
      return { rule: { ...rule, from: rule.to, to: rule.from }, title: "Swap start and end" };
    case "url": {
      const origins = rule.origins.filter(isOrigin);

      return origins.length === 0 ? null : { rule: { ...rule, origins }, title: "Keep valid origins" };
    }
    case "mail_domain": {
      const domains = rule.domains.filter(isDomain);

      return domains.length === 0 ? null : { rule: { ...rule, domains }, title: "Keep valid domains" };
    }
    case "enum":
    case "pattern":
    case "boolean":
    case "path_under":
      return null;
    default:
      return rule satisfies never;
  }
};
