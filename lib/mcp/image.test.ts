import { describe, expect, it } from "vitest";
import { parseImage } from "./image";
import { isSameImage } from "./import-image";
import { programSchema } from "./program";

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
