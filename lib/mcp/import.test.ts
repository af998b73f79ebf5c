import { assert, constantFrom, dictionary, jsonValue, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { mcpAccessSchema, listAccessSecrets } from "./access";
import { importServers, type ImportDraft } from "./import";
import { computeProgramDigest, type OfferedProgram, type Program } from "./program";
import { registryCommandSchema } from "./registry-command";
import { TRICKS } from "./testing/tricks";

const offer = (id: string, change: Partial<Program>): OfferedProgram => {
  const program: Program = {
    id,
    name: id,
    runs: { kind: "package", package: "@modelcontextprotocol/server-github", version: "1.2.3", entry: "dist/index.js" },
    files: "a".repeat(64),
    args: [],
    env: {},
    placeholders: {},
    ...change,
  };

  return { ...program, digest: computeProgramDigest(program) };
};

const GITHUB = offer("github", {
  args: ["--read-only", "{docs}"],
  env: { GITHUB_TOKEN: "{token}", LOG_LEVEL: "info", REGION: "{region}" },
  placeholders: {
    docs: { type: "folder", below: "/srv/docs" },
    token: { type: "secret" },
    region: { type: "text", pattern: "[a-z]{2}" },
  },
});
const LOCAL = offer("local", { runs: { kind: "file", path: "/srv/server.mjs" }, args: ["stdio"] });

const TIME = offer("time", { runs: { kind: "python", package: "time-mcp", version: "1.0", entry: "time_mcp:main", base: "/usr" } });

const drafts = (root: unknown, taken: readonly string[] = []): readonly ImportDraft[] => {
  const read = importServers(JSON.stringify(root), [GITHUB, LOCAL, TIME], taken);

  return read.ok ? read.value.drafts : [];
};
const one = (entry: unknown): ImportDraft | undefined => drafts({ mcpServers: { github: entry } })[0];

describe("mcpServers of Claude and Cursor", () => {
  const NPX = {
    command: "npx",
    args: ["-y", "@modelcontextprotocol/server-github@1.2.3", "--read-only", "/srv/docs/team"],
    env: { GITHUB_TOKEN: "ghp_0123456789abcdef", LOG_LEVEL: "info", REGION: "eu", OTHER: "x" },
  };

  it("turns an offered package into its entry with values, and apparent secrets into names to fill in", () => {
    const draft = one(NPX);
    expect(draft?.problems).toEqual([]);
    expect(draft?.transport).toEqual({
      type: "stdio",
      manifest: {
        program: "github",
        digest: GITHUB.digest,
        values: { docs: "team", region: "eu", token: { secret: "mcp:github:token" } },
      },
    });
    expect(draft?.fill).toEqual([{ name: "mcp:github:token", label: "GITHUB_TOKEN", value: "ghp_0123456789abcdef" }]);
    expect(draft?.notes).toEqual(["OTHER was left out: the operator's entry doesn't pass it on."]);
    expect(JSON.stringify([draft?.transport, draft?.notes])).not.toContain("ghp_");
  });

  it.each([
    ["another version", { args: ["@modelcontextprotocol/server-github@1.2.4", "--read-only", "/srv/docs"] }, "doesn't offer this program"],
    ["other arguments", { args: [NPX.args[1], "--write", "/srv/docs"] }, "with different arguments"],
    ["a folder elsewhere", { args: [NPX.args[1], "--read-only", "/srv/docsx"] }, "with different arguments"],
    ["a folder that goes up", { args: [NPX.args[1], "--read-only", "/srv/docs/../keys"] }, "with different arguments"],
    ["a value that does not fit", { env: { ...NPX.env, REGION: "EU" } }, "with different arguments"],
  ])("gives the operator's command for a package with %s, without secrets", (_what, change, why) => {
    const draft = one({ ...NPX, ...change });
    expect(draft?.transport).toBeNull();
    expect(draft?.problems[0]).toContain(why);
    expect(draft?.problems[0]).toContain("npx countersign servers install @modelcontextprotocol/server-github@1.2.");
    expect(draft?.problems[0]).toContain("--secret github_token '--env=GITHUB_TOKEN={github_token}' --env=LOG_LEVEL=info");
    expect(JSON.stringify(draft?.problems)).not.toContain("ghp_");
  });

  it("quotes the operator's command for the shell", () => {
    const draft = one({ command: "npx", args: ["a@1.0.0", "it's; $(id)"] });
    expect(draft?.problems[0]).toContain(String.raw`install a@1.0.0 '--arg=it'\''s; $(id)'`);
  });

  it("turns an address into an http server with its secret header as a name after the scheme", () => {
    const draft = one({ url: "https://mcp.example.com/mcp", headers: { Authorization: "Bearer ${GITHUB_TOKEN}", "X-Region": "eu" } });
    expect(draft?.transport).toEqual({ type: "http", url: "https://mcp.example.com/mcp" });
    expect(draft?.access.headers).toEqual({
      Authorization: { secret: "mcp:github:Authorization", prefix: "Bearer " },
      "X-Region": { value: "eu" },
    });
    expect(draft?.fill).toEqual([{ name: "mcp:github:Authorization", label: "GITHUB_TOKEN", value: null }]);
  });

  it("turns an allowed file into its entry only with an absolute path", () => {
    expect(one({ command: "node", args: ["/srv/server.mjs", "stdio"] })?.transport).toMatchObject({ manifest: { program: "local" } });
    for (const file of ["server.mjs", "./server.mjs", "../x.mjs", "dist/index.js"]) {
      const draft = one({ command: "node", args: [file] });
      expect([draft?.transport, draft?.problems[0]]).toEqual([null, "Use the program's absolute path in the file."]);
    }
    expect(one({ command: "/opt/tools/server" })?.problems[0]).toContain("npx countersign servers install --program /opt/tools/server");
  });

  it.each([
    [{ command: "npx", args: ["-y", "evil"] }, "the operator runs: npx countersign servers install evil"],
    [{ command: "npx", args: ["evil@latest"] }, "the operator runs: npx countersign servers install evil"],
    [{ command: "cmd", args: ["/c", "npx", "-y", "evil@1.0.0"] }, "the operator runs: npx countersign servers install evil@1.0.0"],
    [{ command: "bunx", args: ["evil@1.0.0"] }, "the operator runs: npx countersign servers install evil@1.0.0"],
    [{ command: "npx", args: ["evil@^1.0.0"] }, "has no exact version"],
    [{ command: "npx", args: ["-c", "id"] }, "runs a string as a command"],
    [{ command: "npx", args: ["--package=evil@1.0.0", "-c", "id"] }, "no program"],
    [{ command: "npx", args: ["-y", "mcp-remote@0.1.0", "--stdio", "npx evil"] }, "This package runs other programs"],
    [{ command: "npx", args: ["-y", "supergateway@3.0.0", "--stdio", "npx evil"] }, "This package runs other programs"],
    [{ command: "node", args: ["-e", "1"] }, "code that isn't in a file"],
    [{ command: "uvx", args: ["mcp-server-git"] }, "the operator runs: npx countersign servers install --python mcp-server-git"],
    [{ command: "uvx", args: ["--from", "MCP_Server.Git==1.2", "x", "--a"] }, "install --python mcp-server-git==1.2 --arg=--a"],
    [{ command: "uv", args: ["tool", "run", "-p", "3.12", "a@1.0"] }, "install --python a==1.0"],
    [{ command: "uvx", args: ["--with", "evil", "a"] }, "adds code that can't be reviewed"],
    [{ command: "python3", args: ["-m", "mcp_server_time", "--local"] }, "install --python mcp-server-time --arg=--local"],
    [{ command: "python", args: ["/srv/x.py"] }, "Ask the operator to install the package"],
    [{ command: "docker", args: ["run", "-i", "--rm", "-e", "A=b", "mcp/x:1", "--c"] }, "install --image mcp/x:1 --arg=--c --env=A=b"],
    [{ command: "podman", args: ["run", "-v", "/:/host", "mcp/x"] }, "The container option -v isn't supported"],
    [{ command: "docker", args: ["run", "--privileged", "mcp/x"] }, "The container option --privileged isn't supported"],
    [{ command: "docker", args: ["run", "-i", "Bad Image"] }, "is no container image"],
    [{ command: "docker", args: ["run", "-e"] }, "names no container image"],
    [{ command: "docker", args: ["exec", "x", "sh"] }, "isn't run IMAGE"],
    [{ command: "C:\\Windows\\System32\\cmd.exe", args: ["/c", "npx"] }, "npx has no package"],
    [{ command: "npx -y evil@1.0.0" }, "a whole command line"],
    [{ command: "npx", args: ["server@1.0.0", "${workspaceFolder}"] }, "has a placeholder"],
    [{ url: "https://{tenant}.example.com/mcp" }, "has a placeholder"],
    [{ type: "sse", url: "https://mcp.example.com/sse" }, "old SSE transport"],
    [{ type: "ws", url: "https://mcp.example.com/" }, "Unknown transport"],
    [{ url: "https://mcp.example.com/", command: "npx" }, "both a command and an address"],
    [{ command: "npx", args: "x" }, "aren't a list of strings"],
    ["npx evil", "isn't a server description"],
    [{}, "neither a command nor an address"],
  ])("does not register %j and gives the reason", (entry, why) => {
    expect(one(entry)?.problems.join(" ")).toContain(why);
  });

  it("takes the operator's version where the file names none", () => {
    const { args, ...npx } = NPX;
    const draft = one({ ...npx, args: ["-y", "@modelcontextprotocol/server-github", ...args.slice(2)] });
    expect([draft?.problems, draft?.program?.id]).toEqual([[], "github"]);
    expect(one({ command: "uvx", args: ["Time_MCP"] })?.program?.id).toBe("time");
    expect(one({ command: "uvx", args: ["time-mcp@2.0"] })?.problems[0]).toContain("install --python time-mcp==2.0");
  });

  it("turns mcp-remote into its address, with secret headers as names", () => {
    const args = ["-y", "mcp-remote@latest", "https://mcp.example.com/mcp", "--header", "Authorization: Bearer ${TOKEN}"];
    const draft = one({ command: "npx", args });
    expect([draft?.problems, draft?.transport]).toEqual([[], { type: "http", url: "https://mcp.example.com/mcp" }]);
    expect(draft?.access.headers).toEqual({ Authorization: { secret: "mcp:github:Authorization", prefix: "Bearer " } });
    expect(draft?.notes).toContain("mcp-remote was left out: Countersign connects to the address itself.");
  });

  it("omits and reports a client's own settings", () => {
    const draft = one({
      command: "npx",
      args: ["a@1.0.0"],
      autoApprove: ["delete_all"],
      cwd: "/",
      envFile: ".env",
      env: { NODE_OPTIONS: "-r x", PATH: "/x" },
    });
    expect(draft?.notes.map((note) => note.split(" ")[0])).toEqual(["cwd", "envFile", "autoApprove", "NODE_OPTIONS", "PATH"]);
    expect(JSON.stringify(draft?.problems)).not.toMatch(/NODE_OPTIONS|PATH|delete_all/);
  });
});

it("labels inputs of VS Code servers as in the file", () => {
  const [draft] = drafts({
    inputs: [{ type: "promptString", id: "key", description: "Key of the maps service", password: true }],
    servers: { maps: { type: "http", url: "https://maps.example.com/mcp", headers: { "X-Api-Key": "${input:key}" } } },
  });
  expect(draft?.fill).toEqual([{ name: "mcp:maps:X-Api-Key", label: "Key of the maps service", value: null }]);
  expect(draft?.problems).toEqual([]);
});

it("server.json: drafts npm packages and remotes, gives reasons for others, and ignores secrets' values", () => {
  const found = drafts({
    name: "io.github.example/weather",
    description: "Weather",
    version: "1.0.2",
    packages: [
      {
        registryType: "npm",
        identifier: "@example/weather",
        version: "1.0.2",
        transport: { type: "stdio" },
        packageArguments: [{ type: "named", name: "--units", value: "metric" }],
        environmentVariables: [
          { name: "WEATHER_KEY", isSecret: true, value: "published-by-mistake" },
          { name: "REGION", default: "eu" },
        ],
      },
      { registryType: "pypi", identifier: "weather", version: "1.0.2", transport: { type: "stdio" } },
      { registryType: "npm", identifier: "weather", version: "^1.0.0", transport: { type: "stdio" } },
    ],
    remotes: [{ type: "streamable-http", url: "https://weather.example.com/mcp", headers: [{ name: "Authorization", isSecret: true }] }],
  });
  expect(found.map(({ id }) => id)).toEqual(["weather", "weather-2", "weather-3", "weather-4"]);
  expect(found.map(({ problems }) => problems.length)).toEqual([1, 1, 1, 0]);
  expect(found[0]?.problems[0]).toContain(
    "npx countersign servers install @example/weather@1.0.2 --arg=--units --arg=metric --secret weather_key '--env=WEATHER_KEY={weather_key}' --env=REGION=eu",
  );
  expect(JSON.stringify(found)).not.toContain("published-by-mistake");
  expect(found[3]?.access.headers).toEqual({ Authorization: { secret: "mcp:weather-4:Authorization" } });
});

it("assigns unique ids besides registered ones", () => {
  const servers = {
    "my server": { url: "https://a.example/" },
    "my-server": { url: "https://b.example/" },
    "1": { url: "https://c.example/" },
  };
  expect(
    drafts({ mcpServers: servers }, ["my-server"])
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(["my-server-2", "my-server-3", "server"]);
});

it.each(["", "[]", "{}", "nonsense: [", '{"mcpServers":{}}', '{"mcpServers":{"a":{}},"mcpServers":{}}', "x".repeat(300_000)])(
  "explains why %.40j is no import",
  (text) => {
    const read = importServers(text, []);
    expect(read.ok ? "" : read.error).toMatch(/\S/);
  },
);

describe.each(TRICKS)("%s %j", (command, args) => {
  it("becomes no server in any format", () => {
    const entry = { command, args };
    const all = [
      ...drafts({ mcpServers: { x: entry } }),
      ...drafts({ servers: { x: { type: "stdio", ...entry } } }),
      ...drafts({ mcpServers: { x: { command: `/usr/bin/${command}`, args } } }),
      ...drafts({ mcpServers: { x: { command: "npx", args: [command, ...args] } } }),
      ...drafts({ mcpServers: { x: { command: "npx", args: ["-y", `${command}@1.0.0`, ...args] } } }),
      ...drafts({
        name: "a/x",
        version: "1.0.0",
        packages: [
          {
            registryType: "npm",
            identifier: "server",
            version: "1.0.0",
            transport: { type: "stdio" },
            packageArguments: [command, ...args].map((value) => ({ type: "positional", value })),
          },
        ],
      }),
    ];
    expect(all).toHaveLength(6);
    expect(all.filter(({ transport, problems }) => transport !== null || problems.length === 0)).toEqual([]);
  });
});

it("drafts of any file are valid commands that reference their own secrets only", () => {
  const entry = dictionary(constantFrom("command", "args", "env", "url", "headers", "type", "cwd"), jsonValue({ maxDepth: 2 }));
  const said = dictionary(constantFrom("command", "url", "type"), constantFrom("npx", "node", "https://a.example/mcp", "stdio", "http"));
  assert(
    property(string(), entry, said, (key, loose, firm) => {
      for (const draft of drafts({ mcpServers: { [`s${key}`]: { ...loose, ...firm } } })) {
        expect(mcpAccessSchema.safeParse(draft.access).success).toBe(true);
        expect(listAccessSecrets(draft.access).every((name) => name.startsWith(`mcp:${draft.id}:`))).toBe(true);
        const { id, name, transport, access } = draft;
        const command = { type: "add", id, name: `named ${name}`.slice(0, 120), transport, access };
        expect(transport === null || registryCommandSchema.safeParse(command).success).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});
