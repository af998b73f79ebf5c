import fc from "fast-check";
import { expect, test } from "vitest";
import { explainAccess, type Account, type AskedFor } from "./permission-reasons";
import { SEPARATED_DUTIES } from "./permission-texts";
import { isAllowed, PERMISSIONS, roleSchema, type Permission } from "./roles";

const permissions = Object.keys(PERMISSIONS) as Permission[];
const accountArb: fc.Arbitrary<Account> = fc.record({
  role: fc.option(fc.constantFrom(...roleSchema.options)),
  auditor: fc.boolean(),
  disabled: fc.boolean(),
});
const askedArb: fc.Arbitrary<AskedFor> = fc.record({
  access: fc.constantFrom(...permissions, "public" as const),
  fresh: fc.constantFrom("always", "sometimes", "never"),
});

const codesOf = (asked: AskedFor, account: Account) => explainAccess(asked, account).reasons.map(({ code }) => code);

test("denies whom the permission table denies, disabled people and non-members", () => {
  fc.assert(
    fc.property(askedArb, accountArb, (asked, account) => {
      const { role, auditor, disabled } = account;
      const isOpen = asked.access === "public" || (!disabled && role !== null && isAllowed(role, asked.access, auditor));
      fc.pre(!isOpen);

      expect(explainAccess(asked, account).verdict).toBe("no");
    }),
    { numRuns: 2_000 },
  );
});

test("allows whom the permission table allows; only shredding also needs the add-on", () => {
  fc.assert(
    fc.property(askedArb, accountArb, (asked, account) => {
      const { role, auditor, disabled } = account;
      fc.pre(asked.access !== "public" && !disabled && role !== null && isAllowed(role, asked.access, auditor));
      const needsAddOn = asked.access === "cell.shred" && !auditor;

      expect(explainAccess(asked, account).verdict).toBe(needsAddOn ? "no" : asked.fresh === "always" ? "when_proved" : "yes");
    }),
    { numRuns: 2_000 },
  );
});

test("gives at least one reason, each a distinct sentence", () => {
  fc.assert(
    fc.property(askedArb, accountArb, (asked, account) => {
      const { reasons } = explainAccess(asked, account);

      expect(reasons.length).toBeGreaterThan(0);
      expect(new Set(reasons.map(({ text }) => text)).size).toBe(reasons.length);
      for (const { text } of reasons) expect(text).toMatch(/^[A-Z].*\.$/u);
    }),
  );
});

test("mentions a fresh proof exactly where the answer depends on it", () => {
  fc.assert(
    fc.property(askedArb, accountArb, (asked, account) => {
      const { verdict, reasons } = explainAccess(asked, account);

      expect(reasons.some(({ code }) => code === "prove_again")).toBe(verdict === "when_proved");
    }),
  );
});

test("reports disabled accounts first", () => {
  expect(codesOf({ access: "approval.decide", fresh: "always" }, { role: "admin", auditor: true, disabled: true })).toEqual(["disabled"]);
});

test("tells an admin which duties are separated when asked about approving", () => {
  expect(codesOf({ access: "approval.decide", fresh: "never" }, { role: "admin", auditor: false, disabled: false })).toEqual([
    "no_role",
    "separate_duties",
  ]);
});

test("does not attribute an add-on's permission to the role", () => {
  expect(codesOf({ access: "ledger.export", fresh: "never" }, { role: "viewer", auditor: true, disabled: false })).toEqual(["by_add_on"]);
});

test("separates duties only from roles without the permission", () => {
  const entries = permissions.flatMap((permission) =>
    roleSchema.options.flatMap((role) => (SEPARATED_DUTIES[permission]?.[role] === undefined ? [] : [{ permission, role }])),
  );

  expect(entries.filter(({ permission, role }) => isAllowed(role, permission))).toEqual([]);
  expect(entries.length).toBeGreaterThan(0);
});
