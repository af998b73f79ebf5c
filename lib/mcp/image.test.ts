import { describe, expect, it } from "vitest";
import { parseImage } from "./image";
import { importServers } from "./import";
import { isSameImage } from "./import-image";
import { computeProgramDigest, programSchema } from "./program";

const DIGEST = `sha256:${"a".repeat(64)}`;

describe("parseImage", () => {
  it.each([
    [`mcp/fetch@${DIGEST}`, `mcp/fetch@${DIGEST}`, true],
    [`registry.example.org:5000/team/fetch@${DIGEST}`, `registry.example.org:5000/team/fetch@${DIGEST}`, true],
    [`mcp/fetch:1.2@${DIGEST}`, `mcp/fetch@${DIGEST}`, true],
    [DIGEST, DIGEST, true],
    ["mcp/fetch:1.2", "mcp/fetch:1.2", false],
    ["fetch", "fetch", false],
  ])("reads %s", (text, image, isPinned) => {
    expect(parseImage(text)).toEqual({ ok: true, value: { image, isPinned } });
  });

  it.each([
    "--privileged",
    "-v/:/host",
    "mcp/fetch x",
    "mcp/../fetch",
    "MCP/fetch",
    `mcp/fetch@sha256:${"a".repeat(63)}`,
    "a\nb",
    "",
    "docker://x",
    "/x",
  ])("refuses %j", (text) => {
    expect(parseImage(text).ok).toBe(false);
  });
});

describe("an image of the operator's list", () => {
  const PROGRAM = {
    id: "fetch",
    name: "Fetch",
    runs: { kind: "image", engine: "podman", image: `mcp/fetch@${DIGEST}`, config: "b".repeat(64) },
    files: "c".repeat(64),
    args: [],
    env: {},
    placeholders: {},
  };
  const faultsOf = (change: object): string =>
    (programSchema.safeParse({ ...PROGRAM, ...change }).error?.issues ?? []).map(({ message }) => message).join(" ");

  it("has named hosts, but neither all addresses nor folders of this machine", () => {
    expect(faultsOf({ hosts: ["api.example.org"] })).toBe("");
    expect(faultsOf({ network: "direct" })).toContain("named hosts only");
    expect(faultsOf({ args: ["{docs}"], placeholders: { docs: { type: "folder", below: "/srv" } } })).toContain("no folders");
    expect(faultsOf({ hosts: ["api.example.org"], runs: { ...PROGRAM.runs, engine: "docker" } })).toContain("need podman");
  });

  it.each(["CONTAINERS_CONF", "CONTAINER_HOST", "DOCKER_HOST", "XDG_RUNTIME_DIR", "GODEBUG", "STORAGE_OPTS", "LISTEN_FDS"])(
    "cannot set %s, which the engine reads",
    (name) => {
      expect(faultsOf({ env: { [name]: "x" } })).toContain(`The variable ${name} would change the container engine.`);
    },
  );

  it.each(["mcp/fetch:1", `--privileged@${DIGEST}`, `mcp/fetch@${DIGEST} --privileged`])("is refused as %j", (image) => {
    expect(faultsOf({ runs: { ...PROGRAM.runs, image } })).not.toBe("");
  });
});

it("an imported image is the installed one by name, or by digest if it has one", () => {
  const installed = `docker.io/mcp/fetch@${DIGEST}`;
  expect(isSameImage(installed, "mcp/fetch")).toBe(true);
  expect(isSameImage(installed, "mcp/fetch:latest")).toBe(true);
  expect(isSameImage(installed, `mcp/fetch@${DIGEST}`)).toBe(true);
  expect(isSameImage(installed, `mcp/fetch@sha256:${"b".repeat(64)}`)).toBe(false);
  expect(isSameImage(installed, "mcp/fetch2")).toBe(false);
  expect(isSameImage(installed, "ghcr.io/mcp/fetch")).toBe(false);
});

it("an imported docker run becomes the operator's image, with its variables", () => {
  const program = programSchema.parse({
    id: "fetch",
    name: "Fetch",
    runs: { kind: "image", engine: "podman", image: `mcp/fetch@${DIGEST}`, config: "b".repeat(64) },
    files: "c".repeat(64),
    args: ["--quiet"],
    env: { API_TOKEN: "{token}", REGION: "{region}" },
    placeholders: { token: { type: "secret" }, region: { type: "choice", options: ["eu", "us"] } },
  });
  const args = ["run", "-i", "--rm", "-e", "API_TOKEN", "--env=REGION=us", "--pull", "always", "docker.io/mcp/fetch:latest", "--quiet"];
  const file = { mcpServers: { fetch: { command: "docker", args, env: { API_TOKEN: "sk-0123456789abcdef" } } } };
  const imported = importServers(JSON.stringify(file), [{ ...program, digest: computeProgramDigest(program) }]);
  const [draft] = imported.ok ? imported.value.drafts : [];
  expect(draft?.problems).toEqual([]);
  expect(draft?.transport).toMatchObject({ manifest: { program: "fetch", values: { region: "us" } } });
  expect(draft?.fill).toMatchObject([{ label: "API_TOKEN" }]);
});

it("a server.json that names an image says what the operator installs", () => {
  const packages = [{ registryType: "oci", identifier: "ghcr.io/team/fetch:1.0.0", transport: { type: "stdio" } }];
  const imported = importServers(JSON.stringify({ name: "org.example/fetch", version: "1.0.0", packages }), []);
  expect(imported.ok && imported.value.drafts[0]?.problems.join(" ")).toContain("servers install --image ghcr.io/team/fetch:1.0.0");
});
