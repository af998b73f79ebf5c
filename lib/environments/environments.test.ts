import { describe, expect, it } from "vitest";
import type { RunEvent } from "@/lib/engine/event";
import type { Principal } from "@/lib/engine/principal";
import { ownRecord } from "@/lib/engine/ledger/workspace-ledger";
import { engine, user, uuid } from "@/lib/engine/testing/run";
import type { EnvironmentCommand } from "./command";
import { decideEnvironments } from "./decide";
import { DEFAULT_ENVIRONMENTS, environmentsSchema, type Environment } from "./environment";
import { variablesSchema } from "./variables";
import { findLive, foldEnvironments, hasVersion, NO_ENVIRONMENTS, type EnvironmentFold } from "./environment-fold";

const ADMIN = user(uuid(20), "admin");
const BUILDER = user(uuid(21), "builder");
const [V1, V2, V3] = ["a".repeat(64), "b".repeat(64), "c".repeat(64)];
const THREE: Environment[] = ["dev", "staging", "production"].map((id) => ({ id, title: id.toUpperCase() }));

const record = (by: Principal, outcome: RunEvent, seq: number) => ({
  ...ownRecord({ id: uuid(90), workspace: uuid(1), at: 1, principal: by, body: { kind: "test" } }, outcome, null),
  seq,
});
const published = (hash: string, seq: number, step = "published") =>
  record(BUILDER, { type: "admin_changed", area: "versions", subject: hash, step, before: null, after: V1 }, seq);
const listed = (environments: readonly Environment[], seq: number, by: Principal = ADMIN) =>
  record(by, { type: "environments_changed", environments: [...environments] }, seq);
const fold = (...records: readonly Parameters<typeof foldEnvironments>[1][]): EnvironmentFold =>
  records.reduce(foldEnvironments, NO_ENVIRONMENTS);

const decide = (by: Principal, command: EnvironmentCommand, facts: Partial<Parameters<typeof decideEnvironments>[2]> = {}) =>
  decideEnvironments(by, command, { fold: NO_ENVIRONMENTS, before: null, ...facts });
const set = (environments: readonly Environment[], was: readonly Environment[] = DEFAULT_ENVIRONMENTS): EnvironmentCommand => ({
  kind: "environments_set",
  was: [...was],
  environments: [...environments],
});

describe("the environments of a workspace", () => {
  it("are production alone until an admin sets others", () => {
    expect(NO_ENVIRONMENTS.list.map(({ id }) => id)).toEqual(["production"]);
    expect(fold(listed(THREE, 4)).list.map(({ id }) => id)).toEqual(["dev", "staging", "production"]);
    expect(fold(listed(THREE, 4, BUILDER)), "a builder lists none").toEqual(NO_ENVIRONMENTS);
  });

  it("keep the versions published before in production, and get later ones in the first", () => {
    const made = fold(published(V1, 1), listed(THREE, 2), published(V2, 3));
    expect(hasVersion(made, "production", V1)).toBe(true);
    expect(hasVersion(made, "dev", V1)).toBe(false);
    expect(hasVersion(made, "dev", V2)).toBe(true);
    expect(hasVersion(made, "production", V2)).toBe(false);
  });

  it("take nothing from steps of requests", () => {
    expect(fold(published(V1, 1, "requested")).versions.size).toBe(0);
  });

  it("forget the versions of one that is removed, also for one of the same id", () => {
    const without = THREE.filter(({ id }) => id !== "dev");
    const made = fold(listed(THREE, 1), published(V1, 2), listed(without, 3), listed(THREE, 4));
    expect(hasVersion(made, "dev", V1)).toBe(false);
  });

  it("show the latest arrival as live, and of adopted versions the newest", () => {
    expect(findLive(fold(published(V1, 1), published(V2, 2)), "production", [V2, V1])).toBe(V2);
    expect(findLive(fold(published(V2, 1), published(V1, 2)), "production", [V2, V1])).toBe(V1);
    expect(findLive(fold(published(V1, 1, "adopted"), published(V2, 2, "adopted")), "production", [V2, V1])).toBe(V2);
    expect(findLive(NO_ENVIRONMENTS, "production", [V3])).toBeNull();
  });
});

describe("changing them", () => {
  it.each<[string, Principal]>([
    ["a builder", BUILDER],
    ["a reviewer", user(uuid(22), "reviewer")],
    ["the engine", engine],
  ])("is refused to %s", (_who, by) => {
    expect(decide(by, set(THREE))).toBe("principal_not_allowed");
    expect(decide(by, { kind: "environment_variables", environment: "production", was: null, variables: {} })).toBe(
      "principal_not_allowed",
    );
  });

  it("starts from the list on screen", () => {
    expect(decide(ADMIN, set(THREE))).toBeNull();
    expect(decide(ADMIN, set(THREE, THREE))).toBe("environment_changed");
  });

  it("takes no id or title twice, whatever its case", () => {
    const [dev, ...others] = THREE;
    expect(decide(ADMIN, set([...THREE, { id: "DEV", title: "Other" }]))).toBe("environment_name_taken");
    expect(decide(ADMIN, set([...THREE, { id: "other", title: "dev" }]))).toBe("environment_name_taken");
    expect(environmentsSchema.safeParse([]).success, "at least one").toBe(false);
    expect(decide(ADMIN, set([...others, ...(dev ? [dev] : [])]))).toBeNull();
  });

  it("changes the variables that were on screen, of a known environment", () => {
    const change = { kind: "environment_variables", environment: "production", was: V1, variables: { REGION: "eu" } } as const;
    expect(decide(ADMIN, change, { before: V1 })).toBeNull();
    expect(decide(ADMIN, change, { before: V2 })).toBe("environment_changed");
    expect(decide(ADMIN, { ...change, environment: "dev" }, { before: V1 })).toBe("environment_changed");
  });

  it.each<[object, boolean]>([
    [{ REGION: "eu", LIMIT: 5.5, STRICT: false }, true],
    [{ region: "eu" }, false],
    [{ REGION: null }, false],
    [{ REGION: ["eu"] }, false],
    [{ LIMIT: Infinity }, false],
    [{ TEXT: "x".repeat(2_001) }, false],
    [Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`A${at}`, 1])), false],
  ])("takes texts, numbers and booleans under capital names: %j", (variables, isValid) => {
    expect(variablesSchema.safeParse(variables).success).toBe(isValid);
  });
});
