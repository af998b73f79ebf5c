import { expect, test } from "vitest";
import { passes } from "@/lib/graph/judge-rules";
import type { JudgeRule } from "@/lib/graph/kinds/judge";
import type { Json } from "@/lib/json";

const WEB: JudgeRule = { type: "url", origins: ["https://good.com"], path: "/docs" };

const TABLE: readonly (readonly [JudgeRule, readonly Json[], readonly Json[]])[] = [
  [{ type: "enum", values: ["a"] }, ["a"], ["A", "a\u200b", "", null, ["a"]]],
  [{ type: "enum", values: [] }, [], ["", "a", null]],
  [{ type: "range", min: 1, max: 2 }, [1, 1.5, 2], [0.999, 2.001, "1", null, true]],
  [
    { type: "date", from: "2026-01-01", to: "2026-12-31" },
    ["2026-01-01", "2026-12-31"],
    ["2025-12-31", "2027-01-01", "2026-02-30", "2026-1-1", 2026, null],
  ],
  [{ type: "length", min: 1, max: 2 }, ["a", "😀😀", [1], [1, 2]], ["", "abc", [], [1, 2, 3], 1, null, { a: 1 }]],
  [{ type: "boolean", value: true }, [true], [false, "true", 1, null]],
  [{ type: "pattern", pattern: "[a-z]+" }, ["abc"], ["abc\n", "abc1", "1abc", "", "ABC", 1, null]],
  [{ type: "pattern", pattern: "a|ab" }, ["a", "ab"], ["abc", "xa"]],
  [{ type: "pattern", pattern: "(" }, [], ["(", "", "a"]],
  [{ type: "pattern", pattern: "(a+)+$" }, ["aaaa"], [`${"a".repeat(50_000)}!`]],
  [
    WEB,
    [
      "https://good.com/docs",
      "https://good.com/docs/a",
      "https://GOOD.com/docs/",
      "https://good.com:443/docs?x=1#y",
      "https://good.com/a/../docs",
    ],
    [
      "https://good.com/",
      "https://good.com/docs-evil",
      "https://good.com/docs/../admin",
      "https://good.com/docs/%2e%2e/admin",
      "https://good.com/docs/..%2fadmin",
      "https://good.com/docs/..;/admin",
      "https://good.com/docs/..%3Bx/admin",
      "https://good.com/docs/%2E%2E%5Cadmin",
      "https://good.com.evil.net/docs",
      "https://evil.net/docs?https://good.com/docs",
      "https://good.com@evil.net/docs",
      "https://evil.net\\@good.com/docs",
      "https://evil.net#@good.com/docs",
      "https://good.com:8443/docs",
      "http://good.com/docs",
      "https://good.com./docs",
      "https://xn--god-1na.com/docs",
      "https://gооd.com/docs",
      "https:good.com/docs",
      " https://good.com/docs",
      "https://good.com//evil.net/docs",
      "javascript://good.com/docs%0aalert(1)",
      1,
      null,
    ],
  ],
  [{ type: "url", origins: [], path: "/" }, [], ["https://good.com/"]],
  [{ type: "url", origins: ["good.com"], path: "/" }, [], ["https://good.com/"]],
  [
    { type: "path_under", root: "/srv/out" },
    ["/srv/out", "/srv/out/a", "a/b", "./a", "/srv/out/x/../y"],
    [
      "/srv/output",
      "/srv/out/../secret",
      "../secret",
      "a/../../secret",
      "/etc/passwd",
      "..",
      "..;/x",
      "a\\..\\b",
      "%2e%2e/x",
      "a//b",
      "",
      "a\u0000",
      "/",
      1,
      null,
    ],
  ],
  [
    { type: "mail_domain", domains: ["good.com"] },
    ["a@good.com", "a@GOOD.COM", "a@good.com.", "a.b@good.com"],
    [
      "a@evil.net",
      "a@good.com.evil.net",
      "a@sub.good.com",
      "a@good.com@evil.net",
      "a@evil.net@good.com",
      "a@good.com\r\n",
      "\u2028a@good.com",
      "a\u0000@good.com",
      "a@notgood.com",
      "good.com",
      "@good.com",
      "a@gооd.com",
      '"x@good.com"@evil.net',
      "a@good.com, b@evil.net",
      "a@good.com\nb@evil.net",
      1,
      null,
    ],
  ],
  [{ type: "mail_domain", domains: [] }, [], ["a@good.com"]],
];

test.each(TABLE)("the rule %o passes what it allows and nothing else", (rule, good, bad) => {
  for (const given of good) expect([given, passes(rule, given)]).toEqual([given, true]);
  for (const given of bad) expect([given, passes(rule, given)]).toEqual([given, false]);
});
