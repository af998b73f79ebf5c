import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changeModels, modelChangeSchema, getStep, getSubject, type ModelChange } from "@/lib/model-change";
import { findKeyScope, needsKey, type Provider } from "@/lib/model-provider";
import { MODEL_USES } from "@/lib/model-info";
import { forgetEnvironmentKeys, isAllowed, isOwnModel, modelSettingsSchema, findSetting, type ModelSettings } from "@/lib/model-settings";

const NOTHING: ModelSettings = { providers: [], models: [] };
const KNOWN = {
  models: new Set(["scripted:honest", "anthropic:claude-sonnet-5"]),
  environments: new Set(["dev", "production", "constructor"]),
};
const CLAUDE = "anthropic:claude-sonnet-5";

const after = (settings: ModelSettings, ...changes: readonly ModelChange[]): ModelSettings =>
  changes.reduce((now, change) => {
    const changed = changeModels(now, change, KNOWN);
    if (!changed.ok) throw new Error(changed.fault);

    return changed.settings;
  }, settings);
const faultOf = (settings: ModelSettings, change: ModelChange): string => {
  const changed = changeModels(settings, change, KNOWN);

  return changed.ok ? "nothing" : changed.fault;
};

const add: ModelChange = {
  type: "add_provider",
  provider: { id: "ours", kind: "openai-compatible", name: "Ours", base_url: "https://models.example.com/v1", allow_local: false },
  key: "key-of-ours",
};
const findKeyScopes = ({ providers: [provider] }: ModelSettings, environments: readonly (string | null)[]) =>
  environments.map((environment) => provider && findKeyScope(provider, environment));
const list: ModelChange = { type: "add_model", model: "ours:small" };
const price = { input_usd_per_million: 1, output_usd_per_million: 2, source: "Contract", as_of: "2026-11-01" };
const set = after(NOTHING, add, list);

