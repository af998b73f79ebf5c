import { assert, constantFrom, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkValues,
  fillTemplate,
  listHosts,
  computeProgramDigest,
  programSchema,
  programValuesSchema,
  listManifestSecrets,
  findValueFault,
  type Placeholder,
  type Program,
} from "./program";

const PROGRAM: Program = {
  id: "files",
  name: "Files",
  runs: { kind: "package", package: "@scope/files", version: "1.0.0", entry: "dist/index.js" },
  files: "a".repeat(64),
  args: ["--root={docs}", "{mode}"],
  env: { API_TOKEN: "{token}", REGION: "{region}", LOG_LEVEL: "info" },
  placeholders: {
    docs: { type: "folder", below: "/srv/docs" },
    mode: { type: "choice", options: ["ro", "rw"] },
    token: { type: "secret" },
    region: { type: "text", pattern: "[a-z]{2}-[0-9]" },
  },
};
const VALUES = { docs: "team/notes", mode: "ro", token: { secret: "mcp:files:token" }, region: "eu-1" } as const;

const faultsOf = (change: object): readonly string[] =>
  programSchema.safeParse({ ...PROGRAM, ...change }).error?.issues.map(({ message }) => message) ?? [];

describe("an entry of the operator's list", () => {
  it("is valid with placeholders, with exactly one fitting value for each", () => {
    expect(faultsOf({})).toEqual([]);
    expect(checkValues(PROGRAM, VALUES)).toEqual({ ok: true, value: null });
    expect(listManifestSecrets({ program: "files", digest: "", values: VALUES })).toEqual(["mcp:files:token"]);
  });

  it.each([
    ["names a placeholder that is not declared", { args: ["{other}", "{docs}", "{mode}"] }, "{other} is not declared."],
    ["declares one that it does not use", { args: ["{docs}"] }, "{mode} is declared and not used."],
    ["passes a secret as an argument", { args: ["{docs}", "{mode}", "{token}"] }, "Other processes can read arguments"],
    ["passes a secret as a part", { env: { ...PROGRAM.env, API_TOKEN: "x{token}" } }, "A secret is the whole value"],
    ["has a secret in the clear", { env: { ...PROGRAM.env, OTHER_KEY: "abcdefgh" } }, "Declare a secret for OTHER_KEY"],
    ["sets a variable that changes what runs", { env: { ...PROGRAM.env, NODE_OPTIONS: "-r x" } }, "NODE_OPTIONS is not passed on"],
    ["has a root that goes up", { placeholders: { ...PROGRAM.placeholders, docs: { type: "folder", below: "/srv/../etc" } } }, "absolute"],
    ["has a relative root", { placeholders: { ...PROGRAM.placeholders, docs: { type: "folder", below: "srv" } } }, "absolute"],
    ["has a pattern that is none", { placeholders: { ...PROGRAM.placeholders, region: { type: "text", pattern: "(" } } }, "RE2"],
    ["has every host and names some", { network: "direct", hosts: ["api.example.org"] }, "reaches every host"],
    ["names an address for a host", { hosts: ["https://api.example.org"] }, "Enter a host"],
    ["names a host with a port that is none", { hosts: ["api.example.org:0"] }, "Enter a host"],
    ["names a host in other letters", { hosts: ["API.example.org"] }, "Enter a host"],
    ["names any host", { hosts: ["*.example.org"] }, "Enter a host"],
    ["has a control character", { args: ["{docs}", "{mode}", "a\nb"] }, "Control characters"],
  ])("is refused when it %s", (_why, change, sentence) => {
    expect(faultsOf(change).join(" ")).toContain(sentence);
  });

  it("reaches its named and filled-in hosts; a direct one needs no list", () => {
    const program: Program = {
      ...PROGRAM,
      args: [...PROGRAM.args, "{host}"],
      placeholders: { ...PROGRAM.placeholders, host: { type: "host" } },
      hosts: ["db", "api.example.org:8443"],
    };
    expect(faultsOf(program)).toEqual([]);
    const values = { ...VALUES, host: "git.example.com" };
    expect(listHosts(program, values)).toEqual(["db", "api.example.org:8443", "git.example.com"]);
    const { hosts: _none, ...open } = program;
    expect(listHosts({ ...open, network: "direct" }, values)).toEqual([]);
  });

  it("changes its digest with anything but its name", () => {
    const digest = computeProgramDigest(PROGRAM);
    expect(computeProgramDigest({ ...PROGRAM, name: "Other" })).toBe(digest);
    for (const change of [
      { id: "other" },
      { hosts: ["api.example.org"] },
      { files: "b".repeat(64) },
      { args: ["{docs}", "{mode}"] },
      { env: {} },
      { runs: { kind: "file", path: "/srv/x.mjs" } as const },
      { placeholders: { ...PROGRAM.placeholders, docs: { type: "folder", below: "/" } as const } },
    ])
      expect(computeProgramDigest({ ...PROGRAM, ...change })).not.toBe(digest);
  });
});

