import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import { answeringPlane } from "@/server/testing/answering";
import { recordRows } from "@/server/testing/authority";
import { callerAs, openedSession } from "@/server/testing/caller";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";
import { handleScim } from "./handle";
import { createScimToken } from "./token";

const urls = await testDatabase("admin");
const plane = await answeringPlane(urls.admin);

const newWorkspace = async () => {
  const workspace = await testWorkspace(urls.admin);
  await asAdmin(urls.admin, "insert into approval_policy (workspace_id, approvals) values ($1, 'graph')", [workspace]);
  const admin = randomUUID();
  await asAdmin(urls.admin, "insert into app_user (id, email, name, password_hash) values ($1, $2, 'Root', 'argon2id')", [
    admin,
    `${admin}@example.com`,
  ]);
  await asAdmin(urls.admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, 'admin')", [workspace, admin]);
  await recordRows(plane, workspace);
  const caller = callerAs(workspace, "admin", { id: admin, session: await openedSession(urls.admin, admin) });
  const { token } = await caller.directory.tokens.make({ days: 1 });

  return { workspace, admin, caller, token };
};

let home: Awaited<ReturnType<typeof newWorkspace>>;
beforeAll(async () => {
  home = await newWorkspace();
  const rules = [{ group: "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159", role: "reviewer" as const, approvers: [] }];
  await home.caller.directory.set({ was: null, directory: { claim: "groups", newcomers: false, otherwise: null, rules } });
});

type Answer = { readonly status: number; readonly headers: Headers; readonly body: Record<string, unknown> };
type Sent = { readonly token?: string | null; readonly type?: string; readonly headers?: Record<string, string> };

const send = async (method: string, path: string, body?: unknown, sent: Sent = {}): Promise<Answer> => {
  const { token = home.token, type = "application/scim+json", headers = {} } = sent;
  const response = await handleScim(
    new Request(`http://localhost/scim/v2${path}`, {
      method,
      headers: {
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "Content-Type": type }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    }),
  );
  const text = await response.text();

  return { status: response.status, headers: response.headers, body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>) };
};

const filtered = (kind: "Users" | "Groups", filter: string, more = "") =>
  send("GET", `/${kind}?filter=${encodeURIComponent(filter)}${more}`);
