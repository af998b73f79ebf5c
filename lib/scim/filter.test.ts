import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { ScimError } from "./error";
import { parseFilter, parsePath } from "./filter";
import { readGroup, readGroupPatch } from "./group";
import { patchUser, readUser } from "./user";

const faultOf = (work: () => unknown): string | null => {
  try {
    work();

    return null;
  } catch (error) {
    if (!(error instanceof ScimError)) throw error;

    return error.scimType;
  }
};

describe("filters", () => {
  it.each([
    ['userName eq "ada@example.com"', [{ path: "username", value: "ada@example.com" }]],
    ['  USERNAME  EQ "a \\"b\\""  ', [{ path: "username", value: 'a "b"' }]],
    [
      'id eq "1" and members eq "2"',
      [
        { path: "id", value: "1" },
        { path: "members", value: "2" },
      ],
    ],
    [
      'emails[type eq "work"].value eq "a@b.c"',
      [
        { path: "emails.type", value: "work" },
        { path: "emails.value", value: "a@b.c" },
      ],
    ],
    [
      'emails[type eq "work" and value eq "a@b.c"]',
      [
        { path: "emails.type", value: "work" },
        { path: "emails.value", value: "a@b.c" },
      ],
    ],
    [
      '(externalId eq "x") and (active eq True)',
      [
        { path: "externalid", value: "x" },
        { path: "active", value: true },
      ],
    ],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "x"', [{ path: "username", value: "x" }]],
    ['displayName eq "and or eq ] )"', [{ path: "displayname", value: "and or eq ] )" }]],
  ])("reads %s", (text, terms) => {
    expect(parseFilter(text)).toEqual(terms);
  });

  it.each([
    "",
    "userName",
    "userName eq",
    'userName eq "x',
    'userName co "x"',
    'userName eq "x" or userName eq "y"',
    'not (userName eq "x")',
    "userName pr",
    'emails[type eq "work"',
    'emails[a[b eq "x"]]',
    '"userName" eq "x"',
    'userName eq "x" and',
    "userName eq x; drop table app_user",
    `userName eq "${"x".repeat(2_000)}"`,
    Array.from({ length: 11 }, () => 'id eq "x"').join(" and "),
    `${"(".repeat(900)}id eq "x"`,
  ])("refuses %s as invalidFilter", (text) => {
    expect(faultOf(() => parseFilter(text))).toBe("invalidFilter");
  });
});

describe("paths", () => {
  it.each([
    ["active", { name: "active", where: null, sub: null }],
    ["name.givenName", { name: "name", where: null, sub: "givenname" }],
    ['members[value eq "1"]', { name: "members", where: [{ path: "value", value: "1" }], sub: null }],
    ['emails[type eq "work"].value', { name: "emails", where: [{ path: "type", value: "work" }], sub: "value" }],
  ])("reads %s", (text, path) => {
    expect(parsePath(text)).toEqual(path);
  });

  it.each(["", "a b", 'members[value eq "1"] x', 'members[value eq "1"', 'x["a"]', "__proto__", "1a"])(
    "refuses %s as invalidPath",
    (text) => {
      expect(faultOf(() => parsePath(text))).toBe("invalidPath");
    },
  );
});

const PIECES = [
  '"',
  "\\",
  "[",
  "]",
  "(",
  ")",
  ".",
  " eq ",
  " and ",
  "userName",
  "emails",
  "type",
  "value",
  "True",
  "null",
  "1",
  "urn:x:y",
  "__proto__",
  "\u200b",
];
const texts = fc.oneof(
  fc.string(),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((parts) => parts.join("")),
);
const USER = readUser({ userName: "ada@example.com" });
const operations = fc.record({
  Operations: fc.array(
    fc.oneof(
      fc.anything(),
      fc.record({ op: fc.constantFrom("add", "Remove", "REPLACE", "x"), path: texts, value: fc.anything() }, { requiredKeys: [] }),
    ),
    { maxLength: 5 },
  ),
});

test("whatever is sent, only SCIM errors are thrown", () => {
  const results = fc.check(
    fc.property(texts, operations, fc.anything(), (text, patch, body) => {
      faultOf(() => parseFilter(text));
      faultOf(() => parsePath(text));
      faultOf(() => patchUser(USER, patch));
      faultOf(() => readGroupPatch("id", patch));
      faultOf(() => readUser(body));
      faultOf(() => readGroup(body));
    }),
    { numRuns: 1_000 },
  );
  expect(fc.defaultReportMessage(results)).toBeUndefined();
});
