import { describe, expect, test } from "vitest";
import { browserCommandSchema, computeBrowserDigest, decideBrowser, MOST_BROWSERS, type BrowserCommand } from "./browser";

const SUBSCRIPTION = { endpoint: "https://push.example.com/a", p256dh: `B${"a".repeat(86)}`, auth: "a".repeat(22) };
const add = { kind: "browser_add", name: "Firefox on Linux", ...SUBSCRIPTION } as const;
const remove = { kind: "browser_remove", id: "0".repeat(64) } as const;
const me = { type: "user", id: "00000000-0000-4000-8000-000000000001", role: "reviewer" } as never;
const STANDING = { before: null, count: 0, mayReach: true };

const decide = (asked: BrowserCommand, standing: Partial<Parameters<typeof decideBrowser>[2]> = {}, by = me) =>
  decideBrowser(by, asked, { ...STANDING, ...standing });

describe("a browser", () => {
  test("is added by its member, or replaced, with a digest over everything that a message depends on", () => {
    expect(decide(add)).toEqual({ after: computeBrowserDigest(add) });
    expect(decide(add, { before: "1".repeat(64), count: MOST_BROWSERS })).toEqual({ after: computeBrowserDigest(add) });
    for (const changed of [
      { endpoint: "https://push.example.com/b" },
      { auth: "b".repeat(22) },
      { p256dh: `B${"b".repeat(86)}` },
      { name: "x" },
    ]) {
      expect(computeBrowserDigest({ ...add, ...changed })).not.toBe(computeBrowserDigest(add));
    }
  });

  test("is refused to others, beyond the bound, and for an address that nothing may be sent to", () => {
    expect(decide(add, {}, { type: "agent" } as never)).toBe("principal_not_allowed");
    expect(decideBrowser(null, add, STANDING)).toBe("principal_not_allowed");
    expect(decide(add, { count: MOST_BROWSERS })).toBe("step_refused");
    expect(decide(add, { mayReach: false })).toBe("step_refused");
  });

  test("is removed once", () => {
    expect(decide(remove, { before: "1".repeat(64), mayReach: false })).toEqual({ after: null });
    expect(decide(remove)).toBe("step_refused");
  });

  test.each([{ p256dh: `A${"a".repeat(86)}` }, { auth: "short" }, { endpoint: "not an address" }, { name: "\u202e" }])(
    "has keys of the right form: %o",
    (changed) => {
      expect(browserCommandSchema.safeParse({ ...add, ...changed }).success).toBe(false);
    },
  );
});