const patch = (...Operations: readonly object[]) => ({ schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"], Operations });
const newEmail = () => `${randomUUID()}@example.com`;
const newUser = async (more: object = {}): Promise<string> => {
  const { status, body } = await send("POST", "/Users", { userName: newEmail(), ...more });
  expect(status).toBe(201);

  return String(body["id"]);
};
const EMPTY_LIST = { totalResults: 0, Resources: [] };
const standing = async (user: unknown) => {
  const sql = "select role, disabled_at is not null as disabled from membership join app_user on id = user_id where user_id = $1";

  return (await queryOn(urls.admin, sql, [user]))[0];
};

describe("Entra's requests", () => {
  test("check the connection, create, find, change and disable a person, and delete them", async () => {
    const userName = `Test_User_${randomUUID()}@testuser.com`;
    expect(await filtered("Users", `userName eq "${randomUUID()}"`)).toMatchObject({ status: 200, body: EMPTY_LIST });
    const made = await send("POST", "/Users", {
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:User", "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"],
      externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
      userName,
      active: true,
      emails: [{ primary: true, type: "work", value: userName }],
      meta: { resourceType: "User" },
      name: { formatted: "givenName familyName", familyName: "familyName", givenName: "givenName" },
      roles: [],
    });
    const id = String(made.body["id"]);
    expect(made).toMatchObject({
      status: 201,
      body: {
        userName,
        externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
        active: true,
        name: { givenName: "givenName" },
        meta: { resourceType: "User" },
      },
    });
    expect(made.headers.get("content-type")).toBe("application/scim+json");
    expect(made.headers.get("location")).toMatch(new RegExp(`/scim/v2/Users/${id}$`, "u"));
    expect(await filtered("Users", `userName eq "${userName.toUpperCase()}"`)).toMatchObject({
      body: { totalResults: 1, startIndex: 1, itemsPerPage: 1, Resources: [{ id }] },
    });
    const changed = await send(
      "PATCH",
      `/Users/${id}`,
      patch(
        { op: "Replace", path: 'emails[type eq "work"].value', value: `updated-${userName}` },
        { op: "Replace", path: "name.familyName", value: "updatedFamilyName" },
        { op: "Add", path: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department", value: "Finance" },
      ),
    );
    expect(changed).toMatchObject({
      status: 200,
      body: {
        emails: [{ type: "work", value: `updated-${userName}`.toLowerCase() }],
        name: { familyName: "updatedFamilyName", givenName: "givenName" },
      },
    });
    expect(await send("PATCH", `/Users/${id}`, patch({ op: "Replace", path: "active", value: "False" }))).toMatchObject({
      status: 200,
      body: { active: false },
    });
    expect(await send("DELETE", `/Users/${id}`)).toMatchObject({ status: 204 });
    expect(await send("GET", `/Users/${id}`)).toMatchObject({
      status: 404,
      body: { schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"], status: "404" },
    });
    expect(await filtered("Users", `userName eq "${userName}"`)).toMatchObject({ body: EMPTY_LIST });
  });

  test("create a group by its object id, put a person in and out, and rename it", async () => {
    const user = await newUser();
    const externalId = "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159";
    const made = await send("POST", "/Groups", {
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group", "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group"],
      externalId,
      displayName: "displayName",
      meta: { resourceType: "Group" },
    });
    const id = String(made.body["id"]);
    expect(made).toMatchObject({ status: 201, body: { displayName: "displayName", externalId, members: [] } });
    expect(await filtered("Groups", 'displayName eq "displayName"', "&excludedAttributes=members")).toMatchObject({
      body: { totalResults: 1, Resources: [{ id, displayName: "displayName" }] },
    });
    const add = patch({ op: "Add", path: "members", value: [{ $ref: null, value: user }] });
    expect(await send("PATCH", `/Groups/${id}`, add)).toMatchObject({ status: 204 });
    expect(await standing(user)).toEqual({ role: "reviewer", disabled: false });
    expect(await filtered("Groups", `id eq "${id}" and members eq "${user}"`, "&excludedAttributes=members")).toMatchObject({
      body: { totalResults: 1 },
    });
    expect((await send("GET", `/Groups/${id}?excludedAttributes=members`)).body).not.toHaveProperty("members");
    expect((await send("GET", `/Users/${user}`)).body).toMatchObject({ groups: [{ value: id, display: "displayName" }] });
    expect(await send("PATCH", `/Groups/${id}`, patch({ op: "Replace", path: "displayName", value: "renamed" }))).toMatchObject({
      status: 204,
    });
    const remove = patch({ op: "Remove", path: "members", value: [{ $ref: null, value: user }] });
    expect(await send("PATCH", `/Groups/${id}`, remove)).toMatchObject({ status: 204 });
    expect(await standing(user)).toEqual({ role: "reviewer", disabled: true });
    expect((await send("GET", `/Groups/${id}`)).body).toMatchObject({ displayName: "renamed", externalId, members: [] });
    expect(await send("DELETE", `/Groups/${id}`)).toMatchObject({ status: 204 });
    expect(await send("GET", `/Groups/${id}`)).toMatchObject({ status: 404 });
  });
});

describe("Okta's requests", () => {
  test("list, create, refuse a duplicate, replace and deactivate a person", async () => {
    const userName = newEmail();
    expect(await send("GET", "/Users?startIndex=1&count=2")).toMatchObject({
      status: 200,
      body: { schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"], startIndex: 1 },
    });
    const described = {
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
      userName,
      name: { givenName: "Test", familyName: "User" },
      emails: [{ primary: true, value: userName, type: "work" }],
      displayName: "Test User",
      locale: "en-US",
      externalId: "00ujl29u0le5T6Aj10h7",
      groups: [],
      password: "1mz050nq",
      active: true,
    };
    const made = await send("POST", "/Users", described);
    const id = String(made.body["id"]);
    expect(made.status).toBe(201);
    expect(JSON.stringify(made.body)).not.toContain("1mz050nq");
    expect(await queryOn(urls.admin, "select has_password from app_user where id = $1", [id])).toEqual([{ has_password: false }]);
    expect(await send("POST", "/Users", described)).toMatchObject({ status: 409, body: { status: "409", scimType: "uniqueness" } });
    expect(await send("PUT", `/Users/${id}`, { ...made.body, name: { givenName: "Another", familyName: "User" } })).toMatchObject({
      status: 200,
      body: { id, name: { givenName: "Another" }, userName },
    });
    expect(await send("PATCH", `/Users/${id}`, patch({ op: "replace", value: { active: false } }))).toMatchObject({
      status: 200,
      body: { active: false },
    });
    expect(await send("GET", `/Users/${randomUUID()}`)).toMatchObject({ status: 404 });
  });

  test("push a group with members, rename it with its id repeated, and replace its members", async () => {
    const [one, two] = [await newUser(), await newUser()];
    const name = `Group ${randomUUID()}`;
    const made = await send("POST", "/Groups", {
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"],
      displayName: name,
      members: [{ value: one, display: "one" }],
    });
    const id = String(made.body["id"]);
    expect(made).toMatchObject({ status: 201, body: { members: [{ value: one }] } });
    expect(await send("POST", "/Groups", { displayName: name })).toMatchObject({ status: 409, body: { scimType: "uniqueness" } });
    expect(await send("PATCH", `/Groups/${id}`, patch({ op: "replace", value: { id, displayName: `${name} renamed` } }))).toMatchObject({
      status: 204,
    });
    const replaced = await send("PUT", `/Groups/${id}`, { schemas: [], id, displayName: `${name} renamed`, members: [{ value: two }] });
    expect(replaced).toMatchObject({ status: 200, body: { displayName: `${name} renamed`, members: [{ value: two }] } });
    expect(await send("PATCH", `/Groups/${id}`, patch({ op: "remove", path: `members[value eq "${two}"]` }))).toMatchObject({
      status: 204,
    });
    expect((await send("GET", `/Groups/${id}`)).body["members"]).toEqual([]);
  });
});

describe("the protocol", () => {
  test("declares what it offers and what it does not", async () => {
    expect((await send("GET", "/ServiceProviderConfig")).body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      sort: { supported: false },
      changePassword: { supported: false },
      etag: { supported: true },
      filter: { supported: true, maxResults: 200 },
    });
    expect((await send("GET", "/ResourceTypes")).body).toMatchObject({
      totalResults: 2,
      Resources: [{ id: "User", endpoint: "/Users" }, { id: "Group" }],
    });
    expect((await send("GET", "/Schemas/urn:ietf:params:scim:schemas:core:2.0:User")).body).toMatchObject({ name: "User" });
    expect((await send("GET", "/Schemas/nothing")).status).toBe(404);
    expect((await send("POST", "/Bulk", {})).status).toBe(501);
    expect((await send("GET", "/Users/a/b")).status).toBe(404);
    expect((await send("PATCH", "/Users", {})).status).toBe(405);
    expect((await send("GET", "/constructor")).status).toBe(404);
  });

  test("pages lists, and answers values out of range as the nearest", async () => {
    await Promise.all([newUser(), newUser(), newUser()]);
    const all = (await send("GET", "/Users?count=500")).body;
    const total = Number(all["totalResults"]);
    expect(all["itemsPerPage"]).toBe(total);
    expect((await send("GET", `/Users?startIndex=${total}&count=5`)).body).toMatchObject({
      totalResults: total,
      itemsPerPage: 1,
      startIndex: total,
    });
    expect((await send("GET", "/Users?startIndex=-3&count=-1")).body).toMatchObject({
      totalResults: total,
      itemsPerPage: 0,
      startIndex: 1,
    });
    expect((await send("GET", "/Users?count=x")).body).toMatchObject({ scimType: "invalidValue" });
  });

  test("answers versions, and refuses a change to another version", async () => {
    const id = await newUser({ displayName: "Ada" });
    const { headers } = await send("GET", `/Users/${id}`);
    const etag = headers.get("etag") ?? "";
    expect(etag).toMatch(/^W\/"\d+"$/u);
    expect((await send("GET", `/Users/${id}`, undefined, { headers: { "If-None-Match": etag } })).status).toBe(304);
    const rename = (displayName: string) => patch({ op: "replace", path: "displayName", value: displayName });
    expect((await send("PATCH", `/Users/${id}`, rename("Eva"), { headers: { "If-Match": etag } })).status).toBe(200);
    expect((await send("PATCH", `/Users/${id}`, rename("Uma"), { headers: { "If-Match": etag } })).status).toBe(412);
    expect((await send("DELETE", `/Users/${id}`, undefined, { headers: { "If-Match": '"x"' } })).status).toBe(412);
    expect((await send("GET", `/Users/${id}?attributes=displayName`)).body).toEqual({
      schemas: expect.anything() as unknown,
      id,
      displayName: "Eva",
    });
  });

  test("records nothing for a request that changes nothing", async () => {
    const id = await newUser({ displayName: "Ada" });
    const count = async () => queryOn(urls.admin, "select count(*)::int as n from ledger_record where workspace_id = $1", [home.workspace]);
    const before = await count();
    expect((await send("PATCH", `/Users/${id}`, patch({ op: "replace", path: "active", value: "True" }))).status).toBe(200);
    expect(await count()).toEqual(before);
  });
});

describe("attacks", () => {
  const reads = (token: string | null) => send("GET", "/Users", undefined, { token });

  test("other, unknown, altered and ended tokens are answered alike", async () => {
    const other = await newWorkspace();
    const id = await newUser();
    expect(await send("GET", `/Users/${id}`, undefined, { token: other.token })).toMatchObject({ status: 404 });
    expect(
      await send("PATCH", `/Users/${id}`, patch({ op: "replace", path: "active", value: false }), { token: other.token }),
    ).toMatchObject({ status: 404 });
    expect((await send("DELETE", `/Users/${id}`, undefined, { token: other.token })).status).toBe(404);
    const flipped = `${home.token.slice(0, -2)}${home.token.endsWith("AA") ? "BB" : "AA"}`;
    const forged = createScimToken(home.workspace, randomUUID()).token;
    for (const token of [null, "", "csd_x", "cs_x", flipped, forged]) {
      const { status, body } = await reads(token);
      expect([status, body["detail"]]).toEqual([401, "A valid SCIM token is needed. An admin makes one under People."]);
    }
    expect((await reads(other.token)).status).toBe(200);
    const [shown] = (await other.caller.directory.get()).provisioning.tokens;
    await other.caller.directory.tokens.end({ token: shown?.id ?? "" });
    expect((await reads(other.token)).status).toBe(401);
  });

  test("an address that guesses tokens, and a token that asks too often, have to wait", async () => {
    const from = async (address: string, token: string) => {
      const { status, headers } = await send("GET", "/Schemas", undefined, { token, headers: { "X-Forwarded-For": address } });

      return [status, headers.get("retry-after")];
    };
    for (let guess = 0; guess < 60; guess += 1) await from("192.0.2.1", "csd_x");
    expect([await from("192.0.2.1", "csd_x"), await from("192.0.2.2", "csd_x")]).toEqual([
      [429, "60"],
      [401, null],
    ]);
    const { token } = createScimToken(home.workspace, randomUUID());
    const addressOf = (index: number) => `198.51.${100 + Math.floor(index / 250)}.${index % 250}`;
    const asked = await Promise.all(Array.from({ length: 1_501 }, (_none, index) => from(addressOf(index), token)));
    expect(asked.filter(([status]) => status !== 401)).toEqual([[429, "60"]]);
  });

  test("no attribute gives a role, and no name hides", async () => {
    const id = await newUser({
      roles: [{ value: "admin", primary: true }],
      entitlements: [{ value: "admin" }],
      role: undefined,
      userType: "admin",
    });
    expect(await standing(id)).toEqual({ role: "viewer", disabled: true });
    expect((await send("POST", "/Users", { userName: newEmail(), role: "admin" })).body).toMatchObject({ scimType: "invalidPath" });
    expect((await send("POST", "/Users", { userName: `a\u200B${newEmail()}` })).body).toMatchObject({ scimType: "invalidValue" });
    expect((await send("POST", "/Users", { userName: newEmail(), displayName: "Ada\u202Enimda" })).body).toMatchObject({
      scimType: "invalidValue",
    });
    expect((await send("POST", "/Groups", { displayName: "admins\u200B" })).body).toMatchObject({ scimType: "invalidValue" });
    expect(
      (await send("PATCH", `/Users/${id}`, patch({ op: "add", path: "groups", value: [{ value: randomUUID() }] }))).body,
    ).toMatchObject({ scimType: "mutability" });
  });

  test("an admin's address is refused, and the page says so", async () => {
    const userName = `${home.admin}@example.com`;
    expect(await send("POST", "/Users", { userName })).toMatchObject({ status: 409, body: { scimType: "uniqueness" } });
    const { provisioning } = await home.caller.directory.get();
    expect(provisioning.refused[0]).toMatchObject({
      what: "user create",
      name: "Root",
      message: "This address already belongs to a member.",
    });
    expect(provisioning.tokens).toMatchObject([{ status: "active", byName: "Root", isOwn: true, isMakerAdmin: true }]);
    expect(provisioning.address).toMatch(/\/scim\/v2$/u);
    expect(JSON.stringify(provisioning)).not.toContain(home.token.slice(48));
  });

  test("giant filters, wrong types, broken bodies and foreign ids are SCIM errors", async () => {
    const cases: readonly [Promise<Answer>, number, string | undefined][] = [
      [filtered("Users", `userName eq "${"x".repeat(5_000)}"`), 400, "invalidFilter"],
      [filtered("Users", `userName eq "x' or '1'='1"`), 200, undefined],
      [filtered("Users", 'userName eq "%"'), 200, undefined],
      [filtered("Users", 'id eq "x"'), 200, undefined],
      [filtered("Users", "password pr"), 400, "invalidFilter"],
      [filtered("Users", 'nickName eq "x"'), 400, "invalidFilter"],
      [filtered("Users", 'active eq "yes"'), 400, "invalidFilter"],
      [filtered("Groups", 'owner eq "x"'), 400, "invalidFilter"],
      [send("POST", "/Users", "{", {}), 400, "invalidSyntax"],
      [send("POST", "/Users", '{"userName":"a@b.co","userName":"c@d.co"}'), 400, "invalidSyntax"],
      [send("POST", "/Users", {}, { type: "text/plain" }), 415, undefined],
      [send("POST", "/Users", "x".repeat(1_100_000)), 400, "invalidSyntax"],
      [send("POST", "/Users", {}, { headers: { "Content-Length": "1100000" } }), 413, "tooMany"],
      [send("GET", "/Users/%E0%A4%A"), 404, undefined],
      [send("GET", "/Users/not-an-id"), 404, undefined],
    ];
    for (const [answer, status, scimType] of cases) {
      const found = await answer;
      expect([found.status, found.body["scimType"]]).toEqual([status, scimType]);
    }
    expect((await filtered("Users", 'userName eq "%"')).body).toMatchObject(EMPTY_LIST);
  });

  test("10,000 unknown members are refused at once", async () => {
    const members = Array.from({ length: 10_000 }, () => ({ value: randomUUID() }));
    expect(await send("POST", "/Groups", { displayName: `Group ${randomUUID()}`, members })).toMatchObject({
      status: 413,
      body: { scimType: "tooMany" },
    });
    expect(await send("POST", "/Groups", { displayName: `Group ${randomUUID()}`, members: members.slice(0, 900) })).toMatchObject({
      status: 400,
      body: { scimType: "invalidValue" },
    });
  });
});
