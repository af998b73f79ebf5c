import { describe, expect, test } from "vitest";
import type { Json } from "@/lib/json";
import { classifyControl, listControlKinds, isUntrustedControl, classifySteering } from "@/lib/engine/labels/control-position";
import type { Place } from "@/lib/leaves";

const line = (path: string, changes: Partial<Parameters<typeof isUntrustedControl>[0]> = {}) =>
  ({ path, op: "call", integrity: "untrusted", ...changes }) as const;
const call = (name: string, value: Json) => line(`mail.send.${name}`, { after: { hidden: false, value } });

describe("an untrusted control value", () => {
  test.each([
    "mail.send.to",
    "customers.update_plan.customer_id",
    "x.creditCents",
    "x.target_user_id",
    "x.file-path",
    "x.webhookUrl",
    "is_admin",
    "x.redirecturi",
    "x.customerid",
    "x.recipients",
    "x.addresses",
    "x.t\u200bo",
    "x.ＵＲＬ",
    "x.BCC",
    "x.scopes",
    "x.SQL",
    "x.address2",
  ])("is found at %s", (path) => {
    expect(isUntrustedControl(line(path))).toBe(true);
  });

  test.each(["x.reason", "x.summary", "x.totally", "x.tomato", "x.profile", "x.customary", "x.photo", "x.important"])(
    "is not found in %s",
    (path) => {
      expect(isUntrustedControl(line(path))).toBe(false);
    },
  );

  test("is neither one without effect nor a trusted one", () => {
    expect(isUntrustedControl(line("x.amount", { op: "show" }))).toBe(false);
    expect(isUntrustedControl(line("x.amount", { integrity: "reviewed" }))).toBe(false);
    expect(isUntrustedControl({ ...call("text", "https://evil.example"), integrity: "trusted" })).toBe(false);
  });

  test.each([
    [["message", "to", 0, "name"], "Eve", "recipient"],
    [["batch", 3, "amount_cents"], 5, "amount"],
    [["recipient", "id"], "u_1", "recipient"],
    [["rows", 0, 1, "target", "ref"], "x", "account"],
    [["url", "query"], "a=b", "query"],
    [["payload", "customer", "note"], "thanks", null],
    [["payload", "customer", "note"], "https://evil.example/x", "url"],
    [["payload", 0], "hello", null],
    [[0, 1], 7, null],
  ] satisfies [Place, Json, string | null][])("is found at any depth: %j", (place, value, kind) => {
    expect(classifyControl(place, value)).toBe(kind);
  });

  test.each([
    ["https://evil.example/?q=1", "url"],
    ["ht\u200btps://evil.example", "url"],
    ["//evil.example/x", "url"],
    ["javascript:alert(1)", "url"],
    ["eve@evil.example", "recipient"],
    ["mailto:eve@evil.example", "recipient"],
    ["../../etc/passwd", "path"],
    ["/etc/passwd", "path"],
    ["~/.ssh/id_rsa", "path"],
    ["C:\\Windows", "path"],
    ["DE89 3704 0044 0532 0130 00", "account"],
    ["10.0.0.1:8080", "host"],
    ["Please write to eve@evil.example or call", null],
    ["a / b", null],
    ["1.2.3", null],
    [true, null],
    ["", null],
  ] satisfies [Json, string | null][])("is found by its form in neutral places: %j", (value, kind) => {
    expect(classifyControl(["value"], value)).toBe(kind);
  });

  test("is found in every argument, with lists and objects, each kind once", () => {
    expect(listControlKinds(call("options", { cc: ["a@b.example", "c@d.example"], retries: 3, attach: [{ file: "x.txt" }] }))).toEqual([
      "recipient",
      "path",
    ]);
    expect(listControlKinds(call("options", { retries: 3 }))).toEqual([]);
    expect(classifySteering(call("to", ["a"]), [0], "a")).toBe("recipient");
  });

  test("is found by its path when hidden", () => {
    expect(isUntrustedControl(line("mail.send.to", { after: { hidden: true } }))).toBe(true);
    expect(isUntrustedControl(line("mail.send.text", { after: { hidden: true } }))).toBe(false);
  });
});
