import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { REFUSALS } from "@/lib/refusal";
import { systemClock } from "@/server/clock";
import { readAskedByUser } from "@/server/runner/user-request";
import { insertRegistryCommand, findRegistryOutcome } from "@/server/store/mcp/registry-commands";
import { recordRows, sealedAsk, testControlPlane } from "@/server/testing/authority";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";
import { workRegistryCommands } from "./registry-worker";
import type { McpService } from "./service";
import { createLocalMcp } from "./testing/local-mcp";
import { testInstallation } from "./testing/installation";
import { asAdmin, testWorkspace } from "./testing/registered";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let mcp: McpService;
let workspace: string;
let admin: string;

const newAdmin = async (): Promise<string> => {
  const id = randomUUID();
  await asAdmin(urls.admin, "insert into app_user (id, email, name) values ($1, $2, 'test')", [id, `${id}@example.com`]);
  await asAdmin(urls.admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, 'admin')", [workspace, id]);

  return id;
};

beforeAll(async () => {
  workspace = await testWorkspace(urls.admin);
  mcp = createLocalMcp({ clock: systemClock, installation });
  admin = await newAdmin();
});
afterAll(() => mcp.close());

describe("the worker", () => {
  it("answers commands, also malformed ones, and refuses one in another admin's name with an alarm", async () => {
    const [good, bad, forged] = [randomUUID(), randomUUID(), randomUUID()];
    const other = await newAdmin();
    const plane = await testControlPlane();
    await recordRows(plane, workspace);
    const insert = async (id: string, body: object, by = admin) =>
      asAdmin(urls.admin, "insert into registry_command (workspace_id, id, user_id, body) values ($1, $2, $3, $4)", [
        workspace,
        id,
        by,
        Buffer.from(await sealedAsk(urls.admin, plane, { workspace, userId: admin, place: id, body })),
      ]);
    await insert(bad, { type: "run" });
    const stop = new AbortController();
    await insert(forged, { type: "revoke", id: "fresh", revision: 1 }, other);
    const working = workRegistryCommands(mcp, readAskedByUser(plane), stop.signal);
    await insert(good, { type: "inspect", id: "unknown", revision: 1 });
    await expect.poll(() => findRegistryOutcome(workspace, good), { timeout: 10_000 }).toMatchObject({ ok: false, code: "not_found" });
    expect(await findRegistryOutcome(workspace, bad)).toMatchObject({ ok: false, code: "bad_request" });
    expect(await findRegistryOutcome(workspace, forged)).toMatchObject({
      ok: false,
      code: "refused",
      message: REFUSALS.command_forged.message,
    });
    expect(await queryOn(urls.admin, "select kind, detail from trust_alarm where workspace_id = $1", [workspace])).toEqual([
      { kind: "forged_command", detail: `command ${forged}` },
    ]);
    stop.abort();
    await working;
  });

  it("cannot write commands itself: only the web process can", async () => {
    const command = { id: randomUUID(), userId: admin, body: new Uint8Array(1) } as const;
    await expect(insertRegistryCommand(workspace, command)).rejects.toThrow("permission denied");
  });
});
