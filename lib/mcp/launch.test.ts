/** Tricks in the spirit of GTFOBins: programs that run what they are told, in every field in which a server is described. */
import { describe, expect, it } from "vitest";
import { isDeniedVariable, launchArgumentSchema, launchEnvironmentSchema, launchFileSchema, runsOtherPrograms } from "./launch";
import { registryCommandSchema } from "./registry-command";
import { TRICKS } from "./testing/tricks";
import { mcpTransportSchema, transportDraftSchema } from "./transport";

const DIGEST = "0".repeat(64);

const programs = [...new Set(TRICKS.map(([program]) => program))];

const drafts = (transport: unknown) => [
  registryCommandSchema.safeParse({ type: "add", id: "x", name: "x", transport }).success,
  registryCommandSchema.safeParse({ type: "set_transport", id: "x", revision: 1, transport }).success,
  transportDraftSchema.safeParse(transport).success,
];
/** The same as it would stand in the database. */
const stored = (manifest: object): boolean =>
  mcpTransportSchema.safeParse({ type: "stdio", manifest: { ...manifest, file_digest: DIGEST } }).success ||
  mcpTransportSchema.safeParse({ type: "stdio", manifest: { ...manifest, tree_digest: DIGEST } }).success;

const FILE = { source: "file", path: "/srv/server.mjs", args: [] };
const PACKAGE = { source: "package", name: "@scope/server", version: "1.0.0", bin: "server", args: [] };

/** Whether any of the ways in lets it in: as a command, as a draft, as a row of the database. */
const isLetIn = (manifest: object): boolean => drafts({ type: "stdio", manifest }).includes(true) || stored(manifest);

it("what is not a trick can be registered, so that a refusal below means something", () => {
  for (const manifest of [FILE, PACKAGE, { ...PACKAGE, args: ["{inbox}", "/srv/data", "--read-only", "stdio"] }]) {
    expect(drafts({ type: "stdio", manifest })).toEqual([true, true, true]);
    expect(stored(manifest)).toBe(true);
  }
});

describe.each(TRICKS)("%s %j", (program, args) => {
  it("is no way to reach a server, however a command is written", () => {
    for (const transport of [
      { type: "stdio", command: program, args },
      { type: "stdio", manifest: { command: program, args } },
      { type: "stdio", manifest: { source: "command", command: program, args } },
      { type: program, args },
    ]) {
      expect(drafts(transport)).toEqual([false, false, false]);
      expect(mcpTransportSchema.safeParse(transport).success).toBe(false);
    }
    expect(isLetIn({ ...FILE, command: program })).toBe(false);
    expect(isLetIn({ ...PACKAGE, command: program })).toBe(false);
  });

  it("is refused as the arguments of something that was reviewed", () => {
    expect(isLetIn({ ...PACKAGE, args: [program, ...args] })).toBe(false);
    expect(isLetIn({ ...FILE, args: [`/usr/bin/${program}`, ...args] })).toBe(false);
    expect(isLetIn({ ...FILE, args: ["--server", [program, ...args].join(" ")] })).toBe(false);
  });

  it("is refused as the file and as the package", () => {
    for (const path of [program, `./${program}`, `/usr/bin/${program}`, `/usr/local/bin/${program}.exe`])
      expect(isLetIn({ ...FILE, path, args })).toBe(false);
    expect(isLetIn({ ...PACKAGE, name: program, bin: program, args: [...args, program] })).toBe(false);
  });
});

it.each([
  "npm",
  "npx",
  "tsx",
  "ts-node",
  "supergateway",
  "mcp-remote",
  "mcp-proxy",
  "@modelcontextprotocol/inspector",
  "@smithery/cli",
  "zx",
  "nodemon",
  "cross-env",
])("the package %s runs others and is never a server", (name) => {
  expect(runsOtherPrograms(name)).toBe(true);
  expect(isLetIn({ ...PACKAGE, name })).toBe(false);
});

