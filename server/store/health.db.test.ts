import { expect, test } from "vitest";
import { useDatabase } from "@/server/db/client";
import { withClient } from "@/server/db/connect";
import { beat, endBeat, getHealth, listModels } from "@/server/store/health";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");

test("the runner is ok after a beat, down when silent, and starting while the web process is young", async () => {
  expect(await getHealth(60_000)).toEqual({ database: "ok", runner: "down" });
  expect(await getHealth(1_000)).toEqual({ database: "ok", runner: "starting" });
  await beat("a");
  expect(await getHealth(60_000)).toEqual({ database: "ok", runner: "ok" });
  await withClient(urls.admin, (client) => client.query("update runner_heartbeat set at = now() - interval '16 seconds'"));
  expect(await getHealth(60_000)).toEqual({ database: "ok", runner: "down" });
  await beat("b");
  expect(await getHealth(60_000)).toEqual({ database: "ok", runner: "ok" });
  await endBeat("b");
  expect(await getHealth(60_000)).toEqual({ database: "ok", runner: "down" });
});

test("lists live runners' models once each, without silent runners'", async () => {
  const model = (id: string) => ({ id, label: id, provider: "p", scripted: false, rates: null });
  await beat("c", { models: [model("p:one")] });
  await beat("d", { models: [model("p:one"), model("p:two")] });
  expect((await listModels()).map((one) => one.id)).toEqual(["p:one", "p:two"]);
  await withClient(urls.admin, (client) => client.query("update runner_heartbeat set at = now() - interval '16 seconds' where id = 'd'"));
  expect((await listModels()).map((one) => one.id)).toEqual(["p:one"]);
  await endBeat("c");
  await endBeat("d");
});

test("an unreachable database is reported, not thrown", async () => {
  await useDatabase("postgresql://user@127.0.0.1:1/none");
  expect(await getHealth(60_000)).toEqual({ database: "down", runner: "down" });
  await useDatabase(urls.runner);
});