describe("a provider", () => {
  test("is added once, edited at the revision on screen, and removed with its models", () => {
    expect(faultOf(set, add)).toBe("taken");
    const edit: ModelChange = {
      type: "edit_provider",
      id: "ours",
      revision: 1,
      fields: { name: "Renamed", base_url: "https://models.example.com/v2", allow_local: false },
      key: null,
    };
    const edited = after(set, edit);
    expect(edited.providers).toEqual([expect.objectContaining({ name: "Renamed", revision: 2, key_version: 1 })]);
    expect(faultOf(edited, edit)).toBe("stale");
    expect(after(edited, { type: "remove_provider", id: "ours", revision: 2 })).toEqual(NOTHING);
    expect(faultOf(NOTHING, { type: "remove_provider", id: "ours", revision: 1 })).toBe("gone");
  });

  test("cannot move to another origin with the same key", () => {
    const moved = (base: string, key: string | null): ModelChange => ({
      type: "edit_provider",
      id: "ours",
      revision: 1,
      fields: { name: "Ours", base_url: base, allow_local: false },
      key,
    });
    for (const elsewhere of ["https://evil.example/v1", "http://models.example.com/v1", "https://models.example.com:8443/v1"]) {
      expect(faultOf(set, moved(elsewhere, null))).toBe("key_needed");
      expect(after(set, moved(elsewhere, "another-key")).providers[0]?.key_version).toBe(2);
    }
  });

  test("has a key of its own in a known environment, until it is removed there", () => {
    const keyOf = (environment: string, revision: number, key: string | null): ModelChange => ({
      type: "set_environment_key",
      id: "ours",
      revision,
      environment,
      key,
    });
    const keyed = after(set, keyOf("production", 1, "key-of-production"), keyOf("dev", 2, "key-of-dev"), keyOf("dev", 3, "another-key"));
    expect(keyed.providers).toMatchObject([{ environment_keys: ["dev", "production"], key_version: 1, revision: 4 }]);
    expect(JSON.stringify(keyed)).not.toMatch(/key-of|another-key/);
    expect(findKeyScopes(keyed, ["dev", "production", "staging", null])).toEqual(["dev", "production", null, null]);
    expect(faultOf(keyed, keyOf("dev", 1, null))).toBe("stale");
    expect(faultOf(keyed, keyOf("qa", 4, "key-of-qa"))).toBe("unknown_environment");
    expect(faultOf(keyed, keyOf("constructor", 4, null))).toBe("key_absent");
    expect(faultOf(NOTHING, keyOf("dev", 1, "key-of-dev"))).toBe("gone");
    const fields = { name: "Ours", base_url: "https://elsewhere.example/v1", allow_local: false };
    const moved: ModelChange = { type: "edit_provider", id: "ours", revision: 4, fields, key: "key-of-elsewhere" };
    expect(faultOf(keyed, moved), "its keys are for the address before").toBe("environment_keys_stored");
    expect(forgetEnvironmentKeys(keyed, "dev").providers).toMatchObject([{ environment_keys: ["production"], revision: 5 }]);
    expect(forgetEnvironmentKeys(keyed, "staging")).toEqual(keyed);
    expect(after(keyed, keyOf("dev", 4, null), keyOf("production", 5, null)).providers).toEqual([{ ...set.providers[0], revision: 6 }]);
    expect([getStep(keyOf("dev", 1, "key-of-dev")), getStep(keyOf("dev", 1, null))]).toEqual([
      "environment_key_set",
      "environment_key_removed",
    ]);
  });

  test("needs a key everywhere once it has one anywhere", () => {
    const [ours] = set.providers;
    if (!ours) throw new Error("no provider");
    const without: Provider = { ...ours, key_version: 0 };
    expect([ours, without, { ...without, kind: "openai" as const }, { ...without, environment_keys: ["dev"] }].map(needsKey)).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  test("has a unique name: the installation's and the scripted ones are taken", () => {
    for (const id of ["anthropic", "openai", "openai-compatible", "scripted", "scripted-b", "Ours", "", "a:b", "x".repeat(41)]) {
      expect(modelChangeSchema.safeParse({ ...add, provider: { ...add.provider, id } }).success).toBe(false);
    }
  });

  test("without a first party needs an address, and a local address needs local access", () => {
    expect(faultOf(NOTHING, { ...add, provider: { ...add.provider, base_url: null } })).toBe("address_missing");
    expect(faultOf(NOTHING, { ...add, provider: { ...add.provider, kind: "openai", base_url: null, allow_local: true } })).toBe(
      "local_without_address",
    );
  });
});

describe("a model", () => {
  test("can be chosen if listed for the workspace's provider, or not removed for the installation's", () => {
    expect(isAllowed(set, "ours:small")).toBe(true);
    expect(isAllowed(set, "ours:large")).toBe(false);
    expect(isAllowed(set, CLAUDE)).toBe(true);
    const out = after(set, { type: "allow_model", model: CLAUDE, revision: 0, allowed: false });
    expect(isAllowed(out, CLAUDE)).toBe(false);
    expect(isAllowed(after(out, { type: "allow_model", model: CLAUDE, revision: 1, allowed: true }), CLAUDE)).toBe(true);
  });

  test("that is scripted can be neither removed nor priced", () => {
    for (const change of [
      { type: "allow_model", model: "scripted:honest", revision: 0, allowed: false },
      { type: "set_price", model: "scripted:honest", revision: 0, price },
    ] satisfies ModelChange[]) {
      expect(faultOf(set, change)).toBe("always_there");
    }
  });

  test("of an unknown provider can be neither listed, priced nor a default", () => {
    expect(faultOf(set, { type: "add_model", model: "theirs:small" })).toBe("unknown_provider");
    expect(faultOf(set, { type: "set_price", model: "openai:gpt-9", revision: 0, price })).toBe("unknown_model");
    expect(faultOf(set, { type: "set_default", use: "runs", model: "openai:gpt-9" })).toBe("unknown_model");
  });

  test("is the default of one use, until it may no longer be chosen", () => {
    const chosen = after(set, { type: "set_default", use: "runs", model: "ours:small" });
    const other = after(chosen, { type: "set_default", use: "runs", model: "scripted:honest" });
    expect(findSetting(other, "ours:small")?.defaults).toEqual([]);
    expect(findSetting(other, "scripted:honest")?.defaults).toEqual(["runs"]);
    const out = after(chosen, { type: "allow_model", model: "ours:small", revision: 2, allowed: false });
    expect(findSetting(out, "ours:small")?.defaults).toEqual([]);
    expect(faultOf(out, { type: "set_default", use: "runs", model: "ours:small" })).toBe("not_allowed");
  });
});

test("a step's record has the state before and after, and never a key", () => {
  const added = changeModels(NOTHING, add, KNOWN);
  expect(added).toMatchObject({ before: null, after: { id: "ours", key_version: 1 } });
  expect(JSON.stringify(added)).not.toContain("key-of-ours");
  expect([getSubject(add), getStep(add)]).toEqual(["ours", "provider_added"]);
  expect(getStep({ type: "set_price", model: CLAUDE, revision: 1, price: null })).toBe("price_removed");
});

const ids = fc.constantFrom("ours", "theirs");
const models = fc.constantFrom("ours:small", "ours:large", "theirs:small", CLAUDE, "scripted:honest", "openai:gpt-9");
const revisions = fc.nat(3);
const anyChange: fc.Arbitrary<ModelChange> = fc.oneof(
  ids.map((id): ModelChange => ({ ...add, provider: { ...add.provider, id } })),
  fc.tuple(ids, revisions).map(([id, revision]): ModelChange => ({ type: "remove_provider", id, revision })),
  fc
    .tuple(ids, revisions, fc.constantFrom("dev", "qa", "constructor"), fc.option(fc.constant("key-of-one")))
    .map(([id, revision, environment, key]): ModelChange => ({ type: "set_environment_key", id, revision, environment, key })),
  models.map((model): ModelChange => ({ type: "add_model", model })),
  fc.tuple(models, revisions).map(([model, revision]): ModelChange => ({ type: "remove_model", model, revision })),
  fc
    .tuple(models, revisions, fc.boolean())
    .map(([model, revision, allowed]): ModelChange => ({ type: "allow_model", model, revision, allowed })),
  fc.tuple(models, revisions).map(([model, revision]): ModelChange => ({ type: "set_price", model, revision, price })),
  fc.tuple(fc.constantFrom(...MODEL_USES), fc.option(models)).map(([use, model]): ModelChange => ({ type: "set_default", use, model })),
);

test("settings stay valid under any steps: one default each, and none of a removed provider", () => {
  fc.assert(
    fc.property(fc.array(anyChange, { maxLength: 30 }), (changes) => {
      const end = changes.reduce((now, change) => {
        const changed = changeModels(now, change, KNOWN);

        return changed.ok ? changed.settings : now;
      }, NOTHING);
      expect(modelSettingsSchema.safeParse(end).success).toBe(true);
      expect(new Set(end.models.map(({ model }) => model)).size).toBe(end.models.length);
      for (const use of MODEL_USES) expect(end.models.filter(({ defaults }) => defaults.includes(use)).length).toBeLessThanOrEqual(1);
      for (const { model, defaults } of end.models) {
        expect(isOwnModel(end, model) || KNOWN.models.has(model)).toBe(true);
        expect(defaults.length === 0 || isAllowed(end, model)).toBe(true);
      }
    }),
  );
});