it.each(["1.x", "^1.0.0", "~1.0.0", "latest", "*", "", ">=1.0.0", "1.0", "npm:evil@1.0.0", "git+https://evil.example/x", "file:/x"])(
  "the version %j is no exact one",
  (version) => expect(isLetIn({ ...PACKAGE, version })).toBe(false),
);

it.each(["@scope/../../evil", "../evil", "/evil", "Evil", "https://evil.example/x.tgz", "evil@1.0.0", "a/b/c", ".hidden", "@/x"])(
  "the package name %j is none",
  (name) => expect(isLetIn({ ...PACKAGE, name })).toBe(false),
);

it.each([
  "server.mjs",
  "./server.mjs",
  "../server.mjs",
  "~/server.mjs",
  "/srv/../etc/x.mjs",
  "/srv/./x.mjs",
  "/srv//x.mjs",
  "/srv/x.mjs/",
  "file:///srv/x.mjs",
  "data:text/javascript,1",
  "https://evil.example/x.mjs",
  "/usr/bin/python3",
  "/bin/sh",
  "/srv/run.sh",
  "/srv/x.mjs\u0000.txt",
  "/srv/x\n.mjs",
  "/usr/lib/node_modules/npm/bin/npx-cli.js",
  "/app/node_modules/.pnpm/npm@10.0.0/node_modules/npm/bin/npx-cli.js",
  "C:\\x.mjs",
])("the file %j is refused", (path) => {
  expect(launchFileSchema.safeParse(path).success).toBe(false);
  expect(isLetIn({ ...FILE, path })).toBe(false);
});

const DENIED = [
  ...`NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED NODE_ENV PATH HOME TMPDIR SHELL
    IFS LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES SSL_CERT_FILE SSL_CERT_DIR SSLKEYLOGFILE OPENSSL_CONF
    HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY NPM_CONFIG_REGISTRY YARN_RC_FILENAME BASH_ENV ENV PROMPT_COMMAND
    PYTHONPATH PYTHONSTARTUP PERL5OPT RUBYOPT JAVA_TOOL_OPTIONS GIT_SSH_COMMAND EDITOR GIT_PAGER GCONV_PATH
    COUNTERSIGN_HOME COUNTERSIGN_PUBLIC_KEYS NEXTAUTH_SECRET OIDC_CLIENT_SECRET HOSTALIASES UV_INDEX_URL PIP_INDEX_URL npm_config_registry http_proxy
    lower 1NAME A-B A=B  __PROTO__ _X`.split(/\s+/),
  "A B",
  "",
  "A".repeat(65),
];

it.each(DENIED)("the variable %j is passed to no server", (name) => {
  expect(isDeniedVariable(name)).toBe(true);
  for (const value of [{ value: "x" }, { secret: "some-name" }]) {
    expect(isLetIn({ ...FILE, env: { [name]: value } })).toBe(false);
    expect(isLetIn({ ...PACKAGE, env: { [name]: value } })).toBe(false);
  }
});

it("a variable that is named as a secret is in the store or nowhere, and values are text or names", () => {
  const env = (value: unknown): boolean => launchEnvironmentSchema.safeParse({ API_KEY: value }).success;
  expect(env({ secret: "maps-key" })).toBe(true);
  for (const value of [{ value: "abcdefgh" }, "abcdefgh", { secret: "${X}" }, { secret: "x", value: "y" }, {}, null])
    expect(env(value)).toBe(false);
  expect(launchEnvironmentSchema.safeParse({ LOG_LEVEL: { value: "info" } }).success).toBe(true);
  expect(launchEnvironmentSchema.safeParse({ LOG_LEVEL: { value: "a\nb" } }).success).toBe(false);
  expect(isLetIn({ source: "bundled", id: "shop", env: { LOG_LEVEL: { value: "info" } } })).toBe(false);
});

it("every program of the table is refused as one argument alone", () => {
  expect(programs.filter((program) => launchArgumentSchema.safeParse(program).success)).toEqual([]);
});
