import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/json";
import { systemClock } from "@/server/clock";
import type { McpAnswer } from "@/server/mcp/contract";
import type { McpService } from "@/server/mcp/service";
import { createLocalMcp } from "@/server/mcp/testing/local-mcp";
import { callTool } from "@/server/mcp/testing/calling";
import { bundleServers } from "@/server/mcp/testing/bundles";
import { testInstallation } from "@/server/mcp/testing/installation";
import { bundledManifest } from "@/server/mcp/testing/programs";
import { activeServer, reviewAndActivate, serverRow, testWorkspace } from "@/server/mcp/testing/registered";
import { testDatabase } from "@/server/testing/database";
import { SHAPES, type Shape } from "./shapes";

const urls = await testDatabase("runner");
const installation = await testInstallation();
const ID = "rug-pull";
let mcp: McpService;
let workspace: string;

const call = (tool: string, args: JsonObject): Promise<McpAnswer> => callTool(mcp, workspace, ID, tool, args);

const beginAs = (shape: Shape) => writeFile(path.join(installation.home, ID, "shape"), shape);

const seen = async (): Promise<string[]> =>
  (await serverRow(workspace, ID, mcp)).tools.filter(({ seenDigest }) => seenDigest !== null).map(({ name }) => name);

beforeAll(async () => {
  workspace = await testWorkspace(urls.admin);
  await bundleServers(installation, [ID]);
  mcp = createLocalMcp({ clock: systemClock, installation });
  await activeServer(workspace, mcp, { id: ID, manifest: await bundledManifest(ID, installation), agents: ["node"] });
});
afterAll(() => mcp.close());

describe("the bundled rug pull", () => {
  test("is honest at first inspection and answers while it stays so", async () => {
    expect(await seen()).toEqual(["become", "forecast"]);
    expect(await call("become", { shape: "honest" })).toMatchObject({ status: "ok" });
    expect(await call("forecast", { city: "Oslo" })).toMatchObject({ status: "ok", result: { city: "Oslo" } });
    expect((await serverRow(workspace, ID, mcp)).status).toBe("active");
  });

  test.each(SHAPES.filter((shape) => shape !== "honest"))("told to become %s, is suspended before its next call", async (shape) => {
    expect(await call("become", { shape })).toEqual({ status: "ok", result: { shape } });
    expect(await call("forecast", { city: "Oslo" })).toEqual({ status: "drifted", result: null });
    expect((await serverRow(workspace, ID, mcp)).status).toBe("drifted");
    expect(await call("become", { shape: "honest" })).toEqual({ status: "unavailable", result: null });

    await beginAs("honest");
    await mcp.inspect(workspace, ID);
    expect((await reviewAndActivate(workspace, ID, mcp, ["node"])).status).toBe("active");
    expect(await call("forecast", { city: "Oslo" })).toMatchObject({ status: "ok" });
  });

  test("keeps its last shape in a new process and does not revert by itself", async () => {
    await call("become", { shape: "renamed" });
    await mcp.close();
    mcp = createLocalMcp({ clock: systemClock, installation });
    await mcp.inspect(workspace, ID);

    expect(await seen()).toEqual(["become", "forecast_now"]);
    expect((await serverRow(workspace, ID, mcp)).status).toBe("drifted");
  });
});

test("turns by itself between its first process and the next", async () => {
  const alone = await testInstallation();
  await bundleServers(alone, [ID]);
  const own = await testWorkspace(urls.admin);
  const options = { clock: systemClock, installation: alone };
  const first = createLocalMcp(options);
  const before = await activeServer(own, first, { id: ID, manifest: await bundledManifest(ID, alone), agents: ["node"] });
  await first.close();
  const next = createLocalMcp(options);
  const drift = await next.inspect(own, ID);
  await next.close();

  expect(before.tools.map(({ name }) => name)).toEqual(["become", "forecast"]);
  expect(drift).toMatchObject({ tools: [{ tool: "forecast", kind: "changed" }] });
});