describe("values", () => {
  it.each([
    ["one too few", { ...VALUES, mode: undefined }, "mode: Enter a value."],
    ["one too many", { ...VALUES, more: "x" }, "more: The program has no such value."],
    ["a text for a secret", { ...VALUES, token: "abcdefgh" }, "token: Keep it in the secret store."],
    ["a secret for a text", { ...VALUES, region: { secret: "x" } }, "region: This is not a secret."],
    ["another choice", { ...VALUES, mode: "rwx" }, "mode: Choose one of the listed values."],
  ])("are refused with %s", (_what, values, message) => {
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
    expect(checkValues(PROGRAM, given)).toEqual({ ok: false, error: message });
  });

  const folder: Placeholder = { type: "folder", below: "/srv/docs" };
  it.each(["/", "/etc", "..", "../x", "a/../b", "a/..", "./a", "a/./b", "a//b", "a/", "", "a\0b", "a\nb", "\ud800"])(
    "refuses the folder %j",
    (value) => expect(findValueFault(folder, value)).not.toBeNull(),
  );
  it.each([".", "a", "a/b.c", "..a", "a b"])("accepts the folder %j", (value) => expect(findValueFault(folder, value)).toBeNull());

  it.each([
    "localhost",
    "127.0.0.1",
    "169.254.169.254",
    "[::1]",
    "0x7f.1",
    "2130706433",
    "printer",
    "nas.local",
    "vault.internal",
    "metadata.google.internal",
    "db.corp",
    "api.example.org/path",
    "user@api.example.org",
    "https://api.example.org",
    "api.example.org:0",
    "api.example.org:99999",
    "api.example.org:80:80",
    "-x.example.org",
    "API.example.org",
  ])("refuses the host %j", (value) => expect(findValueFault({ type: "host" }, value)).not.toBeNull());
  it.each(["api.github.com", "api.github.com:8443"])("accepts the host %j", (value) =>
    expect(findValueFault({ type: "host" }, value)).toBeNull(),
  );

  it("of texts match the whole pattern, and are no program options", () => {
    const region: Placeholder = { type: "text", pattern: "[a-z]{2}-[0-9]" };
    expect(["eu-1", "us-2"].map((value) => findValueFault(region, value))).toEqual([null, null]);
    for (const value of ["eu-1 --allow-all", "xeu-1", "eu-1\n", "eu-12", "EU-1"]) expect(findValueFault(region, value)).not.toBeNull();
    expect(findValueFault({ type: "text", pattern: ".*" }, "--eval=1")).toContain("cannot begin with a hyphen");
    expect(findValueFault({ type: "text", pattern: ".*" }, "x".repeat(1_001))).not.toBeNull();
  });

  it("are limited in number and size", () => {
    expect(programValuesSchema.safeParse({ a: "x".repeat(1_000) }).success).toBe(true);
    expect(programValuesSchema.safeParse({ a: "x".repeat(1_001) }).success).toBe(false);
    expect(programValuesSchema.safeParse(Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`a${index}`, "x"]))).success).toBe(
      false,
    );
    for (const name of ["constructor", "A", "a-b", ""])
      expect(programValuesSchema.safeParse(JSON.parse(`{ ${JSON.stringify(name)}: "x" }`)).success).toBe(name === "constructor");
    expect(checkValues({ placeholders: {} }, { constructor: "x" }).ok).toBe(false);
  });

  it("never leave the folder's root, whatever is typed", () => {
    assert(
      property(string(), constantFrom("", "/", "../", "a/", "./"), (text, before) => {
        const value = `${before}${text}`;
        if (findValueFault(folder, value) !== null) return;
        const joined = new URL(
          `file:///srv/docs/${value.replaceAll("%", "%25").replaceAll("?", "%3f").replaceAll("#", "%23").replaceAll("\\", "%5c")}`,
        );
        expect(`${joined.pathname}/`.startsWith("/srv/docs/")).toBe(true);
      }),
    );
  });

  it("are filled in once, without expanding again", () => {
    expect(fillTemplate("--a={a} {b}", { a: "{b}", b: "$&{a}" })).toBe("--a={b} $&{a}");
    expect(fillTemplate("{constructor}", {})).toBe("{constructor}");
  });
});
