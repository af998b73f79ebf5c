import { expect, it } from "vitest";
import { isDeniedVariable, isInterpreter, isSecretVariable, runsOtherPrograms } from "./launch";
import { registryCommandSchema } from "./registry-command";
import { TRICKS } from "./testing/tricks";
import { mcpTransportSchema } from "./transport";

const DIGEST = "0".repeat(64);
const MANIFEST = { program: "files", digest: DIGEST, values: {} };

it("registers an entry of the operator's list, so that a refusal below means something", () => {
  expect(mcpTransportSchema.safeParse({ type: "stdio", manifest: MANIFEST }).success).toBe(true);
});

it.each(TRICKS)("rejects %s %j in every command form", (program, args) => {
  for (const transport of [
    { type: "stdio", command: program, args },
    { type: "stdio", manifest: { command: program, args } },
    { type: "stdio", manifest: { source: "file", path: `/usr/bin/${program}`, args } },
    { type: "stdio", manifest: { source: "file", path: `/usr/bin/${program}`, args, file_digest: DIGEST } },
    { type: "stdio", manifest: { source: "package", name: program, version: "1.0.0", bin: program, args, tree_digest: DIGEST } },
    { type: "stdio", manifest: { ...MANIFEST, args } },
    { type: "stdio", manifest: { ...MANIFEST, command: program } },
    { type: "stdio", manifest: { ...MANIFEST, values: { args } } },
    { type: program, args },
  ]) {
    expect(mcpTransportSchema.safeParse(transport).success).toBe(false);
    expect(registryCommandSchema.safeParse({ type: "add", id: "x", name: "x", transport }).success).toBe(false);
    expect(registryCommandSchema.safeParse({ type: "set_transport", id: "x", revision: 1, transport }).success).toBe(false);
  }
});

it("recognises every program of the table as one that runs others", () => {
  const programs = [...new Set(TRICKS.map(([program]) => program))];
  expect(programs.filter((program) => !isInterpreter(program))).toEqual([]);
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
])("rejects the package %s, which runs others", (name) => {
  expect(runsOtherPrograms(name)).toBe(true);
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

it.each(DENIED)("passes the variable %j to no server", (name) => expect(isDeniedVariable(name)).toBe(true));

it("recognises secret variables by name", () => {
  expect(["API_KEY", "GITHUB_TOKEN", "LOG_LEVEL"].map(isSecretVariable)).toEqual([true, true, false]);
});
