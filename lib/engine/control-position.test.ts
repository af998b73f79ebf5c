import { describe, expect, test } from "vitest";
import { isUntrustedControl } from "@/lib/engine/control-position";

const line = (path: string, changes: Partial<Parameters<typeof isUntrustedControl>[0]> = {}) =>
  ({ path, op: "call", integrity: "untrusted", ...changes }) as const;

describe("an untrusted value that steers", () => {
  test.each([
    "mail.send.to",
    "customers.update_plan.customer_id",
    "x.creditCents",
    "x.target_user_id",
    "x.file-path",
    "x.webhookUrl",
    "is_admin",
  ])("is pointed out at %s", (path) => {
    expect(isUntrustedControl(line(path))).toBe(true);
  });

  test.each(["x.reason", "x.summary", "x.totally", "x.tomato"])("is not seen in %s", (path) => {
    expect(isUntrustedControl(line(path))).toBe(false);
  });

  test("is neither one that merely stands there nor one that somebody trusted wrote", () => {
    expect(isUntrustedControl(line("x.amount", { op: "show" }))).toBe(false);
    expect(isUntrustedControl(line("x.amount", { integrity: "reviewed" }))).toBe(false);
  });
});
