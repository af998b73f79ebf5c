import { describe, expect, test } from "vitest";
import { AppError } from "@/lib/errors";
import { PERMISSIONS, roleSchema, type Role } from "@/lib/roles";
import type { SignedIn } from "@/server/auth/signed-in";
import { freshSession, staleSession } from "@/server/testing/caller";
import { ACCESS, type AccessRow } from "./access-table";
import type { RequestContext } from "./init";
import { appRouter, createCaller } from "./root";

const LETTERS = { viewer: "V", builder: "B", reviewer: "R", admin: "A" } as const satisfies Record<Role, string>;

const FRESH = { never: {}, fresh: { fresh: true }, sometimes: { fresh: "sometimes" } } as const;

const id = "00000000-0000-4000-8000-000000000001";

const contextOf = (role: Role | null, session = freshSession()): RequestContext => {
  const signedIn: SignedIn | null =
    role === null
      ? null
      : {
          user: { id, name: role, email: `${role}@test.invalid` },
          workspace: { id, name: "Test", demo: false },
          role,
          auditor: false,
          session,
        };

  return { requestId: id, address: "test", host: "localhost", signedIn: async () => signedIn };
};

const get = (value: unknown, key: string): unknown => Reflect.get(Object(value), key);

const denialOf = async (path: string, role: Role | null, session = freshSession()): Promise<string> => {
  const found: unknown = path.split(".").reduce<unknown>(get, createCaller(contextOf(role, session)));
  if (typeof found !== "function") throw new Error(`${path} is not a procedure`);
  try {
    await Reflect.apply(found, undefined, []);
  } catch (error) {
    return error instanceof Error && error.cause instanceof AppError ? error.cause.code : "another error";
  }

  return "none";
};

const procedures = Object.entries<unknown>(Object(get(get(appRouter, "_def"), "procedures")));
const rows = Object.entries<AccessRow>(ACCESS);
const guarded = rows.flatMap(([path, [access, roles, fresh]]) => (access === "public" ? [] : [{ path, access, roles, fresh }]));
const denied = guarded.flatMap(({ path, roles }) =>
  roleSchema.options.filter((role) => !roles.includes(LETTERS[role])).map((role) => ({ path, role })),
);

const demanding = guarded.flatMap(({ path, roles, fresh }) =>
  fresh === "fresh" ? roleSchema.options.filter((role) => roles.includes(LETTERS[role])).map((role) => ({ path, role })) : [],
);

describe("the access table", () => {
  test("lists exactly the product's procedures", () => {
    expect(procedures.map(([path]) => path).toSorted()).toEqual(rows.map(([path]) => path).toSorted());
  });

  test("names each procedure's permission", () => {
    const actual = procedures.map(([path, each]) => [path, get(get(each, "_def"), "meta")]);

    expect(Object.fromEntries(actual)).toEqual(
      Object.fromEntries(rows.map(([path, [access, , fresh]]) => [path, { access, ...FRESH[fresh ?? "never"] }])),
    );
  });

  test.each(guarded)("$path admits exactly the roles with $access", ({ access, roles }) => {
    expect(roles).toBe(PERMISSIONS[access].map((role) => LETTERS[role]).join(""));
  });

  test.each(guarded)("$path denies a signed-out caller", async ({ path }) => {
    expect(await denialOf(path, null)).toBe("unauthenticated");
  });

  test.each(demanding)("$path denies a $role with a proof older than five minutes", async ({ path, role }) => {
    expect(await denialOf(path, role, staleSession())).toBe("step_up_required");
    expect(await denialOf(path, role, { ...staleSession(), provedAtMs: null })).toBe("step_up_required");
    expect(await denialOf(path, role)).not.toBe("step_up_required");
  });

  test.each(denied)("$path denies a $role", async ({ path, role }) => {
    expect(await denialOf(path, role)).toBe("forbidden");
  });
});
