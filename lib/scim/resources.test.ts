import { describe, expect, it } from "vitest";
import { ScimError } from "./error";
import { readGroup, readGroupPatch } from "./group";
import { patchUser, readUser, USER_SCHEMA } from "./user";

const ID = "00000000-0000-4000-8000-000000000001";
const OTHER = "00000000-0000-4000-8000-000000000002";
const faultOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error instanceof ScimError ? [error.status, error.scimType] : error;
  }
};
const patch = (...Operations: readonly object[]) => ({ schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"], Operations });

const ADA = readUser({
  schemas: [USER_SCHEMA, "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"],
  externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
  userName: "Ada@Example.com",
  active: true,
  displayName: "Ada Vale",
  emails: [{ primary: true, type: "work", value: "Ada.Vale@Example.com" }],
  name: { formatted: "Ada Vale", familyName: "Vale", givenName: "Ada", middleName: "B" },
  roles: [{ value: "admin", primary: true }],
  password: "t1meMa$heen",
  groups: [],
  meta: { resourceType: "User" },
});

describe("users", () => {
  it("keep names and address, and neither roles nor passwords", () => {
    expect(ADA).toEqual({
      userName: "Ada@Example.com",
      externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
      email: "ada.vale@example.com",
      displayName: "Ada Vale",
      formattedName: "Ada Vale",
      givenName: "Ada",
      familyName: "Vale",
      active: true,
    });
  });

  it("take Entra's patches: strings for booleans, dotted names without a path, filtered addresses", () => {
    const changed = patchUser(
      ADA,
      patch(
        { op: "Replace", path: "active", value: "False" },
        { op: "Add", path: 'emails[type eq "work"].value', value: "new@example.com" },
        { op: "Replace", value: { "name.givenName": "Eva", displayName: "Eva Vale" } },
        { op: "Add", path: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department", value: "Finance" },
        { op: "Replace", path: 'roles[primary eq "True"].value', value: "admin" },
        { op: "Remove", path: "externalId" },
      ),
    );
    expect(changed).toEqual({
      ...ADA,
      active: false,
      email: "new@example.com",
      givenName: "Eva",
      displayName: "Eva Vale",
      externalId: null,
    });
  });

  it("take Okta's replacement without a path", () => {
    expect(patchUser(ADA, patch({ op: "replace", value: { active: false } }))).toEqual({ ...ADA, active: false });
  });

  it("ignore addresses of other types", () => {
    expect(patchUser(ADA, patch({ op: "add", path: 'emails[type eq "home"].value', value: "home@example.com" }))).toEqual(ADA);
  });

  it.each([
    ["no userName", {}],
    ["an invisible character in userName", { userName: "ada\u200B@example.com" }],
    ["a userName that turns text", { userName: "ada\u202E@example.com" }],
    ["a long userName", { userName: `${"a".repeat(254)}@example.com` }],
    ["no address", { userName: "ada" }],
    ["a malformed address", { userName: "ada", emails: [{ value: "ada" }] }],
    ["another type of name", { userName: "ada@example.com", displayName: 1 }],
    ["active that is no boolean", { userName: "ada@example.com", active: "yes" }],
    ["emails that are no list", { userName: "ada@example.com", emails: 1 }],
  ])("need valid values: %s", (_name, body) => {
    expect(faultOf(() => readUser(body))).toEqual([400, "invalidValue"]);
  });

  it.each([
    ["an unknown attribute", { op: "replace", path: "isAdmin", value: true }, [400, "invalidPath"]],
    ["groups", { op: "add", path: "groups", value: [{ value: ID }] }, [400, "mutability"]],
    ["the id", { op: "replace", value: { id: ID } }, [400, "mutability"]],
    ["a removal without a path", { op: "remove" }, [400, "noTarget"]],
    ["the needed userName", { op: "remove", path: "userName" }, [400, "invalidValue"]],
    ["an unknown operation", { op: "move", path: "active" }, [400, "invalidSyntax"]],
  ])("can't be patched: %s", (_name, operation, fault) => {
    expect(faultOf(() => patchUser(ADA, patch(operation)))).toEqual(fault);
  });

  it("take at most 100 operations", () => {
    const many = patch(...Array.from({ length: 101 }, () => ({ op: "replace", path: "active", value: false })));
    expect(faultOf(() => patchUser(ADA, many))).toEqual([413, "tooMany"]);
  });
});

describe("groups", () => {
  it("are read with their members, once each", () => {
    expect(readGroup({ displayName: "Finance", externalId: "8aa1a0c0", members: [{ value: ID }, { value: ID.toUpperCase() }] })).toEqual({
      name: "Finance",
      externalId: "8aa1a0c0",
      people: [ID],
    });
  });

  it.each([
    ["Entra adds", { op: "Add", path: "members", value: [{ value: ID }] }, [{ op: "add", people: [ID] }]],
    ["Entra removes", { op: "Remove", path: "members", value: [{ value: ID }] }, [{ op: "remove", people: [ID] }]],
    ["the standard removes one", { op: "remove", path: `members[value eq "${ID}"]` }, [{ op: "remove", people: [ID] }]],
    ["the standard removes all", { op: "remove", path: "members" }, [{ op: "replace", people: [] }]],
    ["Okta replaces", { op: "replace", path: "members", value: [{ value: ID, display: "ada" }] }, [{ op: "replace", people: [ID] }]],
    ["an addition without a path", { op: "add", value: { members: [{ value: OTHER }] } }, [{ op: "add", people: [OTHER] }]],
  ])("change members as %s", (_name, operation, members) => {
    expect(readGroupPatch(ID, patch(operation))).toEqual({ members });
  });

  it("change their name as Okta does, with the id repeated", () => {
    expect(readGroupPatch(ID, patch({ op: "replace", value: { id: ID, displayName: "Legal" } }))).toEqual({ name: "Legal", members: [] });
  });

  it.each([
    ["no name", () => readGroup({}), "invalidValue"],
    ["an invisible name", () => readGroup({ displayName: "Fin\u200Bance" }), "invalidValue"],
    ["a group as member", () => readGroup({ displayName: "x", members: [{ value: ID, type: "Group" }] }), "invalidValue"],
    ["a member that is no id", () => readGroup({ displayName: "x", members: [{ value: "ada" }] }), "invalidValue"],
    ["another id", () => readGroupPatch(ID, patch({ op: "replace", value: { id: OTHER } })), "mutability"],
    ["no name any more", () => readGroupPatch(ID, patch({ op: "remove", path: "displayName" })), "mutability"],
    ["an addition by filter", () => readGroupPatch(ID, patch({ op: "add", path: `members[value eq "${ID}"]` })), "invalidPath"],
    ["a removal by another filter", () => readGroupPatch(ID, patch({ op: "remove", path: 'members[display eq "x"]' })), "invalidPath"],
    ["an unknown attribute", () => readGroupPatch(ID, patch({ op: "add", path: "owners", value: [] })), "invalidPath"],
  ])("refuse %s", (_name, work, scimType) => {
    expect(faultOf(work)).toEqual([400, scimType]);
  });

  it("have at most 10,000 members", () => {
    const members = Array.from({ length: 10_001 }, () => ({ value: ID }));
    expect(faultOf(() => readGroup({ displayName: "x", members }))).toEqual([413, "tooMany"]);
  });
});
